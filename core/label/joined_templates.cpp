#include "label/joined_templates.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "learn/key.hpp"

namespace laconic::label {

namespace {

constexpr std::size_t most_rows_of_one = std::size_t{1} << 16;

template <class T>
std::uint16_t place_in(std::vector<T>& list, const T& wanted) {
    const auto at = std::ranges::find(list, wanted) - list.begin();
    if (static_cast<std::size_t>(at) == list.size()) list.push_back(wanted);
    return static_cast<std::uint16_t>(at);
}

}  // namespace

JoinedTemplates::JoinedTemplates(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                                 const WordTypes& types, std::span<const TemplateGroups::Group> kept,
                                 std::span<const std::uint16_t> templates, std::size_t most_rows) {
    std::uint32_t first = 0;
    for (const TemplateGroups::Group& group : kept) {
        const auto size = static_cast<std::uint32_t>(group.templates.size());
        kept_.push_back({place_in(addresses_, reader.addresses()[group.address]), group.children, first, size});
        first += size;
        single_rows_ += group.children ? 0 : size;
        sets_ = sets_ || group.children;
    }
    for (const std::uint16_t j : templates) {
        const std::span<const std::uint16_t> slots = plan[j];
        const auto is_set = [&](std::uint16_t slot) { return plan.slots()[slot].many; };
        // What the tree tells of a set of words is read elsewhere.
        const bool tree_set = std::ranges::any_of(
            slots, [&](std::uint16_t slot) { return is_set(slot) && reader.sources()[slot].kind != EdgeReader::word; });
        if (slots.size() > most_slots || std::ranges::count_if(slots, is_set) > 1 || tree_set) {
            rest_.push_back(j);
            continue;
        }
        Template one;
        one.number = j;
        for (const std::uint16_t slot : slots) {
            const EdgeReader::Source& source = reader.sources()[slot];
            const bool word = source.kind == EdgeReader::word;
            const Value value{source.kind, place_in(addresses_, reader.addresses()[source.address]),
                              word ? source.column : std::uint16_t{0},
                              word ? types.code_column(source.column) : WordTypes::uncoded};
            if (is_set(slot)) one.set = one.size;
            one.slots[one.size++] = {place_in(values_, value)};
        }
        for (std::size_t k = one.size; k < most_slots; ++k) one.slots[k] = one.slots[0];
        fill(one, plan, table, types, most_rows);
        single_rows_ += one.set == most_slots ? 1 : 0;
        sets_ = sets_ || one.set != most_slots;
        templates_.push_back(one);
    }
}

// The values of a slot by their codes; empty where it has none.
std::vector<Atom> JoinedTemplates::atoms_of(const Value& value, const WordTypes& types) const {
    std::vector<Atom> atoms;
    if (value.kind != EdgeReader::word)
        for (Atom atom = 0; atom < tree_codes; ++atom) atoms.push_back(atom);
    else if (value.code_column != WordTypes::uncoded)
        atoms = types.values(value.code_column);
    return atoms;
}

// The table of a template, unless it would be too large.
void JoinedTemplates::fill(Template& one, const features::Plan& plan, const learn::FactorTable& table,
                           const WordTypes& types, std::size_t most_rows) {
    std::vector<std::vector<Atom>> atoms;
    std::size_t size = 1;
    for (std::size_t k = 0; k < one.size; ++k) {
        atoms.push_back(atoms_of(values_[one.slots[k].value], types));
        one.slots[k].stride = static_cast<std::uint32_t>(size);
        size *= atoms.back().size();
        if (size == 0 || size > most_rows_of_one) break;
    }
    if (size == 0 || size > most_rows_of_one || rows_.size() + size > most_rows) return;
    one.coded = true;
    one.begin = static_cast<std::uint32_t>(rows_.size());
    if (one.set != most_slots) std::swap(one.set_stride, one.slots[one.set].stride);
    for (std::size_t index = 0; index < size; ++index) {
        std::uint64_t key = plan.seed(one.number);
        bool coded = true, known = true;
        std::size_t rest = index;
        for (const std::vector<Atom>& some : atoms) {
            const std::size_t code = rest % some.size();
            rest /= some.size();
            coded = coded && code > 0;
            known = known && some[code] != features::unknown;
            key = mix(key, some[code]);
        }
        rows_.push_back(!coded ? unknown_row : known ? table.find(one.number, learn::finish(key)) : table.zero_row());
    }
}

}  // namespace laconic::label
