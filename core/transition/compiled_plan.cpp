#include "transition/compiled_plan.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "features/value_numbers.hpp"

namespace laconic::transition {

namespace {

using features::NumberedWords;
constexpr std::int32_t of_form = -1;

template <std::size_t Sources>
void add(ByTemplate<CompiledPlan::LookUp<Sources>>& all, std::size_t sources, const CompiledPlan::Places& places,
         std::size_t number) {
    CompiledPlan::LookUp<Sources> one{};
    const std::size_t first = Sources - sources;
    std::copy_n(places.sources.begin(), sources, one.sources.begin() + static_cast<std::ptrdiff_t>(first));
    std::copy_n(places.strides.begin(), sources - 1, one.strides.begin() + static_cast<std::ptrdiff_t>(first));
    one.begin = places.begin;
    one.number = static_cast<std::uint32_t>(number);
    all.items.push_back(one);
}

void add(CompiledPlan::LookUps& all, std::size_t sources, const CompiledPlan::Places& places, std::size_t number) {
    if (sources <= 3)
        add(all.few, sources, places, number);
    else
        add(all.many, sources, places, number);
}

}  // namespace

std::vector<features::AtomColumn> document_columns(const features::AtomColumns& columns) {
    std::vector<features::AtomColumn> found;
    std::ranges::copy_if(columns.list(), std::back_inserter(found),
                         [](const auto& column) { return column.kind != features::AtomColumn::word; });
    return found;
}

PlanCompiler::PlanCompiler(const features::Plan& plan, const Reader& reader, const features::AtomColumns& columns,
                           TableFacts table, std::size_t lexicon, std::size_t relations)
    : plan_(plan),
      reader_(reader),
      table_(std::move(table)),
      lexicon_(lexicon),
      relations_(relations),
      record_(NumberedWords::record_size(document_columns(columns).size())),
      columns_(columns.list()) {
    auto field = static_cast<std::int32_t>(NumberedWords::first_column);
    for (const features::AtomColumn& column : columns_) {
        const bool is_form = column.kind == features::AtomColumn::word;
        fields_.push_back(is_form ? of_form : field++);
        attributes_.push_back(is_form ? static_cast<std::uint16_t>(column.number) : std::uint16_t{0});
    }
}

std::shared_ptr<const CompiledPlan> PlanCompiler::compiled(std::span<const std::uint32_t> capacities) {
    const std::lock_guard lock(mutex_);
    if (last_ != nullptr && std::ranges::equal(capacities, capacities_, std::less_equal<>())) return last_;
    capacities_.resize(capacities.size());
    for (std::size_t i = 0; i < capacities.size(); ++i) capacities_[i] = std::max(capacities_[i], capacities[i]);
    last_ = std::make_shared<const CompiledPlan>(compile());
    return last_;
}

bool PlanCompiler::about_one_form(std::size_t first, std::size_t last) const {
    const auto& address = reader_.sources()[plan_[first][0]].address;
    for (std::size_t j = first; j < last; ++j) {
        const Reader::Source& source = reader_.sources()[plan_[j][0]];
        if (plan_[j].size() != 1 || plan_.many(j) || source.kind != Reader::Source::word ||
            fields_[source.column] != of_form || source.address != address)
            return false;
    }
    return true;
}

bool PlanCompiler::can_be_laid_out(std::size_t index) const {
    const std::span<const std::uint16_t> slots = plan_[index];
    const auto is_form = [&](std::uint16_t slot) {
        const Reader::Source& source = reader_.sources()[slot];
        return source.kind == Reader::Source::word && fields_[source.column] == of_form;
    };
    // Sources are numbers of 16 bits.
    const std::size_t numbers = reader_.addresses().size() * record_ + plan_.slots().size();
    return table_.merged[index] == 1 && !plan_.many(index) && !slots.empty() &&
           slots.size() <= CompiledPlan::most_sources && numbers <= std::numeric_limits<CompiledPlan::Source>::max() &&
           std::ranges::none_of(slots, is_form);
}

std::uint32_t PlanCompiler::capacity(std::uint16_t slot) const {
    const Reader::Source& source = reader_.sources()[slot];
    switch (source.kind) {
        case Reader::Source::word:
            return capacities_[static_cast<std::size_t>(fields_[source.column]) - NumberedWords::first_column];
        case Reader::Source::dep:
            return static_cast<std::uint32_t>(relations_) + 1;
        case Reader::Source::history:
            return std::uint32_t{State::no_move} + 2;
        default:
            return small_numbers;
    }
}

bool PlanCompiler::decides(std::uint16_t slot, std::uint16_t other) const {
    if (slot == other) return true;
    const Reader::Source &one = reader_.sources()[slot], &two = reader_.sources()[other];
    if (one.kind != Reader::Source::word || two.kind != Reader::Source::word || one.address != two.address)
        return false;
    if (one.column == two.column) return true;
    // A number of a column that depends on several fields stands for one value of each.
    const std::vector<corpus::Field> fields = columns_[one.column].fields();
    return fields.size() > 1 && std::ranges::all_of(columns_[two.column].fields(), [&](corpus::Field field) {
               return std::ranges::find(fields, field) != fields.end();
           });
}

PlanCompiler::Group PlanCompiler::joined(const Group& one, const Group& other) const {
    Group both{one.templates, {}, 1};
    both.templates.insert(both.templates.end(), other.templates.begin(), other.templates.end());
    std::vector<std::uint16_t> slots = one.slots;
    slots.insert(slots.end(), other.slots.begin(), other.slots.end());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        // Of slots that decide each other the first stays.
        const auto is_decided = [&](std::size_t k) {
            return k != i && decides(slots[k], slots[i]) && (k < i || !decides(slots[i], slots[k]));
        };
        bool decided = false;
        for (std::size_t k = 0; k < slots.size(); ++k) decided = decided || is_decided(k);
        if (decided) continue;
        both.slots.push_back(slots[i]);
        both.places *= capacity(slots[i]);
    }
    return both;
}

