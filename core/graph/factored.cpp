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

LACONIC_WIDE std::int32_t product(const std::int16_t* left, const std::int16_t* right) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < vector_size; ++i) sum += std::int32_t{left[i]} * right[i];
    return sum;
}

LACONIC_WIDE void add_run(std::int32_t* target, const std::int32_t* source, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) target[i] += source[i];
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

FactoredScorer::FactoredScorer(const FactoredModel& model, const FactoredTable& table, double scale,
                               const features::WordRows& rows, const corpus::Columns& columns)
    : model_(model),
      table_(table),
      factor_(fixed(scale / table.scale)),
      lane_factors_{fixed(table.scale / table.heads->scale()), fixed(table.scale / table.modifiers->scale())},
      columns_(model.lexicon.attributes(), {}, model.pos),
      fine_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::xpos)})),
      coarse_(columns_.add({features::AtomColumn::field, static_cast<std::uint32_t>(corpus::Field::upos)})),
      readers_{WordReader(model.heads, columns_), WordReader(model.modifiers, columns_)},
      words_(columns_, rows, columns),
      contexts_{WordContext(readers_[0], words_), WordContext(readers_[1], words_)},
      scratches_{learn::HiddenScratch(*table.heads), learn::HiddenScratch(*table.modifiers)},
      tags_(model.lengths) {
    if (!table.fits(tags_)) throw ModelError("the factored scorer in the model was made for other tags");
}

void FactoredScorer::read(const features::Plan& plan, const learn::HiddenTable& table, learn::HiddenScratch& scratch,
                          WordContext& context, Node node, std::uint32_t shift, std::int64_t factor, Word& word) {
    context.focus(node);
    clear(table, scratch);
    accumulate(table, plan, 0, plan.size(), context, scratch);
    (void)table.lead(scratch.sums, scratch.active, 0, all_outputs(), scratch.scores);
    for (std::size_t i = 0; i < vector_size; ++i)
        word.vector[i] = static_cast<std::int16_t>(std::clamp(scratch.scores[i] >> shift, -vector_limit, vector_limit));
    for (std::size_t lane = 0; lane < lanes; ++lane)
        word.lane_scores[lane] = static_cast<std::int32_t>(
            std::clamp<std::int64_t>((std::int64_t{scratch.scores[vector_size + lane]} * factor) >> fraction,
                                     -10 * weight_limit, 10 * weight_limit));
}

void FactoredScorer::enter(std::size_t sentence) {
    words_.enter(sentence);
    const std::size_t nodes = words_.size() + 1;
    heads_.resize(nodes);
    modifiers_.resize(nodes);
    tag_of_.assign(nodes, tags_.root());
    running_.resize(tags_.stride());
    between_sums_.resize(nodes);
    heads_read_.assign(nodes, 0);
    modifiers_read_.assign(nodes, 0);
    for (std::size_t i = 1; i < nodes; ++i) {
        const auto node = static_cast<Node>(i);
        tag_of_[i] = tags_.of(model_.lengths.tags(words_[node][fine_], words_[node][coarse_]));
    }
}

const FactoredScorer::Word& FactoredScorer::head(Node node) {
    const auto at = static_cast<std::size_t>(node);
    if (heads_read_[at] == 0)
        read(model_.heads, *table_.heads, scratches_[0], contexts_[0], node, table_.head_shift, lane_factors_[0],
             heads_[at]);
    heads_read_[at] = 1;
    return heads_[at];
}

const FactoredScorer::Word& FactoredScorer::modifier(Node node) {
    const auto at = static_cast<std::size_t>(node);
    if (modifiers_read_[at] == 0)
        read(model_.modifiers, *table_.modifiers, scratches_[1], contexts_[1], node, table_.modifier_shift,
             lane_factors_[1], modifiers_[at]);
    modifiers_read_[at] = 1;
    return modifiers_[at];
}

void FactoredScorer::add(Node dependent, std::span<const Node> heads, std::span<std::int32_t> scores) {
    if (heads.empty()) return;
    const auto own = static_cast<std::size_t>(dependent);
    const std::int32_t* weights = table_.between.data() + tag_of_[own] * tags_.size() * tags_.stride();
    for (const Node step : {Node{-1}, Node{1}}) {
        const Node last = step < 0 ? heads.front() : heads.back();
        std::ranges::fill(running_, 0);
        Node seen = 0;
        for (Node node = dependent + step; (node - last) * step <= 0; node += step) {
            const std::size_t tag = tag_of_[static_cast<std::size_t>(node)];
            between_sums_[static_cast<std::size_t>(node)] = running_[tag];
            if (++seen <= most_between) add_run(running_.data(), weights + tag * tags_.stride(), tags_.stride());
        }
    }
    const std::int32_t* pairs = table_.pairs.data() + tag_of_[own] * tags_.size() * lanes;
    const Word& word = modifier(dependent);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto at = static_cast<std::size_t>(heads[i]);
        const std::size_t lane = lane_of(heads[i], dependent);
        const Word& other = head(heads[i]);
        const std::int64_t sum = std::int64_t{product(other.vector.data(), word.vector.data())} +
                                 other.lane_scores[lane] + word.lane_scores[lane] + pairs[tag_of_[at] * lanes + lane] +
                                 between_sums_[at];
        scores[i] += static_cast<std::int32_t>((sum * factor_) >> fraction);
    }
}

}  // namespace laconic::graph
