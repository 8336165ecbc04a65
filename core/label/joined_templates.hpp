#pragma once
// Templates that look at words beside the one in focus, or join several words or what the tree tells: compiled so that
// their rows can be found for many words at once. Where all values of a template are tags or the like, of which a model
// knows few, the rows of all combinations lie in a table, made when the model is loaded, and nothing is searched.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/plan.hpp"
#include "label/context.hpp"
#include "label/template_groups.hpp"
#include "label/word_types.hpp"
#include "learn/factors.hpp"

namespace laconic::label {

class JoinedTemplates {
public:
    static constexpr std::size_t most_slots = 3;
    // A row that a table does not know, since a value has no code: it has to be searched.
    static constexpr std::uint32_t unknown_row = learn::RowIndex::absent;

    // Something that is read of every word in focus: of a word at an address, or of the tree there.
    struct Value {
        EdgeReader::Kind kind = EdgeReader::word;
        std::uint16_t place = 0;  // of the address in addresses()
        std::uint16_t column = 0;
        std::uint16_t code_column = WordTypes::uncoded;

        bool operator==(const Value&) const = default;
    };
    struct Slot {
        std::uint16_t value = 0;   // number in values()
        std::uint32_t stride = 0;  // of its code in the table; 0 for a set
    };
    struct Template {
        std::uint16_t number = 0;  // in the plan
        std::uint16_t size = 0;    // slots that are needed
        bool coded = false;
        // Those that are not needed repeat the first one, with the stride 0.
        std::array<Slot, most_slots> slots{};
        std::uint16_t set = most_slots;  // which slot stands for a set, if any
        std::uint32_t set_stride = 0;    // of the code of a member
        std::uint32_t begin = 0;         // of its table
    };
    // Templates about one word, whose rows types keep: places `first` to `first + size` among those rows.
    struct Kept {
        std::uint16_t place = 0;
        bool children = false;
        std::uint32_t first = 0, size = 0;
    };

    // `kept` are groups whose rows types keep; the tables of all have at most `most_rows` rows.
    JoinedTemplates(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                    const WordTypes& types, std::span<const TemplateGroups::Group> kept,
                    std::span<const std::uint16_t> templates, std::size_t most_rows);

    [[nodiscard]] const std::vector<features::Slot>& addresses() const noexcept { return addresses_; }
    [[nodiscard]] const std::vector<Value>& values() const noexcept { return values_; }
    [[nodiscard]] const std::vector<Kept>& kept() const noexcept { return kept_; }
    // Of at most three slots, one of which may stand for a set of words.
    [[nodiscard]] const std::vector<Template>& templates() const noexcept { return templates_; }
    // All others.
    [[nodiscard]] const std::vector<std::uint16_t>& rest() const noexcept { return rest_; }
    // Rows that every word has, besides those of sets and of the rest.
    [[nodiscard]] std::size_t single_rows() const noexcept { return single_rows_; }
    // Are there no others?
    [[nodiscard]] bool only_single() const noexcept { return !sets_ && rest_.empty(); }
    [[nodiscard]] const std::uint32_t* rows() const noexcept { return rows_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

private:
    [[nodiscard]] std::vector<Atom> atoms_of(const Value& value, const WordTypes& types) const;
    void fill(Template& one, const features::Plan& plan, const learn::FactorTable& table, const WordTypes& types,
              std::size_t most_rows);

    std::vector<features::Slot> addresses_;
    std::vector<Value> values_;
    std::vector<Kept> kept_;
    std::vector<Template> templates_;
    std::vector<std::uint16_t> rest_;
    std::size_t single_rows_ = 0;
    bool sets_ = false;
    std::vector<std::uint32_t> rows_;  // of all tables, or unknown_row
};

// What the tree tells are small numbers, which are their own codes.
inline constexpr std::size_t tree_codes = features::valency_atom(7) + 1;

}  // namespace laconic::label
