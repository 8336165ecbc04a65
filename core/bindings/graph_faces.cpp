#include "bindings/common.hpp"
#include "graph/faces.hpp"

namespace laconic::bindings {

namespace {

using namespace laconic::graph;

void check_word(const Faces& faces, Node word) {
    if (word < 1 || static_cast<std::size_t>(word) > faces.words()) throw std::invalid_argument("no such word");
}

std::vector<Node> candidates(const Faces& faces, Node word) {
    check_word(faces, word);
    if (faces.is_locked(word)) return {faces.head(word)};
    std::vector<Node> heads;
    for (std::size_t head = 0; head <= faces.words(); ++head)
        if (faces.is_candidate(static_cast<Node>(head), word)) heads.push_back(static_cast<Node>(head));
    return heads;
}

}  // namespace

void graph_faces(nb::module_& core) {
    nb::module_ room = nb::cast<nb::module_>(core.attr("graph"));
    nb::class_<Faces>(room, "Faces", "Locked arcs of a sentence, and the heads that they leave to other words.")
        .def(
            "__init__",
            [](Faces* self, std::size_t words, bool single_root, bool projective) {
                if (words > 10'000) throw std::invalid_argument("too many words to lock arcs between them");
                new (self) Faces();
                self->start(words, {single_root, projective});
            },
            "words"_a, "single_root"_a = true, "projective"_a = true)
        .def_prop_ro("words", &Faces::words)
        .def_prop_ro("locked", &Faces::locked, "How many words are locked.")
        .def("candidates", &candidates, "word"_a,
             "The heads that some tree with all locked arcs gives to a word, in ascending order.")
        .def(
            "lock",
            [](Faces& self, Node head, Node word) {
                check_word(self, word);
                if (self.is_locked(word)) throw std::invalid_argument("the word is locked already");
                if (head != root) check_word(self, head);
                if (!self.is_candidate(head, word)) throw std::invalid_argument("locked arcs rule this arc out");
                self.lock(head, word);
                std::vector<Node> affected;
                self.each_affected([&](Node other) { affected.push_back(other); });
                return affected;
            },
            "head"_a, "word"_a, "Locks an arc; returns the words whose candidates may have changed.")
        .def(
            "regions",
            [](Faces& self) {
                std::vector<std::tuple<std::vector<Node>, Node>> regions;
                for (Faces::Face face = 0; face < self.faces(); ++face) {
                    const Region region = self.region(face);
                    regions.emplace_back(std::vector<Node>(region.places.begin(), region.places.end()), region.head);
                }
                return regions;
            },
            "Words on the border of each face, and the head of the arc above it, -1 for the first, which has none.");
}

}  // namespace laconic::bindings
