#pragma once
// One function per room adds that room's submodule to laconic._core.

#include <nanobind/nanobind.h>

namespace laconic::bindings {

void corpus(nanobind::module_& core);
void corpus_formats(nanobind::module_& core);  // after corpus: adds to its submodule
void corpus_joined(nanobind::module_& core);   // after corpus: adds to its submodule
void corpus_words(nanobind::module_& core);    // after corpus: adds to its submodule
void features(nanobind::module_& core);
void graph(nanobind::module_& core);
void graph_arcs(nanobind::module_& core);      // after graph: adds to its submodule
void graph_factored(nanobind::module_& core);  // after graph_arcs: adds to its submodule
void graph_parser(nanobind::module_& core);    // after graph_factored: adds to its submodule
void graph_siblings(nanobind::module_& core);  // after graph_arcs: adds to its submodule
void graph_rounds(nanobind::module_& core);    // after graph: adds to its submodule
void graph_faces(nanobind::module_& core);     // after graph: adds to its submodule
void label(nanobind::module_& core);
void label_tensor(nanobind::module_& core);  // after label and learn_factors: adds to its submodule
void learn(nanobind::module_& core);
void learn_hidden(nanobind::module_& core);    // after learn: adds to its submodule
void learn_factors(nanobind::module_& core);   // after learn: adds to its submodule
void learn_training(nanobind::module_& core);  // after learn: adds to its submodule
void query(nanobind::module_& core);           // after corpus
void search(nanobind::module_& core);
void search_discovery(nanobind::module_& core);  // after search and learn: adds to its submodule
void tag(nanobind::module_& core);
void tag_lemmas(nanobind::module_& core);    // after tag: adds to its submodule
void tag_entities(nanobind::module_& core);  // after tag: adds to its submodule
void text(nanobind::module_& core);
void transition(nanobind::module_& core);
void transition_parser(nanobind::module_& core);    // after transition: adds to its submodule
void transition_training(nanobind::module_& core);  // after transition_parser: learns its models

}  // namespace laconic::bindings
