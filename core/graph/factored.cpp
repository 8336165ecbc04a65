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

FactoredScorer::Role FactoredScorer::role(const features::Plan& plan, const learn::HiddenTable& table,
                                          std::uint32_t shift) {
    WordReader reader(plan, columns_);
    WordKeys keys(plan, reader);
    Role made{&table,
              shift,
              fixed(table_.scale / table.scale()),
              std::move(reader),
              std::move(keys),
              learn::HiddenScratch(table)};
    for (std::size_t t = 0; t < plan.size(); t += table.merged(t)) {
        const Node index = made.reader[plan[t][0]].index;
        bool of_form = true;
        for (std::size_t k = t; k < t + table.merged(t); ++k)
            for (const std::uint16_t slot : plan[k])
                of_form = of_form && made.reader[slot].index == index &&
                          columns_.list()[made.reader[slot].column].kind == features::AtomColumn::word;
        if (of_form)
            made.runs.push_back({t, index});
        else
            made.others.push_back(t);
    }
    return made;
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
      tags_(model.lengths) {
    if (!table.fits(tags_)) throw ModelError("the factored scorer in the model was made for other tags");
    sentences_ = columns.sentences;
    rows_of_types_.push_back(nullptr);
    for (Role& one : roles_) one.of_types.resize((types_->size() + 2) * one.runs.size());
}

const FactoredScorer::Found& FactoredScorer::form_rows(Role& role, std::size_t run, Node node) {
    const Node other = node + role.runs[run].index;
    const bool there = other > corpus::root && other <= static_cast<Node>(words_.size());
    // Behind the types: what does not exist, then the root, which only the word in focus can be.
    const std::size_t type = there                       ? types_of_[static_cast<std::size_t>(other) - 1]
                             : role.runs[run].index == 0 ? types_->size() + 1
                                                         : types_->size();
    Found& found = role.of_types[type * role.runs.size() + run];
    if (found.end != 0) return found;
    found.begin = static_cast<std::uint32_t>(rows_of_types_.size());
    const std::size_t first = role.runs[run].first;
    const auto take = [&](std::size_t t) {
        std::uint64_t key = 0;
        const std::int8_t* row = role.keys.key(t, key) ? role.table->find(t, key) : nullptr;
        if (row != nullptr) rows_of_types_.push_back(row);
        return row != nullptr;
    };
    if (!take(first))
        for (std::size_t k = 1; k < role.table->merged(first); ++k) (void)take(first + k);
    found.end = static_cast<std::uint32_t>(rows_of_types_.size());
    return found;
}

void FactoredScorer::sum_rows(Role& role, Node node) {
    const learn::HiddenTable& table = *role.table;
    role.keys.focus(words_, node);
    probes_.clear();
    found_.clear();
    const auto probe = [&](std::size_t t) {
        std::uint64_t key = 0;
        if (!role.keys.key(t, key)) return false;
        table.index().prefetch_slot(t, key);
        probes_.push_back({key, t});
        return true;
    };
    const auto take = [&](std::size_t t, std::uint64_t key) {
        const std::int8_t* row = table.find(t, key);
        if (row == nullptr) return false;
        prefetch(row);
        found_.push_back(row);
        return true;
    };
    for (const std::size_t t : role.others)
        if (!probe(t))
            for (std::size_t k = 1; k < table.merged(t); ++k) (void)probe(t + k);
    for (std::size_t run = 0; run < role.runs.size(); ++run) {
        const Found rows = form_rows(role, run, node);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            prefetch(rows_of_types_[i]);
            found_.push_back(rows_of_types_[i]);
        }
    }
    for (const Probe& one : probes_) {
        if (take(one.template_index, one.key)) continue;
        // The templates that the row would have stood for, one by one.
        for (std::size_t k = 1; k < table.merged(one.template_index); ++k) {
            std::uint64_t key = 0;
            if (role.keys.key(one.template_index + k, key)) (void)take(one.template_index + k, key);
        }
    }
    rows_read_ += found_.size();
    learn::add_rows()(found_.data(), found_.size(), table.lanes(), table.frame().start.data(),
                      role.scratch.sums.data());
}

void FactoredScorer::read(Role& role, Node node, Word& word) {
    learn::HiddenScratch& scratch = role.scratch;
    sum_rows(role, node);
    (void)role.table->lead(scratch.sums, scratch.active, 0, all_outputs(), scratch.scores);
    cut(scratch.scores.data(), role.shift, word.vector.data());
    for (std::size_t lane = 0; lane < lanes; ++lane)
        word.lane_scores[lane] = static_cast<std::int32_t>(
            std::clamp<std::int64_t>((std::int64_t{scratch.scores[vector_size + lane]} * role.lane_factor) >> fraction,
                                     -10 * weight_limit, 10 * weight_limit));
}

void FactoredScorer::enter(std::size_t sentence) {
    words_.enter(sentence);
    types_of_ = types_->words().subspan(sentences_[sentence], words_.size());
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
    if (heads_read_[at] == 0) read(roles_[0], node, heads_[at]);
    heads_read_[at] = 1;
    return heads_[at];
}

const FactoredScorer::Word& FactoredScorer::modifier(Node node) {
    const auto at = static_cast<std::size_t>(node);
    if (modifiers_read_[at] == 0) read(roles_[1], node, modifiers_[at]);
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
