#pragma once
// NumPy arrays in and out of the core.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace laconic::bindings {

// A read-only, contiguous array with a given number of dimensions.
template <class T, std::size_t Dimensions>
using Input = nanobind::ndarray<const T, nanobind::ndim<Dimensions>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::span<const T> span_of(const Input<T, 1>& array) {
    return {array.data(), array.shape(0)};
}

// The rows of a matrix one after another.
template <class T>
std::span<const T> span_of(const Input<T, 2>& matrix) {
    return {matrix.data(), matrix.shape(0) * matrix.shape(1)};
}

template <class T>
std::vector<T> vector_of(const Input<T, 1>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

template <class T>
using Output = nanobind::ndarray<nanobind::numpy, T>;

// Hands a vector over to NumPy without a copy.
template <class T>
Output<T> as_array(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nanobind::capsule owner(owned.release(),
                            [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return Output<T>(data, shape, owner);
}

template <class T>
Output<T> as_array(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return as_array(std::move(values), {size});
}

// Hands several over, as a tuple.
template <class... T>
auto as_arrays(std::vector<T>&&... values) {
    return std::make_tuple(as_array(std::move(values))...);
}

// A copy for NumPy of what stays here.
template <class Range>
auto copy_of(const Range& values) {
    return as_array(std::vector<std::remove_cvref_t<decltype(*values.begin())>>(values.begin(), values.end()));
}

}  // namespace laconic::bindings
