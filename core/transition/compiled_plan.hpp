#pragma once
// A plan laid out so that the rows of a decision are found by index and not by hash. What a template reads comes as
// small numbers (features/value_numbers.hpp), so a template is a place in an array of row numbers; a template about the
// form of one word is a place beside the word's type. Templates that cannot be laid out so, because they read sets,
// join words, or would need too large an array, are left to the interpreter of plans, which is also asked for every
// place that is seen for the first time: what is found is what it would have found.

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
    // A number: a field of the record of a node. The node behind the last address stands for the state itself.
    struct Source {
        std::uint16_t node, field;
    };
    // One template of `Sources` numbers.
    template <std::size_t Sources>
    struct LookUp {
        std::array<Source, Sources> sources;
        std::array<std::uint32_t, Sources> strides;
        std::uint32_t begin;  // where the places of the template begin
        std::uint16_t template_index;
    };
    // Templates about the form of one word: the first has its place at `place`. If it has no row, or stands for itself
    // alone, the `more` templates behind it have theirs from `more_places` on.
    struct WordLookUp {
        std::uint16_t node, place, more_places, more, template_index;
    };

    static constexpr std::size_t most_sources = 4;
    static constexpr std::size_t most_places = std::size_t{1} << 18;         // of one template
    static constexpr std::size_t most_places_of_all = std::size_t{1} << 24;  // of the plan

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
        std::uint16_t node, field;
    };
    struct StateNumber {
        Reader::Source source;
        std::uint16_t field;
    };

    // What the templates of each range read that those before them did not.
    ByTemplate<Place> stack, queue;
    ByTemplate<FoundNode> steps;  // of all others, each behind those that it starts from
    ByTemplate<Dep> deps;
    ByTemplate<StateNumber> state;
    std::size_t state_numbers = 0;
    ByTemplate<LookUp<1>> ones;
    ByTemplate<LookUp<2>> twos;
    ByTemplate<LookUp<3>> threes;
    ByTemplate<LookUp<4>> fours;
    ByTemplate<WordLookUp> words;
    ByTemplate<std::uint16_t> others;                        // templates that are left to the interpreter
    std::vector<std::uint16_t> attributes;                   // of the word, which a template about a form reads
    std::size_t word_places = 0;                             // of one type
    std::shared_ptr<const learn::RememberedRows> rows;       // of all templates but those of words
    std::shared_ptr<const learn::RememberedRows> word_rows;  // of the types of the lexicon

    [[nodiscard]] std::size_t most_rows() const noexcept { return ones.begins.size() - 1; }
};

// Compiles one plan, and again when a document brings more values than there was room for. Any number of threads.
class PlanCompiler {
public:
    // `merged`: how many templates a row of each one stands for. `lexicon` and `relations`: how many forms and labels
    // of arcs there are. Plan and reader must outlive this.
    PlanCompiler(const features::Plan& plan, const Reader& reader, const features::AtomColumns& columns,
                 std::vector<std::uint32_t> merged, std::size_t lexicon, std::size_t relations);

    // The plan for columns of these capacities, one for each that is not of a word's form. The last one is kept.
    [[nodiscard]] std::shared_ptr<const CompiledPlan> compiled(std::span<const std::uint32_t> capacities);

private:
    [[nodiscard]] CompiledPlan compile() const;
    // Are templates [first, last) all about the form of one word?
    [[nodiscard]] bool about_one_form(std::size_t first, std::size_t last) const;
    [[nodiscard]] std::uint32_t capacity(const Reader::Source& source) const;

    const features::Plan& plan_;
    const Reader& reader_;
    std::vector<std::uint32_t> merged_;
    std::size_t lexicon_, relations_;
    std::vector<std::int32_t> fields_;  // of each column: its field in the record of a word; -1: of the word's form
    std::vector<std::uint16_t> attributes_;  // of each column: the attribute of a word's form
    std::mutex mutex_;
    std::vector<std::uint32_t> capacities_;
    std::shared_ptr<const CompiledPlan> last_;
};

// The columns of a layout that are not of a word's form, in their order.
[[nodiscard]] std::vector<features::AtomColumn> document_columns(const features::AtomColumns& columns);

}  // namespace laconic::transition
