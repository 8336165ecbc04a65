#pragma once
// From a script per word to the column of lemmas.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/columns.hpp"
#include "features/forms.hpp"
#include "learn/labels.hpp"
#include "tag/script.hpp"

namespace laconic::tag {

using learn::Label;

// A user's word on a lemma. Empty tags fit every word.
struct Entry {
    static constexpr std::array<corpus::Field, 3> fields{corpus::Field::upos, corpus::Field::xpos,
                                                         corpus::Field::feats};
    std::string form;
    std::array<std::string, 3> tags;  // of `fields`
    std::string lemma;
};

// Entries by form; of several that fit, the first is meant.
class Entries {
public:
    Entries() = default;
    explicit Entries(std::vector<Entry> entries);

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    // The lemma of a word; nullptr if nothing is said of it.
    [[nodiscard]] const std::string* find(const corpus::Columns& columns, std::size_t word) const noexcept;

private:
    std::vector<Entry> entries_;  // those of a form together, in the order given
    features::Forms forms_;
    std::vector<std::uint32_t> begins_;
};

// Makes the lemma of every word. Throws InputError where the buffer of the document would outgrow its limit. Cost:
// linear in the bytes of the forms.
void write_lemmas(corpus::Columns& columns, std::span<const Script> scripts, const Entries& entries,
                  std::span<const Label> labels);

}  // namespace laconic::tag
