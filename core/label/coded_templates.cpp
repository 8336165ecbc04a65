#include "label/coded_templates.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "learn/key.hpp"

namespace laconic::label {

namespace {

constexpr std::size_t most_rows_of_one = std::size_t{1} << 16;

// The values of a slot by their codes; empty where it has none.
std::vector<Atom> values_of(const EdgeReader::Source& source, const WordTypes& types) {
    std::vector<Atom> values;
    if (source.kind != EdgeReader::word)
        for (Atom value = 0; value < NodeContext::tree_values; ++value) values.push_back(value);
    else if (const std::uint16_t column = types.code_column(source.column); column != WordTypes::uncoded)
        values = types.values(column);
    return values;
}

}  // namespace

CodedTemplates::CodedTemplates(const features::Plan& plan, const learn::FactorTable& table, const EdgeReader& reader,
                               const WordTypes& types, std::vector<std::uint16_t>& templates, std::size_t most_rows) {
    std::vector<std::uint16_t> left;
    for (const std::uint16_t j : templates) {
        const std::span<const std::uint16_t> slots = plan[j];
        Template one;
        one.number = j;
        one.begin = static_cast<std::uint32_t>(rows_.size());
        std::vector<std::vector<Atom>> values;
        std::size_t size = 1, sets = 0;
        for (std::size_t k = 0; k < slots.size() && k < one.places.size(); ++k) {
            const EdgeReader::Source& source = reader.sources()[slots[k]];
            values.push_back(values_of(source, types));
            const auto stride = static_cast<std::uint32_t>(size);
            const bool word = source.kind == EdgeReader::word;
            if (plan.slots()[slots[k]].many) {
                sets += word ? 1 : 2;  // what the tree tells of children is not coded
                one.children = true;
                one.address = source.address;
                one.column = types.code_column(source.column);
                one.stride = stride;
            } else {
                one.places[k] = word ? NodeContext::Place{source.address, types.code_column(source.column)}
                                     : NodeContext::Place{static_cast<std::uint16_t>(reader.addresses().size()),
                                                          NodeContext::tree_column(reader, slots[k])};
                one.strides[k] = stride;
            }
            size *= values.back().size();
            if (size == 0 || size > most_rows_of_one) break;
        }
        const bool fits = size > 0 && size <= most_rows_of_one && rows_.size() + size <= most_rows;
        if (!fits || slots.size() > one.places.size() || sets > 1 || sets == slots.size()) {
            left.push_back(j);
            continue;
        }
        // Places that are not needed repeat one that is: a set is never alone here.
        const auto used = std::ranges::find_if(one.strides, [](std::uint32_t stride) { return stride > 0; });
        for (std::size_t k = 0; k < one.places.size(); ++k)
            if (one.strides[k] == 0) one.places[k] = one.places[static_cast<std::size_t>(used - one.strides.begin())];
        for (std::size_t index = 0; index < size; ++index) {
            std::uint64_t key = plan.seed(j);
            bool coded = true, known = true;
            std::size_t rest = index;
            for (const std::vector<Atom>& some : values) {
                const std::size_t code = rest % some.size();
                rest /= some.size();
                coded = coded && code > 0;
                known = known && some[code] != features::unknown;
                key = mix(key, some[code]);
            }
            rows_.push_back(!coded  ? unknown_row
                            : known ? table.index().find(j, learn::finish(key))
                                    : learn::RowIndex::absent);
        }
        list_.push_back(one);
    }
    templates = std::move(left);
}

}  // namespace laconic::label
