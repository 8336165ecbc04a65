#include <nanobind/nanobind.h>

#include "bindings/rooms.hpp"

namespace nb = nanobind;

void laconic::bindings::features(nb::module_& core) {
    nb::module_ room = core.def_submodule("features", "Core of laconic.features.");
}
