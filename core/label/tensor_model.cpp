#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "features/tree_steps.hpp"
#include "label/tensor.hpp"

namespace laconic::label {

std::uint32_t bucket_of(Node head, Node modifier, std::uint32_t buckets) noexcept {
    const std::uint32_t right = modifier > head ? 1 : 0;
    if (buckets == direction_buckets) return right;
    // The root stands before the first word.
    const auto distance = static_cast<std::uint32_t>(right != 0 ? modifier - head : head - modifier);
    return right * (length_buckets / 2) + features::distance_step(distance) - 1;
}

namespace {

constexpr std::size_t most_coded_tags = 256;

}  // namespace

CodedPairs::CodedPairs(const LabelCandidates& candidates, const WordTypes& types) : candidates_(candidates) {
    const std::uint16_t column = types.code_column(types.tag_columns().pos);
    if (column == WordTypes::uncoded) return;
    const std::vector<Atom>& tags = types.values(column);
    if (tags.size() > most_coded_tags) return;
    codes_ = tags.size();
    for (const Atom above : tags)
        for (const Atom below : tags)
            for (const bool right : {false, true}) entries_.push_back(candidates.entry(above, below, right));
}

namespace {

// What sums of rows by type of word may take in memory, so that a small file cannot ask for all of it. The shipped
// templates take about a kilobyte a type.
constexpr std::size_t most_type_bytes = std::size_t{1} << 30;

}  // namespace

TensorModel::TensorModel(Parts given)
    : parts(std::move(given)),
      reader(parts.plan, parts.lexicon.attributes(), parts.pos),
      groups(parts.plan, reader),
      types(reader.columns(), tag_columns(reader.columns(), reader.pos(), parts.all_tags), parts.type_keys,
            parts.type_atoms),
      folded((check(), parts.plan), parts.table, reader, groups, types),
      pairs(parts.candidates, types),
      counts(parts.count_keys, parts.count_answers, parts.table.labels()) {}

void TensorModel::check() const {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw ModelError(std::string("the labeler in the model is damaged: ") + what);
    };
    const learn::FactorTable& table = parts.table;
    require(table.roles() == first_order_roles || table.roles() == all_roles, "roles");
    require(table.templates() == parts.plan.size() && table.labels() == parts.candidates.sets().labels(),
            "templates or labels");
    require(buckets() == direction_buckets || buckets() == length_buckets, "buckets");
    require(!parts.candidates.priors().empty(), "priors");
    std::size_t width = 0;
    for (std::size_t role = 0; role < table.roles(); ++role) width += table.lanes(role);
    require(types.size() <= most_type_bytes /
                                (sizeof(std::int16_t) * std::max<std::size_t>(width, 1) * (groups.folded().size() + 1)),
            "too many types of words");
    if (parts.sparse.table != nullptr)
        require(parts.sparse.table->templates() == parts.sparse.plan->size() &&
                    parts.sparse.table->labels() == table.labels() && parts.sparse.table->scale() > 0,
                "linear rows");
    std::size_t needed = 0;
    if (second_order()) {
        const std::size_t lanes = table.lanes(second_modifier);
        require(table.lanes(second_head) == lanes && table.lanes(grandparent) == lanes, "lanes");
        needed = std::size_t{buckets()} * table.labels() * lanes;
    }
    require(parts.upper.size() == needed && parts.lower.size() == needed, "label vectors");
    const auto moderate = [](float value) { return std::abs(value) <= 1e4F; };
    require(std::ranges::all_of(parts.upper, moderate) && std::ranges::all_of(parts.lower, moderate), "label vectors");
}

}  // namespace laconic::label
