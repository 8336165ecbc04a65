#pragma once
// Decodes again after some edges died, some scores changed and some words were locked: only what is open, face by face.

#include "graph/arborescence.hpp"
#include "graph/locks.hpp"

namespace laconic::graph {

class RegionDecoder {
public:
    // The best tree by edges. Best heads that form a tree are it. Otherwise with exact rules for projective trees every
    // face with open words is looked at alone: its best heads, or a chart of the words on its border; without, the
    // decoder of the whole sentence is asked, for which a locked word is one with one head.
    [[nodiscard]] bool decode(const Edges& edges, const TreeRules& rules, Locks& locks, std::span<Node> heads);
    // With siblings, projective: a chart for each face with open words.
    [[nodiscard]] bool decode(const Edges& edges, const Parts& parts, const TreeRules& rules, Locks& locks,
                              std::span<Node> heads);

private:
    // Whether the best heads of a region's words are a tree.
    [[nodiscard]] bool best_heads_fit(const Region& region, bool single_root);
    void find_open_faces(Locks& locks);

    TreeCheck is_tree_;
    Arborescence arborescence_;
    ProjectiveDecoder projective_;
    std::vector<Node> best_, reduced_;
    std::vector<std::uint32_t> positions_;
    std::vector<Faces::Face> open_faces_;
};

}  // namespace laconic::graph
