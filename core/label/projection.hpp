#pragma once
// Vectors of the words of a sentence in their roles.
//
// Most templates look at one word only: the word itself, a neighbour, a child. What those add depends on that word's
// type alone, so it is summed once per type: for those of the model when it is loaded, for others when they are met.
// Sums of rows are exact while none saturates (at least 258 rows of the largest numbers), so it does not matter in
// which order or how often they are computed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "features/plan.hpp"
#include "label/joined_templates.hpp"
#include "label/row_reader.hpp"
#include "label/template_groups.hpp"
#include "label/word_types.hpp"
#include "learn/factors.hpp"

namespace laconic::label {

// What types of words add to vectors. All that it is made of must outlive it.
class FoldedRows {
public:
    FoldedRows(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
               const TemplateGroups& groups, const WordTypes& types);

    // The folded groups, and behind them one for words without children: the templates of the first group and those
    // that look at children.
    [[nodiscard]] std::size_t groups_count() const noexcept { return leaf_group() + 1; }
    [[nodiscard]] std::size_t leaf_group() const noexcept { return groups_.folded().size(); }
    // The sums of a group for a type of the model, in all roles.
    [[nodiscard]] const std::int16_t* sums(std::size_t group, std::uint32_t type) const noexcept {
        return reinterpret_cast<const std::int16_t*>(sums_.data()) + (type * groups_count() + group) * width_;
    }
    // The rows of the templates of small groups for a type of the model.
    [[nodiscard]] const std::uint32_t* small_rows(std::uint32_t type) const noexcept {
        return small_rows_.data() + type * groups_.small_templates();
    }

    // Templates that look at several words or at the tree, and those of small groups; of words that have children there
    // are more.
    [[nodiscard]] const JoinedTemplates& of_all() const noexcept { return of_all_; }
    [[nodiscard]] const JoinedTemplates& of_parents() const noexcept { return of_parents_; }

    [[nodiscard]] const TemplateGroups& groups() const noexcept { return groups_; }
    // Numbers of all roles, and where those of a role begin.
    [[nodiscard]] std::size_t width() const noexcept { return width_; }
    [[nodiscard]] std::size_t begin_of(std::size_t role) const noexcept { return begins_[role]; }

    // The rows of a group for a type, by its atoms, added to sums of all roles; returns how many there are.
    std::size_t add(std::size_t group, const Atom* atoms, learn::FactorRows& found, std::int16_t* sums) const;
    // Writes the rows of the templates of small groups.
    void find_small(const Atom* atoms, std::uint32_t* rows) const;

private:
    // False where an atom is unknown. Every word but the one in focus is taken for absent if `leaf`.
    [[nodiscard]] bool key_of(std::size_t j, const Atom* atoms, bool leaf, std::uint64_t& key) const noexcept;

    const features::Plan& plan_;
    const learn::FactorTable& table_;
    const EdgeReader& reader_;
    const TemplateGroups& groups_;
    JoinedTemplates of_all_, of_parents_;
    std::vector<std::size_t> begins_;
    std::size_t width_ = 0;
    AlignedBytes sums_;
    std::vector<std::uint32_t> small_rows_;
};

// Work on one document, sentence by sentence. Vectors that are needed are asked for first and then computed together,
// so that the latencies of memory overlap. Memory is reused.
class Projections {
public:
    // All must outlive this.
    Projections(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                const FoldedRows& folded, const WordTypes& types, const SentenceTypes& words, const corpus::Tree& tree);

    // The nodes of the sentence that words and tree have entered.
    void enter();
    // A vector is needed.
    void need(std::size_t role, Node node) {
        Need& need = needs_[static_cast<std::size_t>(node)];
        const auto bit = static_cast<std::uint8_t>(1U << role);
        if ((need.made & bit) != 0) return;
        if (need.wanted == 0) waiting_.push_back(node);
        need.wanted |= bit;
    }
    // Computes all that are needed.
    void compute();
    // The vector of a node in a role, once it is computed.
    [[nodiscard]] const float* of(std::size_t role, Node node) const noexcept {
        return vectors_.data() + static_cast<std::size_t>(node) * folded_.width() + folded_.begin_of(role);
    }

    std::uint64_t templates = 0;  // computed: once per node, whatever the roles
    std::uint64_t rows = 0;       // cache lines of weights, and of sums kept for a type

private:
    struct Need {
        std::uint8_t wanted = 0, made = 0;  // bits of roles
        bool read = false;
        RowReader::Run rows, more_rows, sums;
    };

    // What has to be added for all that wait.
    void read();
    void read_sums(Need& need, Node node);
    void fetch(const Need& need) const noexcept;
    // The vectors of a node in roles [first, last), which lie side by side.
    void sum(const Need& need, Node node, std::size_t first, std::size_t last);
    // The sums of a folded group for a type, in all roles.
    const std::int16_t* sums_of(std::size_t group, std::uint32_t type) {
        return type < types_.size() ? folded_.sums(group, type) : new_sums_of(group, type);
    }
    const std::int16_t* new_sums_of(std::size_t group, std::uint32_t type);
    [[nodiscard]] const std::uint32_t* small_rows_of(std::uint32_t type) const noexcept {
        return type < types_.size() ? folded_.small_rows(type)
                                    : new_small_rows_.data() + (type - types_.size()) * groups_.small_templates();
    }

    const features::Plan& plan_;
    const learn::FactorTable& table_;
    const FoldedRows& folded_;
    const TemplateGroups& groups_;
    const WordTypes& types_;
    const SentenceTypes& words_;
    const corpus::Tree& tree_;
    // Where a folded group finds its word, or the children of which word.
    struct Place {
        features::Slot address;
        bool children = false, own = false;  // own: children of the word in focus
    };
    std::vector<Place> places_;
    RowReader reading_;
    learn::FactorRows found_;
    // Of types that the model does not know: sums of all groups and roles, in blocks that do not move; which groups
    // were computed; small rows.
    static constexpr std::size_t types_a_block = 64;
    std::vector<AlignedBytes> new_sums_;
    std::vector<std::uint8_t> new_made_;
    std::vector<std::uint32_t> new_small_rows_;
    // Of the sentence.
    std::vector<Need> needs_;
    std::vector<Node> waiting_;
    std::vector<float> vectors_;  // of each node
    std::vector<const std::uint32_t*> kept_rows_;
    std::vector<const std::int16_t*> sum_pointers_;
    std::vector<Node> unread_, parents_;  // of those that wait
    std::vector<RowReader::Run> runs_;
    std::vector<std::int16_t> sums_;
    std::vector<const std::int16_t*> of_role_;
};

}  // namespace laconic::label
