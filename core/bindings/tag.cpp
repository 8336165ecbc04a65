#include <nanobind/nanobind.h>

#include "bindings/rooms.hpp"

namespace nb = nanobind;

void laconic::bindings::tag(nb::module_& core) {
    nb::module_ room = core.def_submodule("tag", "Core of laconic.tag.");
}
