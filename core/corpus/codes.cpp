#include "corpus/codes.hpp"

#include <stdexcept>
#include <string>

#include "base/hash.hpp"
#include "base/seed.hpp"

namespace laconic::corpus {

namespace {

// Open addressing over codes; the strings stay where they are.
class Index {
public:
    explicit Index(const Columns& columns) : columns_(columns), slots_(1024, empty) {}

    std::int32_t code(Span span, std::vector<Span>& values) {
        if (2 * (values.size() + 1) > slots_.size()) grow(values);
        const std::string_view text = columns_.view(span);
        const std::uint64_t hash = hash_bytes(text, seed_);
        for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
            if (slots_[i] == empty) {
                slots_[i] = static_cast<std::int32_t>(values.size());
                values.push_back(span);
                hashes_.push_back(hash);
                return slots_[i];
            }
            const auto found = static_cast<std::size_t>(slots_[i]);
            if (hashes_[found] == hash && columns_.view(values[found]) == text) return slots_[i];
        }
    }

private:
    static constexpr std::int32_t empty = -1;

    void grow(const std::vector<Span>& values) {
        slots_.assign(slots_.size() * 2, empty);
        for (std::size_t v = 0; v < values.size(); ++v) {
            std::size_t i = hashes_[v] & (slots_.size() - 1);
            while (slots_[i] != empty) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = static_cast<std::int32_t>(v);
        }
    }

    const Columns& columns_;
    std::uint64_t seed_ = process_seed();
    std::vector<std::int32_t> slots_;
    std::vector<std::uint64_t> hashes_;  // of the values
};

}  // namespace

Codes factorise(const Columns& columns, Field field) {
    Codes result;
    result.codes.reserve(columns.words());
    Index index(columns);
    for (const Span span : columns[field]) result.codes.push_back(index.code(span, result.values));
    return result;
}

void set_codes(Columns& columns, Field field, std::span<const std::int32_t> codes, std::span<const Span> values) {
    if (codes.size() != columns.words())
        throw std::invalid_argument("found " + std::to_string(codes.size()) + " codes: expected one for each of the " +
                                    std::to_string(columns.words()) + " words");
    for (const std::int32_t code : codes)
        if (code < 0 || static_cast<std::size_t>(code) >= values.size())
            throw std::invalid_argument("code " + std::to_string(code) + " is out of range: there are " +
                                        std::to_string(values.size()) + " values");
    std::vector<Span>& column = columns[field];
    for (std::size_t i = 0; i < codes.size(); ++i) column[i] = values[static_cast<std::size_t>(codes[i])];
}

}  // namespace laconic::corpus
