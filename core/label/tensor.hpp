#pragma once
// The labels of a whole tree by low-rank factors (shen2016): a prior by the tags of head and modifier, then what arcs
// of the same kind were called, then products of head, modifier and label (first order), then products that know the
// arc above, too (second order), over which the best labels of the tree are found exactly. A label that trails is
// dropped at each stage, and an arc with one label left is decided: it never reaches the next stage.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "corpus/columns.hpp"
#include "features/lexicon.hpp"
#include "label/arc_counts.hpp"
#include "label/context.hpp"
#include "label/label_candidates.hpp"
#include "label/projection.hpp"
#include "label/template_groups.hpp"
#include "label/word_types.hpp"
#include "learn/factors.hpp"
#include "learn/table.hpp"

namespace laconic::label {

// The roles of words in products, which are the roles of a FactorTable. A table of two roles has no second order.
enum Role : std::uint8_t { modifier, head, second_modifier, second_head, grandparent };
inline constexpr std::size_t first_order_roles = 2, all_roles = 5;

// Label vectors differ by the direction of the arc or, if lengths count, by direction and length.
inline constexpr std::uint32_t direction_buckets = 2, length_buckets = 14;
[[nodiscard]] std::uint32_t bucket_of(Node head, Node modifier, std::uint32_t buckets) noexcept;

// The entries of label candidates by the codes of the tags of two words, where these have some.
class CodedPairs {
public:
    CodedPairs(const LabelCandidates& candidates, const WordTypes& types);

    // The entry of two words of a sentence; `head` is none for the root.
    [[nodiscard]] std::uint32_t entry(const SentenceTypes& words, Node head, Node modifier, bool right) const noexcept {
        const WordTags &above = words.tags(head), &below = words.tags(modifier);
        if (codes_ > 0 && above.code != 0 && below.code != 0) [[likely]]
            return entries_[(above.code * codes_ + below.code) * 2 + (right ? 1 : 0)];
        return candidates_.entry(above.pos, below.pos, right);
    }

private:
    const LabelCandidates& candidates_;
    std::size_t codes_ = 0;
    std::vector<std::uint32_t> entries_;
};

// The parts of a labeler, and what follows from them. Const after construction: threads share it.
class TensorModel {
public:
    // Everything that a model file has.
    struct Parts {
        const features::Plan& plan;  // of the kind `node`
        const features::Lexicon& lexicon;
        const LabelCandidates& candidates;  // with priors
        const learn::FactorTable& table;
        corpus::Field pos;
        // The types of words that are folded, and their atoms.
        std::vector<std::uint64_t> type_keys;
        std::vector<Atom> type_atoms;
        // What kinds of arcs are called, as in ArcCounts; `all_tags` as in tag_columns().
        std::vector<std::uint64_t> count_keys;
        std::vector<std::uint32_t> count_answers;
        bool all_tags = false;
        // Of second-order products, per bucket and label: vectors of the label of the arc above, and of the arc itself.
        std::vector<float> upper, lower;
        // Linear rows beside the factors, of templates of the kind `edge`; null: none. They are added to the scores of
        // the first order by all templates.
        struct Sparse {
            const features::Plan* plan = nullptr;
            const features::Lexicon* lexicon = nullptr;
            const learn::Table* table = nullptr;
        } sparse{};
    };

    // The plan and what the references lead to must outlive it. Throws ModelError unless the parts fit together.
    explicit TensorModel(Parts given);
    TensorModel(const TensorModel&) = delete;
    TensorModel& operator=(const TensorModel&) = delete;

    [[nodiscard]] bool second_order() const noexcept { return parts.table.roles() == all_roles; }
    [[nodiscard]] std::uint32_t buckets() const noexcept { return parts.table.frame().buckets; }

    const Parts parts;
    const EdgeReader reader;
    const TemplateGroups groups;
    const WordTypes types;
    const FoldedRows folded;
    const CodedPairs pairs;
    const ArcCounts counts;

private:
    void check() const;
};

// What decided an arc.
enum Stage : std::uint8_t { one_candidate, by_prior, by_counts, by_first_order, by_second_order };
inline constexpr std::size_t stages = 5;
// Those that can drop labels before the last one, from by_prior on.
inline constexpr std::size_t dropping_stages = 3;

// A label is dropped where it trails the best of its arc by so much after a stage; by counts, where the label of the
// kind of the arc leads all others by so much; infinite: never.
struct Thresholds {
    float prior = std::numeric_limits<float>::infinity();
    float counts = std::numeric_limits<float>::infinity();
    float first = std::numeric_limits<float>::infinity();
};

struct TensorWork {
    std::uint64_t templates = 0;  // computed, of all words that needed a vector
    std::uint64_t rows = 0;       // cache lines of weights
    std::uint64_t scores = 0;     // of labels, first order
    std::uint64_t pairs = 0;      // of labels, second order
};

struct TensorLabelled {
    std::vector<Label> labels;
    std::vector<std::uint8_t> stages;
    std::vector<float> confidences;  // if asked for
    TensorWork work;
};

// What calibration reads of each word, after the full model has labelled it: by how much its label trails the best one
// after each stage that can drop labels (0: it is the best), and by how much the best one leads there; infinite where
// there is no choice.
struct TensorProbe {
    std::array<std::vector<float>, dropping_stages> gaps, leads;
};

// Labels every arc of the given sentences; of all others the labels are 0. `temperatures`, of each stage from
// one_candidate on: the first is the confidence in a label that is the only candidate, the others make scores into
// probabilities; empty: no confidences. Confidence by the second order is the exact probability of the label in the
// tree. Throws InputError, with the number of the sentence, where heads are absent or no tree.
// Cost: linear in the words, quadratic in the labels that are left to an arc.
TensorLabelled label(const TensorModel& model, const corpus::Columns& columns, Thresholds thresholds,
                     std::span<const float> temperatures, std::span<const std::uint32_t> sentences,
                     TensorProbe* probe = nullptr);

// One arc, stage by stage, for explanations.
struct TensorTrace {
    std::uint32_t word;  // of the document
    Stage stage;
    Label label;
    std::vector<Label> candidates;
    // Of the candidates after each stage that was reached: scores, and for the last stage probabilities in the tree.
    // Those that were dropped before have minus infinity, and 0.
    std::vector<float> prior, first, last;
    // What the kind of the arc tells: a label and by how much it leads, 0 where nothing is known of the kind.
    Label counted;
    float lead;
};
std::vector<TensorTrace> trace(const TensorModel& model, const corpus::Columns& columns, Thresholds thresholds,
                               std::span<const std::uint32_t> sentences);

}  // namespace laconic::label
