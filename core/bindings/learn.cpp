#include <nanobind/nanobind.h>

#include "bindings/rooms.hpp"

namespace nb = nanobind;

void laconic::bindings::learn(nb::module_& core) {
    nb::module_ room = core.def_submodule("learn", "Core of laconic.learn.");
}
