#include "features/word.hpp"

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

}  // namespace

void Word::add_to_shape(char32_t point, Class cls) {
    if (cut_) return;
    const char next = sign(point, cls);
    const std::size_t size = shape_.size();
    if (size >= 2 && shape_[size - 1] == next && shape_[size - 2] == next) return;
    cut_ = size == max_shape;
    shape_.push_back(cut_ ? '+' : next);
}

void Word::read(std::string_view form) {
    lower_.clear();
    shape_.clear();
    length_ = digits_ = punctuation_ = upper_ = lowers_ = 0;
    starts_upper_ = hyphen_ = cut_ = false;
    script_ = unicode::Script::none;
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
        if (cls != Class::mark) add_to_shape(point, cls);
    }
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
            return features::atom(shape_);
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
