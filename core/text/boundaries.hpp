#pragma once
// Where tokens and sentences end: one decision behind each character that needs one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/plan.hpp"
#include "learn/decide.hpp"
#include "learn/examples.hpp"
#include "learn/outcomes.hpp"
#include "text/characters.hpp"
#include "text/context.hpp"
#include "text/words.hpp"

namespace laconic::text {

inline constexpr std::uint8_t no_label = 255;  // training does not know

// What is learned beside the weights.
struct BoundaryTables {
    std::vector<std::uint8_t> masks;    // per boundary kind: bit y is set if label y is likely there
    std::array<Gap, gap_count> gaps{};  // see CharContext
    CasingStatistics casing;

    BoundaryTables(std::vector<std::uint8_t> masks, const std::array<std::uint8_t, gap_count>& gaps,
                   CasingStatistics casing);
};

// The labels of a mask of 1 to 7, ascending.
[[nodiscard]] std::span<const learn::Label> labels_of(std::uint8_t mask) noexcept;

// Gold labels, one per character: the last of a token or of a sentence, others inside. White space and sentences whose
// words are not found in the text have no_label. `sentences` gets the number of the sentence that each belongs to.
struct Gold {
    std::vector<std::uint8_t> labels;
    std::vector<std::uint32_t> sentences;
};
[[nodiscard]] Gold gold_labels(const Characters& characters, const corpus::Columns& columns);

// How often each label stood at each kind of boundary (boundary_kinds x label_count), over the chosen sentences.
[[nodiscard]] std::vector<std::uint32_t> count_boundaries(const Characters& characters, const Gold& gold,
                                                          std::span<const std::uint8_t> chosen);

// How the words of the chosen sentences are written, apart from the first of each; those seen at least `minimum` times.
[[nodiscard]] CasingStatistics casing_statistics(const Characters& characters, const Gold& gold,
                                                 std::span<const std::uint8_t> chosen, std::uint32_t minimum);

// One example per decision of the chosen sentences, gold labels as history. Where one label is likely and right there
// is nothing to decide.
void collect(learn::Examples& examples, const features::Plan& plan, const BoundaryTables& tables,
             const Characters& characters, const Gold& gold, std::span<const std::uint8_t> chosen);

// Leads and labels of the same decisions after each of `depths` templates.
template <learn::Scorer T>
[[nodiscard]] learn::Prefixes prefixes(const features::Plan& plan, const BoundaryTables& tables, const T& table,
                                       const Characters& characters, const Gold& gold,
                                       std::span<const std::uint8_t> chosen, std::span<const std::uint32_t> depths);

// What the user knows of a character: nothing, that a token goes on, ends, or a sentence ends behind it, or that one of
// the last two holds.
enum class Known : std::uint8_t { nothing, inside, token, sentence, end };

struct SegmentWork {
    std::uint64_t decisions = 0;  // boundaries with a choice
    std::uint64_t templates = 0;
    std::uint64_t rows = 0;  // cache lines of weights read
};

// What the end of a line says of sentences: what training showed, no more than a space, or that one ends there.
enum class LineEnds : std::uint8_t { soft, keep, hard };

struct Options {
    bool lines = false;  // sentences end where lines end, and nowhere else
    LineEnds line_ends = LineEnds::soft;
    bool last = true;              // the text ends here; else sentences too near to its end are left for later
    std::size_t longest = 10'000;  // tokens: a sentence ends there at the latest
};

struct Segmented {
    std::vector<std::uint8_t> labels;  // one per character, white space: inside
    std::size_t end = 0;               // labels from here on were left for later
    SegmentWork work;
};
// From the character at `begin` on. `known` is empty or has one entry per character. Linear.
template <learn::Scorer T>
[[nodiscard]] Segmented segment(const features::Plan& plan, const BoundaryTables& tables, const T& table,
                                const Characters& characters, std::size_t begin, std::span<const Known> known,
                                std::span<const learn::Exit> exits, const Options& options);

}  // namespace laconic::text
