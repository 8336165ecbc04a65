#include "graph/factored.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/wide.hpp"

namespace laconic::graph {

namespace {

constexpr std::int32_t vector_limit = 2047;
constexpr std::int32_t weight_limit = 4'000'000;  // 48 words between and all else stay within 32 bits
constexpr int fraction = 24;                      // bits of factors behind the point
constexpr double largest_factor = 64;             // 32 bits times such a factor stay within 64 bits

// The products of one vector with those of some nodes.
LACONIC_WIDE void products(const std::int16_t* own, const std::int16_t* vectors, const Node* nodes, std::size_t count,
                           std::int32_t* found) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::int16_t* other = vectors + static_cast<std::size_t>(nodes[i]) * vector_size;
        std::int32_t sum = 0;
        for (std::size_t k = 0; k < vector_size; ++k) sum += std::int32_t{own[k]} * other[k];
        found[i] = sum;
    }
}

// Sums of rows of weights over the tags of nodes, one step after another: sums[i] is that of the column `tags[i]` of
// the rows before. Of `most` nodes the rows are added.
LACONIC_WIDE void running_sums(const std::int32_t* weights, std::size_t width, const std::size_t* tags,
                               std::ptrdiff_t step, std::size_t count, std::size_t most, std::int32_t* running,
                               std::int32_t* sums) {
    for (std::size_t k = 0; k < width; ++k) running[k] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * step;
        sums[at] = running[tags[at]];
        if (i >= most) continue;
        const std::int32_t* row = weights + tags[at] * width;
        for (std::size_t k = 0; k < width; ++k) running[k] += row[k];
    }
}

// The numbers of a vector, of fewer bits.
LACONIC_WIDE void cut(const std::int32_t* scores, std::uint32_t shift, std::int16_t* vector) {
    for (std::size_t i = 0; i < vector_size; ++i) {
        const std::int32_t number = scores[i] >> shift;
        vector[i] = static_cast<std::int16_t>(number < -vector_limit  ? -vector_limit
                                              : number > vector_limit ? vector_limit
                                                                      : number);
    }
}

learn::Candidates all_outputs() {
    static const learn::BlockedLabels all = [] {
        std::vector<learn::Label> labels(word_outputs);
        std::iota(labels.begin(), labels.end(), learn::Label{0});
        return learn::BlockedLabels(std::move(labels));
    }();
    return all.candidates();
}

std::int64_t fixed(double factor) {
    if (!(factor <= largest_factor)) throw ModelError("the scales in the factored scorer are damaged");
    return std::llround(factor * (1 << fraction));
}

}  // namespace

FactoredTable::FactoredTable(std::shared_ptr<const learn::HiddenTable> head_rows,
                             std::shared_ptr<const learn::HiddenTable> modifier_rows, std::uint32_t head_bits,
                             std::uint32_t modifier_bits, std::vector<std::int32_t> pair_weights,
                             std::vector<std::int32_t> between_weights)
    : heads(std::move(head_rows)),
      modifiers(std::move(modifier_rows)),
      head_shift(head_bits),
      modifier_shift(modifier_bits),
      pairs(std::move(pair_weights)),
      between(std::move(between_weights)),
      scale(std::ldexp(heads->scale(), -static_cast<int>(head_bits)) *
            std::ldexp(modifiers->scale(), -static_cast<int>(modifier_bits))) {
    const auto bounded = [](const std::vector<std::int32_t>& weights) {
        return std::ranges::all_of(weights, [](std::int32_t w) { return w <= weight_limit && w >= -weight_limit; });
    };
    if (heads->labels() != word_outputs || modifiers->labels() != word_outputs || heads->frame().exits.size() != 1 ||
        modifiers->frame().exits.size() != 1 || head_shift > 31 || modifier_shift > 31 || !bounded(pairs) ||
        !bounded(between) || !(scale > 0) || !std::isfinite(scale))
        throw ModelError("the factored scorer in the model is damaged");
}

FactoredScorer::RoleState FactoredScorer::role(const features::Plan& plan, const learn::HiddenTable& table,
                                               std::uint32_t shift) {
    return {&table, shift, fixed(table_.scale / table.scale()), WordReader(plan, columns_),
            learn::HiddenScratch(table)};
}

