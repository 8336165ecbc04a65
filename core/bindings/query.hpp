#pragma once
// Adds the submodule of the query room to laconic._core.

#include <nanobind/nanobind.h>

namespace laconic::bindings {

void query(nanobind::module_& core);  // after corpus

}  // namespace laconic::bindings
