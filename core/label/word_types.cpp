#include "label/word_types.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "features/tree_steps.hpp"

namespace laconic::label {

namespace {

// Each field that a column depends on, once, in the order of the document.
std::vector<corpus::Field> fields_of(const features::AtomColumns& list) {
    std::vector<corpus::Field> fields;
    for (const features::AtomColumn& column : list.list())
        for (const corpus::Field field : column.fields())
            if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
    std::ranges::sort(fields);
    return fields;
}

std::vector<std::uint32_t> counted_from(std::uint32_t first, std::size_t size) {
    std::vector<std::uint32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

// Two blocks of a string into its hash at once: each is on one side of the product, and both are added again.
std::uint64_t absorb_two(std::uint64_t key, std::uint64_t first, std::uint64_t second) noexcept {
    return multiply_xor(key ^ first, std::rotl(second, 32) ^ 0x9e3779b97f4a7c15ULL) + first + std::rotl(second, 17);
}

// Eight bytes of which only the first `count`, at most eight, are kept.
std::uint64_t keep_bytes(std::uint64_t block, std::size_t count) noexcept {
    // Two shifts, since one of 64 bits is undefined.
    return block & ~(~std::uint64_t{0} << (4 * count) << (4 * count));
}

}  // namespace

TagColumns tag_columns(const features::AtomColumns& list, std::uint16_t pos, bool all_tags) {
    const auto is_tag = [](const features::AtomColumn& column) {
        return column.kind == features::AtomColumn::field &&
               (column.number == static_cast<std::uint32_t>(corpus::Field::upos) ||
                column.number == static_cast<std::uint32_t>(corpus::Field::xpos));
    };
    for (std::size_t i = 0; all_tags && i < list.list().size(); ++i)
        if (i != pos && is_tag(list.list()[i])) return {pos, static_cast<std::uint16_t>(i)};
    return {pos, pos};
}

WordTypes::WordTypes(const features::AtomColumns& list, TagColumns tags, const std::vector<std::uint64_t>& keys,
                     std::span<const Atom> atoms)
    : columns_(list.list().size()),
      tag_columns_(tags),
      fields_(fields_of(list)),
      map_(keys, counted_from(reserved, keys.size()), "the table of word types"),
      size_(static_cast<std::uint32_t>(map_.keys().size()) + reserved) {
    if (atoms.size() != map_.keys().size() * columns_)
        throw ModelError("the table of word types is damaged: keys and columns");
    atoms_.assign(columns_, features::nothing);
    atoms_.insert(atoms_.end(), columns_, features::root_atom);
    atoms_.insert(atoms_.end(), atoms.begin(), atoms.end());
    number_values();
}

void WordTypes::number_values() {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> numbers;
    for (std::size_t column = 0; column < columns_; ++column) {
        std::vector<Atom> seen;
        for (std::uint32_t type = 0; type < size_; ++type) seen.push_back(atoms(type)[column]);
        std::ranges::sort(seen);
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        const bool few = seen.size() < most_codes;
        code_columns_.push_back(few ? static_cast<std::uint16_t>(values_.size()) : uncoded);
        if (!few) continue;
        for (std::uint32_t i = 0; i < seen.size(); ++i) {
            keys.push_back(value_key(column, seen[i]));
            numbers.push_back(i + 1);
        }
        seen.insert(seen.begin(), features::unknown);
        values_.push_back(std::move(seen));
    }
    codes_of_ = FrozenMap(std::move(keys), std::move(numbers), "the table of word types");
    codes_.reserve(size_ * coded());
    for (std::uint32_t type = 0; type < size_; ++type) append_codes(atoms(type), codes_);
    for (std::uint32_t type = 0; type < size_; ++type) tags_.push_back(tags_of(atoms(type), codes(type)));
}

void WordTypes::append_codes(const Atom* atoms, std::vector<Code>& to) const {
    for (std::size_t column = 0; column < columns_; ++column) {
        if (code_columns_[column] == uncoded) continue;
        const std::uint32_t code = codes_of_.find(value_key(column, atoms[column]));
        to.push_back(code == absent ? Code{0} : static_cast<Code>(code));
    }
}

// One hash over all strings, each with its length, so that none can be taken for the end of the one before. Sixteen
// bytes at once: most strings are not longer, and then nothing depends on their length.
std::uint64_t WordTypes::key(const corpus::Columns& columns, std::size_t word) const noexcept {
    constexpr std::size_t block = 8;
    std::uint64_t key = 0;
    for (const corpus::Field field : fields_) {
        const corpus::Span span = columns[field][word];
        const char* from = columns.view(span).data();
        std::size_t left = span.size;
        key = start_hash(left, key);
        for (; left > 2 * block; from += 2 * block, left -= 2 * block)
            key = absorb_two(key, read_bytes(from, block), read_bytes(from + block, block));
        const std::size_t first = std::min(left, block), second = left - first;
        // Behind most strings more bytes can be read, whatever they are.
        const bool within = span.begin + std::size_t{span.size} + 2 * block <= columns.bytes.size();
        key = within ? absorb_two(key, keep_bytes(read_bytes(from, block), first),
                                  keep_bytes(read_bytes(from + block, block), second))
                     : absorb_two(key, read_bytes(from, first), read_bytes(from + first, second));
    }
    return scramble(key);
}

SentenceTypes::SentenceTypes(const WordTypes& types, const features::AtomColumns& list,
                             const features::Lexicon& lexicon, const corpus::Columns& columns)
    : known_(types),
      list_(list),
      lexicon_(lexicon),
      columns_(columns),
      slots_(64, WordTypes::absent),
      lexicon_row_(lexicon.stride()) {}

void SentenceTypes::enter(std::size_t sentence) {
    const std::size_t begin = columns_.sentences[sentence], size = columns_.size_of(sentence);
    keys_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        keys_[i] = known_.key(columns_, begin + i);
        known_.fetch(keys_[i]);
    }
    types_.resize(size + WordTypes::reserved);
    types_[0] = WordTypes::none;
    types_[1] = WordTypes::root;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t found = known_.find(keys_[i]);
        types_[i + WordTypes::reserved] = found != WordTypes::absent ? found : add(keys_[i], begin + i);
        if (found != WordTypes::absent) prefetch(&known_.tags(found));
    }
    codes_.resize(types_.size());
    tags_.resize(types_.size());
    for (std::size_t i = 0; i < types_.size(); ++i) {
        const std::uint32_t type = types_[i];
        if (type < known_.size()) [[likely]] {
            codes_[i] = known_.codes(type);
            tags_[i] = known_.tags(type);
        } else {
            codes_[i] = new_codes_.data() + (type - known_.size()) * known_.coded();
            tags_[i] = known_.tags_of(atoms(type), codes_[i]);
        }
        prefetch(codes_[i]);
    }
}

