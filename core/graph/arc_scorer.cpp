#include "graph/arc_scorer.hpp"

#include <algorithm>

#include "learn/kernels.hpp"

namespace laconic::graph {

ArcScorer::ArcScorer(const ArcModel& model, const learn::Table& table, const features::WordRows& rows,
                     const corpus::Columns& columns)
    : table_(table),
      reader_(model.plan, model.lexicon.attributes(), model.pos),
      context_(reader_, rows, columns),
      candidates_(model.lengths, reader_) {
    std::size_t first = 0;
    for (const std::uint32_t last : model.groups) {
        Group group;
        group.first = first;
        group.last = last;
        for (std::size_t t = first; t < last; ++t) {
            const ArcReader::Parts& parts = reader_.templates()[t];
            auto& list = parts.only(ArcReader::head)       ? group.of_head
                         : parts.only(ArcReader::modifier) ? group.of_modifier
                         : parts.relations.empty() && parts.between.empty() && !parts.reads(ArcReader::sibling)
                             ? group.pairs
                             : group.others;
            list.push_back(static_cast<std::uint16_t>(t));
        }
        groups_.push_back(std::move(group));
        first = last;
    }
}

void ArcScorer::enter(std::size_t sentence) {
    context_.enter(sentence);
    candidates_.enter(context_);
    const auto nodes = static_cast<std::size_t>(context_.size()) + 1;
    for (Group& group : groups_) {
        group.ready.assign(nodes, 0);
        group.parts.resize(nodes * group.pairs.size());
        group.sums.resize(nodes);
    }
}

void ArcScorer::sum(std::span<const std::uint16_t> templates, ArcReader::Place place, Node word, Sums& sums) {
    sums.fill(0);
    std::array<std::pair<std::uint64_t, const std::uint8_t*>, block> probes;
    for (std::size_t begin = 0; begin < templates.size(); begin += block) {
        const auto some = templates.subspan(begin, std::min(block, templates.size() - begin));
        for (std::size_t i = 0; i < some.size(); ++i) {
            const std::uint64_t own = context_.part(some[i], place, word);
            const std::uint64_t other =
                context_.part(some[i], place == ArcReader::head ? ArcReader::modifier : ArcReader::head, corpus::none);
            const std::uint64_t key = learn::finish(place == ArcReader::head ? mix(own, other) : mix(other, own));
            const std::uint8_t* bucket = own == no_part ? learn::Table::nowhere() : table_.bucket(some[i], key);
            prefetch(bucket);
            probes[i] = {key, bucket};
            rows_read_ += own == no_part ? 0 : 1;
        }
        row_pointers_.clear();
        for (std::size_t i = 0; i < some.size(); ++i)
            row_pointers_.push_back(
                reinterpret_cast<const std::int8_t*>(table_.row(some[i], probes[i].first, probes[i].second)));
        learn::add_rows()(row_pointers_.data(), row_pointers_.size(), width, sums.data(), sums.data());
    }
}

void ArcScorer::prepare(Group& group, Node head) {
    const auto at = static_cast<std::size_t>(head);
    if (group.ready[at] != 0) return;
    group.ready[at] = 1;
    for (std::size_t i = 0; i < group.pairs.size(); ++i)
        group.parts[at * group.pairs.size() + i] = context_.part(group.pairs[i], ArcReader::head, head);
    sum(group.of_head, ArcReader::head, head, group.sums[at]);
}

// A row of lanes has 16 bytes, so a bucket has four: all are compared, without a branch, before the table is asked to
// look farther.
std::int32_t ArcScorer::weight(const Probe& one) const noexcept {
    constexpr std::size_t rows = cache_line / width;
    const std::uint16_t wanted = learn::fingerprint(one.key);
    std::size_t found = rows;
    bool ends = false;
    for (std::size_t i = rows; i-- > 0;) {
        const std::uint16_t here = learn::read16(one.bucket + i * width);
        found = here == wanted ? i : found;
        ends |= here == 0;
    }
    const std::size_t lane = learn::dead_lanes + one.lane;
    if (found < rows) return static_cast<std::int8_t>(one.bucket[found * width + lane]);
    if (ends) [[likely]]
        return 0;
    return static_cast<std::int8_t>(table_.row(one.template_index, one.key, one.bucket)[lane]);
}

void ArcScorer::flush() {
    for (std::size_t i = 0; i < waiting_count_; ++i) *waiting_[i].score += weight(waiting_[i]);
    rows_read_ += waiting_count_;
    waiting_count_ = 0;
}

void ArcScorer::add(std::size_t number, Node modifier, std::span<const Node> heads, std::span<std::int32_t> scores) {
    Group& group = groups_[number];
    own_.clear();
    for (const std::uint16_t t : group.pairs) own_.push_back(context_.part(t, ArcReader::modifier, modifier));
    Sums own;
    sum(group.of_modifier, ArcReader::modifier, modifier, own);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const Node head = heads[i];
        const std::size_t lane = lane_of(head, modifier);
        prepare(group, head);
        const auto at = static_cast<std::size_t>(head);
        scores[i] += own[learn::dead_lanes + lane] + group.sums[at][learn::dead_lanes + lane];
        const std::uint64_t* parts = group.parts.data() + at * group.pairs.size();
        for (std::size_t j = 0; j < group.pairs.size(); ++j)
            if (parts[j] != no_part && own_[j] != no_part)
                probe(group.pairs[j], learn::finish(mix(parts[j], own_[j])), lane, scores[i]);
        for (const std::uint16_t t : group.others)
            context_.visit_keys(t, head, modifier, corpus::none,
                                [&](std::uint64_t key) { probe(t, key, lane, scores[i]); });
    }
    flush();
}

}  // namespace laconic::graph
