#include <nanobind/nanobind.h>

#include "bindings/rooms.hpp"

namespace nb = nanobind;

void laconic::bindings::corpus(nb::module_& core) {
    nb::module_ room = core.def_submodule("corpus", "Core of laconic.corpus.");
}
