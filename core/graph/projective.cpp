#include "graph/projective.hpp"

namespace laconic::graph {

bool ProjectiveDecoder::decode(const Edges& edges, const Parts* parts, bool single_root, const Region& region,
                               std::span<Node> heads) {
    if (region.places.empty()) return true;
    if (positions_.size() <= edges.words()) positions_.resize(edges.words() + 1);
    Sum bound = 0;
    for (std::size_t i = 0; i < region.places.size(); ++i) {
        const Node place = region.places[i];
        positions_[static_cast<std::size_t>(place)] = static_cast<std::uint32_t>(i);
        if (place == root) continue;
        Sum highest = 0, highest_part = 0;
        edges.each_alive(place, [&](Node head, Score score) {
            highest = std::max(highest, std::abs(static_cast<Sum>(score)));
            if (parts == nullptr) return;
            for (const Score part : parts->row(head, place))
                highest_part = std::max(highest_part, std::abs(static_cast<Sum>(part)));
        });
        bound += highest + highest_part;
    }
    if (bound < Chart<std::int32_t>::highest_sum)
        return narrow_.decode(edges, parts, single_root, region, positions_, heads);
    return wide_.decode(edges, parts, single_root, region, positions_, heads);
}

bool ProjectiveDecoder::decode(const Edges& edges, const Parts* parts, bool single_root, std::span<Node> heads) {
    while (all_.size() < edges.words()) all_.push_back(static_cast<Node>(all_.size() + 1));
    return decode(edges, parts, single_root, Region{std::span<const Node>(all_).first(edges.words())}, heads);
}

}  // namespace laconic::graph
