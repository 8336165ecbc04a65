#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/rooms.hpp"
#include "corpus/projectivity.hpp"

namespace nb = nanobind;
using namespace laconic::corpus;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const In<T>& array) {
    return {array.data(), array.shape(0)};
}

template <class T>
Out<T> give(std::vector<T>&& values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    const std::size_t size = owned->size();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Out<T>(data, {size}, owner);
}

// Calls `work(begin, size)` for each sentence, without the GIL; an error names the sentence.
template <class Work>
void each_sentence(std::span<const std::uint32_t> starts, std::size_t words, Work&& work) {
    if (starts.empty() || starts.front() != 0 || starts.back() != words)
        throw std::invalid_argument("sentence starts must begin with 0 and end with the number of words");
    const nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        if (starts[i] > starts[i + 1]) throw std::invalid_argument("sentence starts must ascend");
        try {
            work(std::size_t{starts[i]}, std::size_t{starts[i + 1]} - starts[i]);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("sentence " + std::to_string(i + 1) + ": " + error.what());
        }
    }
}

Out<std::uint8_t> nonprojective(const In<std::int32_t>& heads, const In<std::uint32_t>& starts) {
    std::vector<std::uint8_t> arcs(heads.shape(0));
    each_sentence(view(starts), arcs.size(), [&](std::size_t begin, std::size_t size) {
        const std::vector<std::uint8_t> part = nonprojective_arcs(view(heads).subspan(begin, size));
        std::copy(part.begin(), part.end(), arcs.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    return give(std::move(arcs));
}

std::pair<Out<std::int32_t>, Out<std::uint8_t>> lifted(const In<std::int32_t>& heads, const In<std::uint32_t>& starts) {
    std::vector<std::int32_t> result(view(heads).begin(), view(heads).end());
    std::vector<std::uint8_t> crossed(result.size());
    each_sentence(view(starts), result.size(), [&](std::size_t begin, std::size_t size) {
        lift(std::span(result).subspan(begin, size), std::span(crossed).subspan(begin, size));
    });
    return {give(std::move(result)), give(std::move(crossed))};
}

// The last four arrays say, for each distinct label, what it encodes.
Out<std::int32_t> unlifted(const In<std::int32_t>& heads, const In<std::uint32_t>& starts,
                           const In<std::int32_t>& codes, const In<std::int32_t>& labels,
                           const In<std::int32_t>& targets, const In<std::uint8_t>& lifts,
                           const In<std::uint8_t>& paths, bool follow_path) {
    const std::size_t kinds = labels.shape(0);
    if (targets.shape(0) != kinds || lifts.shape(0) != kinds || paths.shape(0) != kinds ||
        codes.shape(0) != heads.shape(0))
        throw std::invalid_argument("heads and codes, and the parts of labels, must have the same length");
    std::vector<std::int32_t> result(view(heads).begin(), view(heads).end());
    std::vector<Mark> marks;
    each_sentence(view(starts), result.size(), [&](std::size_t begin, std::size_t size) {
        marks.clear();
        for (const std::int32_t code : view(codes).subspan(begin, size)) {
            const auto kind = static_cast<std::size_t>(code);
            if (code < 0 || kind >= kinds) throw std::invalid_argument("a code has no label");
            marks.push_back({view(labels)[kind], view(targets)[kind], view(lifts)[kind] != 0, view(paths)[kind] != 0});
        }
        unlift(std::span(result).subspan(begin, size), marks, follow_path);
    });
    return give(std::move(result));
}

}  // namespace

void laconic::bindings::corpus_formats(nb::module_& core) {
    auto room = nb::cast<nb::module_>(core.attr("corpus"));
    room.def("nonprojective_arcs", nonprojective, nb::arg("heads"), nb::arg("starts"));
    room.def("lift", lifted, nb::arg("heads"), nb::arg("starts"));
    room.def("unlift", unlifted, nb::arg("heads"), nb::arg("starts"), nb::arg("codes"), nb::arg("labels"),
             nb::arg("targets"), nb::arg("lifts"), nb::arg("paths"), nb::arg("follow_path"));
}
