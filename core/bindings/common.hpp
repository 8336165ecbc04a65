#pragma once
// What every file of bindings uses: nanobind with its casters of standard types, arrays, checks, and how calls run
// without the interpreter's lock.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bindings/arrays.hpp"
#include "bindings/rooms.hpp"
#include "corpus/columns.hpp"
#include "features/lexicon.hpp"

namespace laconic::bindings {

namespace nb = nanobind;
using namespace nb::literals;
using corpus::Columns;

// For calls whose arguments need no guard of their own.
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// Runs what touches nothing of Python without the interpreter's lock.
template <class Run>
auto unlocked(Run&& run) {
    const nb::gil_scoped_release released;
    return run();
}

// The same for what reads a document: nobody may write to it meanwhile. The guard goes after the lock is back.
template <class Run>
auto unlocked(const Columns& columns, Run&& run) {
    const corpus::Reading reading(columns.access);
    return unlocked(run);
}

// The value that a name stands for; the error lists the names there are.
template <class T>
T choice(const std::string& name, const char* what, std::initializer_list<std::pair<const char*, T>> choices) {
    std::string known;
    for (const auto& [text, value] : choices) {
        if (name == text) return value;
        known += known.empty() ? text : std::string(", ") + text;
    }
    throw std::invalid_argument(std::string("no ") + what + " '" + name + "': choose one of " + known);
}

// The column that POS stands for.
inline corpus::Field pos_column(const std::string& name) {
    return choice<corpus::Field>(name, "column of tags",
                                 {{"upos", corpus::Field::upos}, {"xpos", corpus::Field::xpos}});
}

// Throws with this message unless all are below the count.
template <class T>
void check_numbers(std::span<const T> numbers, std::size_t count, const char* message) {
    if (std::ranges::any_of(numbers, [&](T number) { return number >= count; })) throw std::invalid_argument(message);
}

inline void check_sentences(std::span<const std::uint32_t> sentences, const Columns& columns) {
    check_numbers(sentences, columns.sentence_count(), "no such sentence");
}

// Rows of a lexicon have the columns of the plan that it was made for.
inline void check_lexicon(const features::Lexicon& lexicon, const features::Plan& plan) {
    if (lexicon.attributes() != features::WordColumns(plan).attributes)
        throw std::invalid_argument("plan and lexicon do not fit together");
}

inline void check_depths(std::span<const std::uint32_t> depths, const features::Plan& plan) {
    for (std::size_t i = 0; i < depths.size(); ++i)
        if (depths[i] > plan.size() || (i > 0 && depths[i] <= depths[i - 1]))
            throw std::invalid_argument("depths must ascend and not exceed the number of templates");
}

inline void check_temperatures(std::span<const double> temperatures, const features::Plan& plan) {
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (!temperatures.empty() &&
        (temperatures.size() != plan.size() + 1 || !std::ranges::all_of(temperatures, positive)))
        throw std::invalid_argument("one temperature above 0 per template, and one confidence before them");
}

// Forms as NumPy holds them: their bytes one after another, and where each begins and ends.
inline features::Forms forms_of(const Input<std::uint8_t, 1>& bytes, const Input<std::uint32_t, 1>& offsets) {
    return {std::string(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)), vector_of(offsets)};
}

inline std::string_view view_of(const nb::bytes& text) {
    return {text.c_str(), text.size()};
}

}  // namespace laconic::bindings