std::size_t PlanCompiler::most_places(const Group& one, const Group& other) const {
    const auto reads = [&](const Group& group, std::uint16_t slot) {
        const std::uint16_t address = reader_.sources()[slot].address;
        return std::ranges::any_of(group.slots,
                                   [&](std::uint16_t own) { return reader_.sources()[own].address == address; });
    };
    const auto within = [&](const Group& inner, const Group& outer) {
        return std::ranges::all_of(inner.slots, [&](std::uint16_t slot) { return reads(outer, slot); });
    };
    return within(one, other) || within(other, one) ? CompiledPlan::most_joined_places
                                                    : CompiledPlan::most_mixed_places;
}

std::vector<PlanCompiler::Group> PlanCompiler::joined(std::vector<Group> groups) const {
    while (groups.size() <= CompiledPlan::most_groups) {
        std::optional<Group> best;
        std::size_t first = 0, second = 0;
        for (std::size_t i = 0; i < groups.size(); ++i)
            for (std::size_t k = i + 1; k < groups.size(); ++k) {
                const Group &one = groups[i], &other = groups[k];
                const std::size_t most = best ? best->places - 1 : CompiledPlan::most_joined_places;
                if (std::max(one.places, other.places) > std::min(most, most_places(one, other)) ||
                    one.templates.size() + other.templates.size() > learn::RememberedSums::most_rows)
                    continue;
                Group both = joined(one, other);
                if (both.slots.size() > CompiledPlan::most_sources ||
                    both.places > std::min(most, most_places(one, other)))
                    continue;
                best = std::move(both);
                first = i;
                second = k;
            }
        if (!best) break;
        groups[first] = *std::move(best);
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(second));
    }
    return groups;
}

