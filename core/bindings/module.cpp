#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "base/error.hpp"
#include "bindings/rooms.hpp"

namespace nb = nanobind;

namespace {

// Raises laconic.errors.<name>(args...) in place of a C++ exception.
template <class... Args>
void raise(const char* name, Args&&... args) {
    const nb::object type = nb::module_::import_("laconic.errors").attr(name);
    const nb::object error = type(std::forward<Args>(args)...);
    PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
    try {
        std::rethrow_exception(pointer);
    } catch (const laconic::InputError& error) {
        raise("InputError", error.what(), error.file, error.line, error.column);
    } catch (const laconic::ModelError& error) {
        raise("ModelError", error.what());
    } catch (const laconic::ConfigError& error) {
        raise("ConfigError", error.what());
    }
}

}  // namespace

NB_MODULE(_core, core) {
    core.doc() = "The compiled heart of laconic: the loops that run per character, token or decision.";
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    // Python leaves objects alive at its end, as those of threads that still run: nothing that a user could mend.
    nb::set_leak_warnings(false);
#endif
    nb::register_exception_translator(translate);
    laconic::bindings::corpus(core);
    laconic::bindings::corpus_formats(core);
    laconic::bindings::corpus_joined(core);
    laconic::bindings::corpus_words(core);
    laconic::bindings::query(core);
    laconic::bindings::features(core);
    laconic::bindings::learn(core);
    laconic::bindings::learn_hidden(core);
    laconic::bindings::learn_factors(core);
    laconic::bindings::learn_training(core);
    laconic::bindings::label(core);
    laconic::bindings::label_tensor(core);
    laconic::bindings::graph(core);
    laconic::bindings::graph_arcs(core);
    laconic::bindings::graph_factored(core);
    laconic::bindings::graph_siblings(core);
    laconic::bindings::graph_parser(core);
    laconic::bindings::graph_faces(core);
    laconic::bindings::graph_rounds(core);
    laconic::bindings::search(core);
    laconic::bindings::search_discovery(core);
    laconic::bindings::tag(core);
    laconic::bindings::tag_lemmas(core);
    laconic::bindings::tag_entities(core);
    laconic::bindings::text(core);
    laconic::bindings::transition(core);
    laconic::bindings::transition_parser(core);
    laconic::bindings::transition_training(core);
}