std::uint32_t SentenceTypes::add(std::uint64_t key, std::size_t word) {
    if (2 * (new_keys_.size() + 1) > slots_.size()) grow();
    std::size_t at = key & (slots_.size() - 1);
    for (; slots_[at] != WordTypes::absent; at = (at + 1) & (slots_.size() - 1))
        if (new_keys_[slots_[at]] == key) return known_.size() + slots_[at];
    const auto number = static_cast<std::uint32_t>(new_keys_.size());
    slots_[at] = number;
    new_keys_.push_back(key);
    // What the model reads of its form is in the lexicon, or computed.
    const std::string_view form = columns_.view(corpus::Field::form, word);
    const std::uint32_t found = lexicon_.find(form);
    if (found == features::Lexicon::absent) lexicon_.compute(form, word_, lexicon_row_.data());
    const std::uint32_t* row = found == features::Lexicon::absent ? lexicon_row_.data() : lexicon_.row(found);
    for (const features::AtomColumn& column : list_.list())
        new_atoms_.push_back(column.kind == features::AtomColumn::word
                                 ? row[column.number]
                                 : features::document_atom(column, columns_, word));
    known_.append_codes(new_atoms_.data() + number * known_.columns(), new_codes_);
    return known_.size() + number;
}

void SentenceTypes::grow() {
    slots_.assign(2 * slots_.size(), WordTypes::absent);
    for (std::uint32_t number = 0; number < new_keys_.size(); ++number) {
        std::size_t at = new_keys_[number] & (slots_.size() - 1);
        while (slots_[at] != WordTypes::absent) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = number;
    }
}

CountedTypes count_types(const features::AtomColumns& list, std::uint16_t pos, const features::Lexicon& lexicon,
                         const corpus::Columns& columns, std::span<const std::uint32_t> sentences,
                         std::uint32_t minimum) {
    const WordTypes nothing_known(list, {pos, pos}, {}, {});
    SentenceTypes types(nothing_known, list, lexicon, columns);
    std::vector<std::uint32_t> counts;
    std::vector<std::uint64_t> keys;
    for (const std::uint32_t sentence : sentences) {
        types.enter(sentence);
        for (std::size_t i = 0; i < types.words(); ++i) {
            const std::size_t type = types[static_cast<Node>(i) + 1] - WordTypes::reserved;
            if (type >= counts.size()) {
                counts.resize(type + 1);
                keys.resize(type + 1);
            }
            ++counts[type];
            keys[type] = nothing_known.key(columns, columns.sentences[sentence] + i);
        }
    }
    CountedTypes result;
    for (std::size_t type = 0; type < counts.size(); ++type) {
        if (counts[type] < minimum) continue;
        const Atom* atoms = types.atoms(static_cast<std::uint32_t>(type) + WordTypes::reserved);
        result.keys.push_back(keys[type]);
        result.atoms.insert(result.atoms.end(), atoms, atoms + list.list().size());
    }
    return result;
}

}  // namespace laconic::label
