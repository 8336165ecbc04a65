#include "graph/region_decoder.hpp"

namespace laconic::graph {

namespace {

std::size_t at(Node node) noexcept {
    return static_cast<std::size_t>(node);
}

}  // namespace

void RegionDecoder::find_open_faces(Locks& locks) {
    open_faces_.clear();
    for (const Node word : locks.open()) open_faces_.push_back(locks.faces().outer(word));
    std::ranges::sort(open_faces_);
    open_faces_.erase(std::unique(open_faces_.begin(), open_faces_.end()), open_faces_.end());
}

bool RegionDecoder::best_heads_fit(const Region& region, bool single_root) {
    const std::size_t size = region.places.size();
    if (positions_.size() <= best_.size()) positions_.resize(best_.size() + 1);
    // The head of the region becomes the root, its other places words; a head at the right end is seen in a mirror.
    const bool mirrored = !region.under_root() && region.head == region.places.back();
    const std::size_t first = region.under_root() ? 1 : 0;
    const auto number = [&](std::size_t i) { return (mirrored ? size - 1 - i : i) + first; };
    for (std::size_t i = 0; i < size; ++i) positions_[at(region.places[i])] = static_cast<std::uint32_t>(number(i));
    reduced_.resize(size - 1 + first);
    for (std::size_t i = 0; i < size; ++i) {
        if (number(i) == 0) continue;
        const Node head = best_[at(region.places[i]) - 1];
        const bool outside = head == root && region.under_root();
        reduced_[number(i) - 1] = outside ? root : static_cast<Node>(positions_[at(head)]);
    }
    return is_tree_(reduced_, {region.under_root() && single_root, true});
}

bool RegionDecoder::decode(const Edges& edges, const TreeRules& rules, Locks& locks, std::span<Node> heads) {
    best_.resize(heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
        best_[i] = edges.best_head(static_cast<Node>(i + 1));
        if (best_[i] == corpus::none) return false;
    }
    if (is_tree_(best_, rules)) {
        std::ranges::copy(best_, heads.begin());
        return true;
    }
    if (!rules.projective) return arborescence_.decode(edges, rules.single_root, heads);
    if (!locks.has_faces()) return projective_.decode(edges, nullptr, rules.single_root, heads);
    find_open_faces(locks);
    for (const Faces::Face face : open_faces_) {
        const Region region = locks.faces().region(face);
        if (best_heads_fit(region, rules.single_root)) continue;
        if (!projective_.decode(edges, nullptr, rules.single_root, region, best_)) return false;
    }
    std::ranges::copy(best_, heads.begin());
    return true;
}

bool RegionDecoder::decode(const Edges& edges, const Parts& parts, const TreeRules& rules, Locks& locks,
                           std::span<Node> heads) {
    if (!locks.has_faces()) return projective_.decode(edges, &parts, rules.single_root, heads);
    best_.resize(heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) best_[i] = edges.first_alive(static_cast<Node>(i + 1));
    find_open_faces(locks);
    for (const Faces::Face face : open_faces_)
        if (!projective_.decode(edges, &parts, rules.single_root, locks.faces().region(face), best_)) return false;
    std::ranges::copy(best_, heads.begin());
    return true;
}

}  // namespace laconic::graph