CompiledPlan PlanCompiler::compile() const {
    CompiledPlan result;
    result.record = record_;
    result.state_begin = result.numbers = reader_.addresses().size() * record_;
    std::vector<char> found(reader_.addresses().size(), 0);
    std::vector<std::optional<CompiledPlan::Source>> of_state(plan_.slots().size());
    const auto need = [&](auto&& self, std::uint16_t address) -> void {
        if (found[address] != 0) return;
        const Reader::Address& one = reader_.addresses()[address];
        if (one.kind == Reader::Address::step) self(self, one.from);
        found[address] = 1;
        if (one.kind == Reader::Address::stack)
            result.stack.items.push_back({one.from, address});
        else if (one.kind == Reader::Address::queue)
            result.queue.items.push_back({one.from, address});
        else
            result.steps.items.push_back({one, address});
    };
    const auto number_of = [&](std::uint16_t slot) -> CompiledPlan::Source {
        const Reader::Source& source = reader_.sources()[slot];
        need(need, source.address);
        if (source.kind == Reader::Source::word)
            return static_cast<CompiledPlan::Source>(source.address * record_ +
                                                     static_cast<std::size_t>(fields_[source.column]));
        if (source.measured()) need(need, source.column);
        if (!of_state[slot]) {
            const auto to = static_cast<CompiledPlan::Source>(result.numbers++);
            of_state[slot] = to;
            if (source.kind == Reader::Source::dep)
                result.deps.items.push_back({source.address, to});
            else
                result.state.items.push_back({source, to});
        }
        return *of_state[slot];
    };
    // Places for all values of some slots from `begin` on, the last slot's next to each other.
    const auto places_of = [&](std::span<const std::uint16_t> slots, std::size_t& begin) {
        CompiledPlan::Places places{.begin = static_cast<std::uint32_t>(begin)};
        std::size_t size = 1;
        for (std::size_t i = slots.size(); i-- > 0;) {
            places.sources[i] = number_of(slots[i]);
            places.strides[i] = static_cast<std::uint32_t>(size);
            size *= capacity(slots[i]);
        }
        begin += size;
        return places;
    };
    std::size_t row_places = 0, sum_places = 0, more_places = 0, planned_places = 0;
    result.attributes.resize(plan_.size());
    result.places.resize(plan_.size());
    std::vector<Group> groups;  // that no exit divides so far
    const auto planned = [&](std::size_t j) {
        if (!can_be_laid_out(j)) return false;
        Group one{{static_cast<std::uint16_t>(j)}, {plan_[j].begin(), plan_[j].end()}, 1};
        for (const std::uint16_t slot : one.slots) one.places *= capacity(slot);
        if (one.places > CompiledPlan::most_places || planned_places + one.places > CompiledPlan::most_places_of_all)
            return false;
        planned_places += one.places;
        groups.push_back(std::move(one));
        return true;
    };
    const auto lay_out = [&](const Group& group) {
        for (const std::uint16_t j : group.templates) result.places[j] = places_of(plan_[j], row_places);
        if (group.templates.size() == 1 || sum_places + group.places > CompiledPlan::most_places_of_all) {
            for (const std::uint16_t j : group.templates) add(result.single, plan_[j].size(), result.places[j], j);
            return;
        }
        add(result.joined, group.slots.size(), places_of(group.slots, sum_places), result.groups.begins.size() - 1);
        result.groups.items.insert(result.groups.items.end(), group.templates.begin(), group.templates.end());
        result.groups.close(result.groups.begins.size());
    };
    for (std::size_t j = 0; j < plan_.size();) {
        const std::size_t next = j + table_.merged[j];
        if (about_one_form(j, next)) {
            const Reader::Source& source = reader_.sources()[plan_[j][0]];
            need(need, source.address);
            result.words.items.push_back({source.address, static_cast<std::uint16_t>(result.words.items.size()),
                                          static_cast<std::uint16_t>(more_places),
                                          static_cast<std::uint16_t>(next - j - 1), static_cast<std::uint16_t>(j)});
            more_places += next - j - 1;
            for (std::size_t k = j; k < next; ++k)
                result.attributes[k] = attributes_[reader_.sources()[plan_[k][0]].column];
        } else if (!planned(j)) {
            result.others.items.push_back(static_cast<std::uint16_t>(j));
        }
        j = next;
        if (!table_.divided[j] && j != plan_.size()) continue;
        for (const Group& group : joined(std::exchange(groups, {}))) lay_out(group);
        const auto close = [&](auto&... all) { (all.close(j), ...); };
        close(result.stack, result.queue, result.steps, result.deps, result.state, result.words, result.others,
              result.single.few, result.single.many, result.joined.few, result.joined.many);
    }
    for (CompiledPlan::WordLookUp& word : result.words.items)
        word.more_places = static_cast<std::uint16_t>(word.more_places + result.words.items.size());
    constexpr std::size_t line = 64 / sizeof(std::uint32_t);  // first places of a type share cache lines
    result.word_places = (result.words.items.size() + more_places + line - 1) / line * line;
    result.rows = std::make_shared<const learn::RememberedRows>(row_places);
    result.sum_rows = std::make_shared<const learn::RememberedRows>(sum_places);
    result.sums = std::make_shared<const learn::RememberedSums>(table_.lanes, sum_places);
    result.word_rows = last_ != nullptr ? last_->word_rows
                                        : std::make_shared<const learn::RememberedRows>(
                                              (NumberedWords::first_type + lexicon_) * result.word_places);
    return result;
}

}  // namespace laconic::transition