FactoredScorer::FactoredScorer(const FactoredModel& model, const FactoredTable& table, double scale,
                               const features::WordRows& rows, const corpus::Columns& columns)
    : model_(model),
      table_(table),
      factor_(fixed(scale / table.scale)),
      columns_(model.lexicon.attributes(), {}, model.pos),
      fine_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::xpos)})),
      coarse_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::upos)})),
      roles_{role(model.heads, *table.heads, table.head_shift),
             role(model.modifiers, *table.modifiers, table.modifier_shift)},
      words_(columns_, rows, columns),
      types_(columns.form_types()),
      lists_({WordRowLists::Source{model.heads, roles_[as_head].reader, *table.heads},
              WordRowLists::Source{model.modifiers, roles_[as_modifier].reader, *table.modifiers}},
             columns_, words_, *types_),
      sentences_(columns.sentences),
      tags_(model.lengths) {
    if (!table.fits(tags_)) throw ModelError("the factored scorer in the model was made for other tags");
}

void FactoredScorer::read(Role number, Node node) {
    RoleState& role = roles_[number];
    const auto at = static_cast<std::size_t>(node);
    if (role.is_read[at] != 0) return;
    role.is_read[at] = 1;
    const learn::HiddenTable& table = *role.table;
    learn::HiddenScratch& scratch = role.scratch;
    const std::span<const std::int8_t* const> found = lists_.rows(number, node);
    rows_read_ += found.size();
    learn::add_rows()(found.data(), found.size(), table.lanes(), table.frame().start.data(), scratch.sums.data());
    (void)table.lead(scratch.sums, scratch.active, 0, all_outputs(), scratch.scores);
    cut(scratch.scores.data(), role.shift, role.vectors.data() + at * vector_size);
    std::int32_t* lane_scores = role.lane_scores.data() + at * lane_stride;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        lane_scores[lane] = static_cast<std::int32_t>(
            std::clamp<std::int64_t>((std::int64_t{scratch.scores[vector_size + lane]} * role.lane_factor) >> fraction,
                                     -10 * weight_limit, 10 * weight_limit));
}

void FactoredScorer::enter(std::size_t sentence) {
    words_.enter(sentence);
    lists_.enter(types_->words().subspan(sentences_[sentence], words_.size()));
    const std::size_t nodes = words_.size() + 1;
    for (RoleState& role : roles_) {
        role.is_read.assign(nodes, 0);
        role.vectors.resize(nodes * vector_size);
        role.lane_scores.resize(nodes * lane_stride);
    }
    tag_of_.assign(nodes, tags_.root());
    running_.resize(tags_.stride());
    between_sums_.resize(nodes);
    for (std::size_t i = 1; i < nodes; ++i) {
        const auto node = static_cast<Node>(i);
        tag_of_[i] = tags_.of(model_.lengths.tags(words_[node][fine_], words_[node][coarse_]));
    }
}

void FactoredScorer::sum_between(Node dependent, Node first, Node last) {
    const auto own = static_cast<std::size_t>(dependent);
    const std::int32_t* weights = table_.between.data() + tag_of_[own] * tags_.size() * tags_.stride();
    const auto sum = [&](std::ptrdiff_t step, Node count) {
        if (count <= 0) return;
        const std::size_t begin = own + static_cast<std::size_t>(step);
        running_sums(weights, tags_.stride(), tag_of_.data() + begin, step, static_cast<std::size_t>(count),
                     static_cast<std::size_t>(most_between), running_.data(), between_sums_.data() + begin);
    };
    sum(-1, dependent - first);
    sum(1, last - dependent);
}

void FactoredScorer::add(Node dependent, std::span<const Node> heads, std::span<std::int32_t> scores) {
    if (heads.empty()) return;
    const auto own = static_cast<std::size_t>(dependent);
    sum_between(dependent, heads.front(), heads.back());
    read(as_modifier, dependent);
    for (const Node head : heads) read(as_head, head);
    products_.resize(heads.size());
    products(roles_[as_modifier].vectors.data() + own * vector_size, roles_[as_head].vectors.data(), heads.data(),
             heads.size(), products_.data());
    const std::int32_t* pairs = table_.pairs.data() + tag_of_[own] * tags_.size() * lanes;
    const std::int32_t* of_lanes = roles_[as_modifier].lane_scores.data() + own * lane_stride;
    const std::int32_t* of_heads = roles_[as_head].lane_scores.data();
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto at = static_cast<std::size_t>(heads[i]);
        const std::size_t lane = lane_of(heads[i], dependent);
        const std::int32_t sum = products_[i] + of_heads[at * lane_stride + lane] + of_lanes[lane] +
                                 pairs[tag_of_[at] * lanes + lane] + between_sums_[at];
        scores[i] += static_cast<std::int32_t>((sum * factor_) >> fraction);
    }
}

}  // namespace laconic::graph
