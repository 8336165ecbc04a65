#include "transition/compiled_plan.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "features/value_numbers.hpp"

namespace laconic::transition {

namespace {

using features::NumberedWords;
constexpr std::int32_t of_form = -1;

template <std::size_t Sources>
void add(ByTemplate<CompiledPlan::LookUp<Sources>>& all, std::span<const CompiledPlan::Source> sources,
         std::span<const std::uint32_t> strides, std::size_t begin, std::size_t template_index) {
    CompiledPlan::LookUp<Sources> one{};
    std::ranges::copy(sources, one.sources.begin());
    std::ranges::copy(strides, one.strides.begin());
    one.begin = static_cast<std::uint32_t>(begin);
    one.template_index = static_cast<std::uint16_t>(template_index);
    all.items.push_back(one);
}

}  // namespace

std::vector<features::AtomColumn> document_columns(const features::AtomColumns& columns) {
    std::vector<features::AtomColumn> found;
    std::ranges::copy_if(columns.list(), std::back_inserter(found),
                         [](const auto& column) { return column.kind != features::AtomColumn::word; });
    return found;
}

PlanCompiler::PlanCompiler(const features::Plan& plan, const Reader& reader, const features::AtomColumns& columns,
                           std::vector<std::uint32_t> merged, std::size_t lexicon, std::size_t relations)
    : plan_(plan), reader_(reader), merged_(std::move(merged)), lexicon_(lexicon), relations_(relations) {
    auto field = static_cast<std::int32_t>(NumberedWords::first_column);
    for (const features::AtomColumn& column : columns.list()) {
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

std::uint32_t PlanCompiler::capacity(const Reader::Source& source) const {
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

CompiledPlan PlanCompiler::compile() const {
    CompiledPlan result;
    const auto state_node = static_cast<std::uint16_t>(reader_.addresses().size());
    std::vector<char> found(reader_.addresses().size(), 0);
    std::vector<std::int32_t> state_fields(plan_.slots().size(), -1);
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
            return {source.address, static_cast<std::uint16_t>(fields_[source.column])};
        if (source.measured()) need(need, source.column);
        if (state_fields[slot] < 0) {
            const auto field = static_cast<std::uint16_t>(result.state_numbers++);
            state_fields[slot] = field;
            if (source.kind == Reader::Source::dep)
                result.deps.items.push_back({source.address, field});
            else
                result.state.items.push_back({source, field});
        }
        return {state_node, static_cast<std::uint16_t>(state_fields[slot])};
    };
    result.attributes.resize(plan_.size());
    std::size_t places = 0, more_places = 0;
    const auto add_template = [&](std::size_t j) {
        const std::span<const std::uint16_t> slots = plan_[j];
        const auto is_form = [&](std::uint16_t slot) {
            const Reader::Source& source = reader_.sources()[slot];
            return source.kind == Reader::Source::word && fields_[source.column] == of_form;
        };
        if (merged_[j] > 1 || plan_.many(j) || slots.size() > CompiledPlan::most_sources ||
            std::ranges::any_of(slots, is_form))
            return false;
        std::vector<std::uint32_t> strides(slots.size());
        std::size_t size = 1;
        for (std::size_t i = slots.size(); i-- > 0;) {
            strides[i] = static_cast<std::uint32_t>(size);
            size *= capacity(reader_.sources()[slots[i]]);
            if (size > CompiledPlan::most_places || places + size > CompiledPlan::most_places_of_all) return false;
        }
        std::vector<CompiledPlan::Source> sources;
        for (const std::uint16_t slot : slots) sources.push_back(number_of(slot));
        switch (sources.size()) {
            case 1:
                add(result.ones, sources, strides, places, j);
                break;
            case 2:
                add(result.twos, sources, strides, places, j);
                break;
            case 3:
                add(result.threes, sources, strides, places, j);
                break;
            default:
                add(result.fours, sources, strides, places, j);
        }
        places += size;
        return true;
    };
    for (std::size_t j = 0; j < plan_.size();) {
        const std::size_t next = j + merged_[j];
        if (about_one_form(j, next)) {
            const Reader::Source& source = reader_.sources()[plan_[j][0]];
            need(need, source.address);
            result.words.items.push_back({source.address, static_cast<std::uint16_t>(result.words.items.size()),
                                          static_cast<std::uint16_t>(more_places),
                                          static_cast<std::uint16_t>(next - j - 1), static_cast<std::uint16_t>(j)});
            more_places += next - j - 1;
            for (std::size_t k = j; k < next; ++k)
                result.attributes[k] = attributes_[reader_.sources()[plan_[k][0]].column];
        } else if (!add_template(j)) {
            result.others.items.push_back(static_cast<std::uint16_t>(j));
        }
        const auto close = [&](auto&... all) { (all.close(next), ...); };
        close(result.stack, result.queue, result.steps, result.deps, result.state, result.ones, result.twos,
              result.threes, result.fours, result.words, result.others);
        j = next;
    }
    for (CompiledPlan::WordLookUp& word : result.words.items)
        word.more_places = static_cast<std::uint16_t>(word.more_places + result.words.items.size());
    constexpr std::size_t line = 64 / sizeof(std::uint32_t);  // first places of a type share cache lines
    result.word_places = (result.words.items.size() + more_places + line - 1) / line * line;
    result.rows = std::make_shared<const learn::RememberedRows>(places);
    result.word_rows = last_ != nullptr ? last_->word_rows
                                        : std::make_shared<const learn::RememberedRows>(
                                              (NumberedWords::first_type + lexicon_) * result.word_places);
    return result;
}

}  // namespace laconic::transition
