#pragma once
// A plan laid out so that the rows of a decision are found by index and not by hash. What a template reads comes as
// small numbers (features/value_numbers.hpp), so a template is a place in an array of row numbers; a template about the
// form of one word is a place beside the word's type. Templates that read nearly the same and that no exit divides are
// joined: they are one place in an array of sums of their rows. Templates that cannot be laid out so, because they read
// sets, join words, or would need too large an array, are left to the interpreter of plans, which is also asked for
// every place that is seen for the first time: what is found is what it would have found.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "features/plan.hpp"
#include "features/sentence_atoms.hpp"
#include "learn/remembered_rows.hpp"
#include "learn/remembered_sums.hpp"
#include "transition/context.hpp"

namespace laconic::transition {

// Items of templates in their order; those of templates [first, last) lie together.
template <class T>
struct ByTemplate {
    std::vector<T> items;
    std::vector<std::uint32_t> begins{0};  // of each template, and the end

    [[nodiscard]] std::span<const T> of(std::size_t first, std::size_t last) const noexcept {
        return {items.data() + begins[first], items.data() + begins[last]};
    }
    // All items so far belong to the first `templates` templates.
    void close(std::size_t templates) { begins.resize(templates + 1, static_cast<std::uint32_t>(items.size())); }
};

struct CompiledPlan {
    static constexpr std::size_t most_sources = 4;

    // Where a number lies among those of a decision: first the records of all addresses, one after another, then what
    // the state says.
    using Source = std::uint16_t;
    // One template, or a group of templates that these numbers decide. One loop over look-ups of the same size is
    // faster than several: those with fewer sources have strides of 0 before the others. The last stride is 1.
    template <std::size_t Sources>
    struct LookUp {
        std::array<std::uint32_t, Sources - 1> strides;
        std::uint32_t begin;   // where the places begin
        std::uint32_t number;  // of the template or of the group
        std::array<Source, Sources> sources;
    };
    struct LookUps {
        ByTemplate<LookUp<3>> few;
        ByTemplate<LookUp<4>> many;
    };
    // The places of one template, by any number of sources: those that it lacks have the stride 0.
    struct Places {
        std::array<Source, most_sources> sources{};
        std::array<std::uint32_t, most_sources> strides{};
        std::uint32_t begin = 0;
    };
    // Templates about the form of one word: the first has its place at `place`. If it has no row, or stands for itself
    // alone, the `more` templates behind it have theirs from `more_places` on.
    struct WordLookUp {
        std::uint16_t node, place, more_places, more, template_index;
    };

    static constexpr std::size_t most_places = std::size_t{1} << 18;         // of one template
    static constexpr std::size_t most_places_of_all = std::size_t{1} << 24;  // of the plan
    // Of templates that are joined: about the same words, and about any.
    static constexpr std::size_t most_joined_places = std::size_t{1} << 17;
    static constexpr std::size_t most_mixed_places = std::size_t{1} << 12;
    static constexpr std::size_t most_groups = 256;  // between two exits: more are not joined, which would take long

    // A node that is to be found: by its index on the stack or in the queue, or by its address.
    struct Place {
        std::uint16_t index, number;  // number of the address
    };
    struct FoundNode {
        Reader::Address address;
        std::uint16_t number;
    };
    // A number of the state that is to be read: the relation of a node, or something else.
    struct Dep {
        std::uint16_t node;
        Source to;
    };
    struct StateNumber {
        Reader::Source source;
        Source to;
    };

    // What the templates of each range read that those before them did not.
    ByTemplate<Place> stack, queue;
    ByTemplate<FoundNode> steps;  // of all others, each behind those that it starts from
    ByTemplate<Dep> deps;
    ByTemplate<StateNumber> state;
    std::size_t record = 0;                    // numbers of an address
    std::size_t state_begin = 0, numbers = 0;  // where those of the state begin, and all of them
    LookUps single, joined;                    // rows of templates, and sums of rows of groups
    std::vector<Places> places;                // of the templates of groups
    ByTemplate<std::uint16_t> groups;          // the templates of each, by its number
    ByTemplate<WordLookUp> words;
    ByTemplate<std::uint16_t> others;                        // templates that are left to the interpreter
    std::vector<std::uint16_t> attributes;                   // of the word, which a template about a form reads
    std::size_t word_places = 0;                             // of one type
    std::shared_ptr<const learn::RememberedRows> rows;       // of all templates but those of words
    std::shared_ptr<const learn::RememberedRows> word_rows;  // of the types of the lexicon
    std::shared_ptr<const learn::RememberedRows> sum_rows;   // of groups: numbers of sums
    std::shared_ptr<const learn::RememberedSums> sums;

    [[nodiscard]] std::size_t most_rows() const noexcept { return words.begins.size() - 1; }
};

// Compiles one plan, and again when a document brings more values than there was room for. Any number of threads.
class PlanCompiler {
public:
    // What a compiler must know of the table.
    struct TableFacts {
        std::vector<std::uint32_t> merged;  // how many templates a row of each one stands for
        std::vector<bool> divided;          // may a decision stop behind so many templates?
        std::size_t lanes = 0;
    };

    // `lexicon` and `relations`: how many forms and labels of arcs there are. Plan and reader must outlive this.
    PlanCompiler(const features::Plan& plan, const Reader& reader, const features::AtomColumns& columns,
                 TableFacts table, std::size_t lexicon, std::size_t relations);

    // The plan for columns of these capacities, one for each that is not of a word's form. The last one is kept.
    [[nodiscard]] std::shared_ptr<const CompiledPlan> compiled(std::span<const std::uint32_t> capacities);

private:
    // Templates that are looked up together, and the slots whose values decide all of theirs.
    struct Group {
        std::vector<std::uint16_t> templates, slots;
        std::size_t places = 1;
    };

    [[nodiscard]] CompiledPlan compile() const;
    // Are templates [first, last) all about the form of one word?
    [[nodiscard]] bool about_one_form(std::size_t first, std::size_t last) const;
    [[nodiscard]] bool can_be_laid_out(std::size_t index) const;
    [[nodiscard]] std::uint32_t capacity(std::uint16_t slot) const;
    // Does the value of a slot decide that of another?
    [[nodiscard]] bool decides(std::uint16_t slot, std::uint16_t other) const;
    [[nodiscard]] Group joined(const Group& one, const Group& other) const;
    // How many places two groups may have together.
    [[nodiscard]] std::size_t most_places(const Group& one, const Group& other) const;
    // Joins groups, the smallest first, until no two may be joined.
    [[nodiscard]] std::vector<Group> joined(std::vector<Group> groups) const;

    const features::Plan& plan_;
    const Reader& reader_;
    TableFacts table_;
    std::size_t lexicon_, relations_;
    std::size_t record_;                         // numbers of a word
    std::vector<features::AtomColumn> columns_;  // all of them
    std::vector<std::int32_t> fields_;  // of each column: its field in the record of a word; -1: of the word's form
    std::vector<std::uint16_t> attributes_;  // of each column: the attribute of a word's form
    std::mutex mutex_;
    std::vector<std::uint32_t> capacities_;
    std::shared_ptr<const CompiledPlan> last_;
};

// The columns of a layout that are not of a word's form, in their order.
[[nodiscard]] std::vector<features::AtomColumn> document_columns(const features::AtomColumns& columns);

}  // namespace laconic::transition
