#pragma once
// The words of a batch resolved to rows of atoms. Words outside the lexicon get rows in an overlay, one per word type,
// which lives as long as these rows; the lexicon itself never grows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"

namespace laconic::features {

class WordRows {
public:
    // `types` are forms that are pieces of `bytes`, which are not kept. The lexicon must outlive the rows. Each type is
    // looked up once.
    WordRows(const Lexicon& lexicon, std::string_view bytes, std::shared_ptr<const corpus::FormTypes> types);
    WordRows(const Lexicon& lexicon, const corpus::Columns& columns)
        : WordRows(lexicon, columns.bytes, columns.form_types()) {}

    [[nodiscard]] const Lexicon& lexicon() const noexcept { return *lexicon_; }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    // The hash of a word's form (hash_bytes).
    [[nodiscard]] std::uint64_t hash(std::size_t word) const noexcept {
        return types_->hashes()[types_->words()[word]];
    }
    // The number in ids() of each of the batch's types.
    [[nodiscard]] std::span<const std::uint32_t> type_ids() const noexcept { return type_ids_; }
    [[nodiscard]] bool known(std::size_t word) const noexcept { return ids_[word] < lexicon_->size(); }
    // Lexicon::stride() numbers: atoms in the order of the lexicon's attributes, then payloads.
    [[nodiscard]] const std::uint32_t* operator[](std::size_t word) const noexcept {
        const std::size_t id = ids_[word];
        const std::size_t known = lexicon_->size();
        return id < known ? lexicon_->prepared_row(id) : overlay_.data() + (id - known) * lexicon_->stride();
    }
    // Equal numbers are equal forms. Unknown words are numbered behind the lexicon, in the order of their first
    // appearance.
    [[nodiscard]] std::span<const std::uint32_t> ids() const noexcept { return ids_; }
    [[nodiscard]] std::size_t unknown_types() const noexcept { return unknown_types_; }

private:
    const Lexicon* lexicon_;
    std::shared_ptr<const corpus::FormTypes> types_;
    std::vector<std::uint32_t> type_ids_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint32_t> overlay_;
    std::size_t unknown_types_ = 0;
};

}  // namespace laconic::features
