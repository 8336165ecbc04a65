#include "graph/arc_scorer.hpp"

#include <algorithm>
#include <bit>

#include "learn/kernels.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace laconic::graph {

ArcScorer::ArcScorer(const ArcModel& model, const learn::Table& table, const features::WordRows& rows,
                     const corpus::Columns& columns)
    : table_(table),
      reader_(model.plan, model.lexicon.attributes(), model.pos),
      context_(reader_, rows, columns),
      candidates_(model.lengths, reader_) {
    std::size_t first = 0, widest = 0;
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
        for (const std::uint16_t t : group.pairs) group.buckets.emplace_back(table, t);
        std::vector<std::uint16_t> both = group.pairs;
        both.insert(both.end(), group.others.begin(), group.others.end());
        group.head_parts.emplace(reader_, both, ArcReader::head);
        group.modifier_parts.emplace(reader_, both, ArcReader::modifier);
        widest = std::max(widest, group.pairs.size());
        groups_.push_back(std::move(group));
        first = last;
    }
    waiting_.resize(2 * block + widest);
}

void ArcScorer::enter(std::size_t sentence) {
    context_.enter(sentence);
    candidates_.enter(context_);
    const auto nodes = static_cast<std::size_t>(context_.size()) + 1;
    for (Group& group : groups_) {
        group.ready.assign(nodes, 0);
        group.parts.resize(nodes * group.two_words());
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
    group.head_parts->read(context_.words(), head, group.parts.data() + at * group.two_words());
    sum(group.of_head, ArcReader::head, head, group.sums[at]);
}

// A row of lanes has 16 bytes, so a bucket has four, filled from the first on: all are compared, without a branch.
ArcScorer::Found ArcScorer::look(const Probe& one, std::size_t lane) noexcept {
    static_assert(cache_line == 4 * width);
    const std::uint16_t wanted = learn::fingerprint(one.key);
#if defined(__SSE2__)
    const auto row = [&](std::size_t at) {
        return _mm_load_si128(reinterpret_cast<const __m128i*>(one.bucket + at * width));
    };
    const __m128i four =
        _mm_unpacklo_epi32(_mm_unpacklo_epi16(row(0), row(1)), _mm_unpacklo_epi16(row(2), row(3)));  // fingerprints
    const auto same = [&](__m128i what) {
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi16(four, what))) & 0xffU;
    };
    const std::uint32_t found = same(_mm_set1_epi16(static_cast<std::int16_t>(wanted)));
    const bool is_full = (same(_mm_setzero_si128()) & 0xc0U) == 0;
    const std::size_t at = static_cast<std::size_t>(std::countr_zero(found | 0x100U)) % 8 * 8;
#else
    const auto is_at = [&](std::size_t row) -> std::size_t {
        return learn::read16(one.bucket + row * width) == wanted ? 1 : 0;
    };
    const std::size_t second = is_at(1), third = is_at(2), fourth = is_at(3);
    const std::size_t found = is_at(0) | second | third | fourth;
    const bool is_full = learn::read16(one.bucket + 3 * width) != 0;
    const std::size_t at = (second + 2 * third + 3 * fourth) * width;
#endif
    const std::int32_t here = static_cast<std::int8_t>(one.bucket[at + lane]);
    return {found != 0 ? here : 0, found == 0 && is_full};
}

void ArcScorer::flush() {
    // What a full bucket does not decide is looked for in the next one, which is on its way meanwhile.
    struct Late {
        const Probe* probe;
        std::size_t lane;
        std::int32_t* score;
    };
    std::array<Late, block> late;
    std::size_t lates = 0;
    const auto look_farther = [&] {
        for (const Late& one : std::span(late).first(lates))
            *one.score += static_cast<std::int8_t>(
                table_.row(one.probe->template_index, one.probe->key, one.probe->bucket)[one.lane]);
        lates = 0;
    };
    const Probe* one = waiting_.data();
    for (const Arc& arc : arcs_) {
        std::int32_t sum = 0;
        for (const Probe* end = waiting_.data() + arc.end; one != end; ++one) {
            const Found found = look(*one, arc.lane);
            sum += found.weight;
            if (!found.farther) [[likely]]
                continue;
            prefetch(one->bucket + cache_line);
            if (lates == late.size()) look_farther();
            late[lates++] = {one, arc.lane, arc.score};
        }
        *arc.score += sum;
    }
    look_farther();
    arcs_.clear();
    waits_ = 0;
}

void ArcScorer::probe_pairs(const Group& group, const std::uint64_t* of_head) {
    const std::size_t count = group.pairs.size();
    if (waiting_.size() < waits_ + count) waiting_.resize(waits_ + count);
    Probe* next = waiting_.data() + waits_;
    for (std::size_t j = 0; j < count; ++j) {
        const std::uint64_t key = learn::finish(mix(of_head[j], own_[j]));
        const std::uint8_t* bucket = group.buckets[j].of(key);
        const bool known = of_head[j] != no_part && own_[j] != no_part;
        *next = {key, bucket, group.pairs[j]};
        prefetch(bucket);
        next += known ? 1 : 0;
    }
    const auto waiting = static_cast<std::size_t>(next - waiting_.data());
    rows_read_ += waiting - waits_;
    waits_ = waiting;
}

void ArcScorer::queue(std::size_t number, Node modifier, std::span<const Node> heads, std::span<std::int32_t> scores) {
    Group& group = groups_[number];
    own_.resize(group.two_words());
    group.modifier_parts->read(context_.words(), modifier, own_.data());
    Sums own;
    sum(group.of_modifier, ArcReader::modifier, modifier, own);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const Node head = heads[i];
        const std::size_t lane = learn::dead_lanes + lane_of(head, modifier);
        prepare(group, head);
        const auto at = static_cast<std::size_t>(head);
        scores[i] += own[lane] + group.sums[at][lane];
        const std::uint64_t* parts = group.parts.data() + at * group.two_words();
        probe_pairs(group, parts);
        for (std::size_t j = 0; j < group.others.size(); ++j) {
            const std::size_t part = group.pairs.size() + j;
            context_.join(group.others[j], parts[part], own_[part], no_part, head, modifier, corpus::none,
                          [&](std::uint64_t key) {
                              probe(group.others[j], key);
                              ++rows_read_;
                          });
        }
        arcs_.push_back({waits_, lane, &scores[i]});
        if (waits_ >= block) flush();
    }
}

}  // namespace laconic::graph
