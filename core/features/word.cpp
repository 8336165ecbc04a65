#include "features/word.hpp"

#include <algorithm>

namespace laconic::features {

using unicode::Class;

namespace {

// The atoms of names that are always the same.
template <std::size_t Size>
std::array<Atom, Size> atoms_of(const char* const (&names)[Size]) {
    std::array<Atom, Size> atoms{};
    for (std::size_t i = 0; i < Size; ++i) atoms[i] = atom(names[i]);
    return atoms;
}
const auto share_atoms = atoms_of({"none", "some", "all"});
const auto casing_atoms = atoms_of({"none", "lower", "upper", "title", "mixed"});
const auto truth_atoms = atoms_of({"no", "yes"});
const auto script_atoms = atoms_of(unicode::script_names);

bool is_hyphen(char32_t point) noexcept {
    return point == U'-' || point == 0x2010 || point == 0x2011;
}

char sign(char32_t point, Class cls) noexcept {
    switch (cls) {
        case Class::upper:
            return 'X';
        case Class::lower:
            return 'x';
        case Class::letter:
            return 'c';
        case Class::digit:
        case Class::number:
            return 'd';
        case Class::punctuation:
            return point < 0x80 ? static_cast<char>(point) : 'p';
        case Class::symbol:
            return point < 0x80 ? static_cast<char>(point) : 's';
        case Class::space:
            return '_';
        default:
            return '?';
    }
}

// What a byte of ASCII says.
struct Ascii {
    char lower, sign;
    bool is_digit, is_punctuation, is_upper, is_lower;
    unicode::Script script;
};

const std::array<Ascii, 128> ascii = [] {
    std::array<Ascii, 128> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto point = static_cast<char32_t>(i);
        const Class cls = unicode::class_of(point);
        table[i] = {static_cast<char>(unicode::lower(point)),
                    sign(point, cls),
                    cls == Class::digit || cls == Class::number,
                    cls == Class::punctuation || cls == Class::symbol,
                    cls == Class::upper,
                    cls == Class::lower,
                    unicode::script_of(point)};
    }
    return table;
}();

bool is_ascii(std::string_view text) noexcept {
    unsigned all = 0;
    for (const char byte : text) all |= static_cast<unsigned char>(byte);
    return all < 0x80;
}

}  // namespace

// The third of equal signs is not kept, and of what is too long one sign more than may be, which end_shape() makes a
// mark. Without a branch.
void Word::add_to_shape(char sign) noexcept {
    const std::size_t size = shape_size_;
    if (size > max_shape) return;
    const bool third = size >= 2 && shape_[size - 1] == sign && shape_[size - 2] == sign;
    shape_[size] = sign;
    shape_size_ += third ? 0 : 1;
}

void Word::end_shape() noexcept {
    if (shape_size_ > max_shape) shape_[max_shape] = '+';
}

void Word::read_ascii(std::string_view form) {
    const std::size_t size = form.size();
    lower_.resize(size);
    length_ = size;
    for (std::size_t i = 0; i < size; ++i) {
        const Ascii& byte = ascii[static_cast<unsigned char>(form[i])];
        lower_[i] = byte.lower;
        digits_ += byte.is_digit;
        punctuation_ += byte.is_punctuation;
        hyphen_ |= form[i] == '-';
        starts_upper_ |= byte.is_upper && lowers_ == 0;
        upper_ += byte.is_upper;
        lowers_ += byte.is_lower;
        if (script_ == unicode::Script::none) script_ = byte.script;
        add_to_shape(byte.sign);
    }
    for (std::size_t i = 0; i < std::min(size, max_affix); ++i) {
        ends_[i] = i + 1;
        begins_[(size - 1 - i) % max_affix] = size - 1 - i;
    }
    end_shape();
}

void Word::read(std::string_view form) {
    lower_.clear();
    shape_size_ = 0;
    length_ = digits_ = punctuation_ = upper_ = lowers_ = 0;
    starts_upper_ = hyphen_ = false;
    script_ = unicode::Script::none;
    if (is_ascii(form)) return read_ascii(form);
    std::size_t ring = 0;  // length_ modulo max_affix
    for (std::size_t at = 0; at < form.size();) {
        const auto [point, size] = unicode::decode(form, at);
        at += size;
        const unicode::tables::Record& record = unicode::record(point);
        const auto cls = static_cast<Class>(record.cls);
        begins_[ring] = lower_.size();
        ring = ring + 1 == max_affix ? 0 : ring + 1;
        const auto lowered = static_cast<char32_t>(static_cast<std::int32_t>(point) + record.lower);
        if (lowered < 0x80)
            lower_.push_back(static_cast<char>(lowered));
        else
            unicode::append(lower_, lowered);
        if (length_ < max_affix) ends_[length_] = lower_.size();
        ++length_;
        digits_ += cls == Class::digit || cls == Class::number;
        punctuation_ += cls == Class::punctuation || cls == Class::symbol;
        hyphen_ = hyphen_ || is_hyphen(point);
        starts_upper_ = starts_upper_ || (cls == Class::upper && lowers_ == 0);
        upper_ += cls == Class::upper;
        lowers_ += cls == Class::lower;
        if (script_ == unicode::Script::none) script_ = static_cast<unicode::Script>(record.script);
        if (cls != Class::mark) add_to_shape(sign(point, cls));
    }
    end_shape();
}

std::string_view Word::prefix(std::size_t size) const noexcept {
    return std::string_view(lower_).substr(0, ends_[size - 1]);
}

std::string_view Word::suffix(std::size_t size) const noexcept {
    return std::string_view(lower_).substr(begins_[(length_ - size) % max_affix]);
}

Casing Word::casing() const noexcept {
    if (upper_ == 0) return lowers_ == 0 ? Casing::none : Casing::lower;
    if (upper_ == 1 && starts_upper_) return Casing::title;
    return lowers_ == 0 ? Casing::upper : Casing::mixed;
}

Atom Word::atom(Attribute attribute, std::size_t number) const noexcept {
    switch (attribute) {
        case Attribute::lower:
            return features::atom(lower_);
        case Attribute::prefix:
            return has_affix(number) ? features::atom(prefix(number)) : nothing;
        case Attribute::suffix:
            return has_affix(number) ? features::atom(suffix(number)) : nothing;
        case Attribute::shape:
            return features::atom(shape());
        case Attribute::digit:
            return share_atoms[static_cast<std::size_t>(digits())];
        case Attribute::punct:
            return share_atoms[static_cast<std::size_t>(punctuation())];
        case Attribute::hyphen:
            return truth_atoms[hyphen_ ? 1 : 0];
        case Attribute::casing:
            return casing_atoms[static_cast<std::size_t>(casing())];
        case Attribute::script:
            return script_atoms[static_cast<std::size_t>(script_)];
        default:
            return unknown;
    }
}

}  // namespace laconic::features
