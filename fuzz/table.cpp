// Weight tables and label sets from arrays of a model file: refused, or safe to decide with.

#include <array>
#include <bit>

#include "base/error.hpp"
#include "bytes.hpp"
#include "learn/decide.hpp"

using namespace laconic;
using namespace laconic::learn;
using fuzz::expect;

namespace {

struct Atoms {
    std::uint32_t seed;
    [[nodiscard]] Atom atom(std::uint16_t slot) const noexcept { return seed * 2654435761U + slot; }
    [[nodiscard]] std::span<const Atom> atoms(std::uint16_t) const noexcept { return {}; }
};

void decide_with(const Table& table, const LabelSets& sets, std::uint32_t seed) {
    std::vector<std::vector<std::uint16_t>> templates(table.templates(), {0});
    const Plan plan({features::Slot{}}, templates, std::vector<std::string>(templates.size(), "t"));
    std::vector<Exit> exits;
    for (std::uint32_t depth = 1; depth <= table.templates(); depth += 1 + depth / 2)
        exits.push_back({depth, static_cast<std::int32_t>(seed % 300)});
    if (table.templates() > 0) exits.push_back({static_cast<std::uint32_t>(table.templates()), never});
    Scratch scratch(table);
    for (std::size_t set = 0; set < sets.size() && set < 8; ++set) {
        Atoms atoms{seed + static_cast<std::uint32_t>(set)};
        const Decision decision = decide(table, plan, atoms, sets[set], exits, scratch);
        expect(std::ranges::binary_search(sets[set], decision.label), "the label is one of the candidates");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const auto shape = bytes.number<std::uint8_t>();
    // Mostly small numbers, else a wild one.
    const std::size_t labels = shape < 250 ? bytes.number<std::uint8_t>() : bytes.number<std::uint64_t>();
    const double scale = shape % 8 == 7 ? std::bit_cast<double>(bytes.number<std::uint64_t>()) : 1.5;
    const auto seed = bytes.number<std::uint32_t>();
    std::vector<std::uint64_t> directory{0};
    for (const std::uint8_t step : bytes.array<std::uint8_t>(40)) directory.push_back(directory.back() + step % 4);
    if (shape % 16 == 5) directory = bytes.array<std::uint64_t>(40);
    std::vector<std::uint32_t> begins{0};
    for (const std::uint8_t step : bytes.array<std::uint8_t>(40)) begins.push_back(begins.back() + step);
    if (shape % 16 == 6) begins = bytes.array<std::uint32_t>(40);
    std::vector<Label> members = bytes.array<Label>(600);
    if (shape % 4 == 1 && labels < 600) {  // the first set as it must be
        std::vector<Label> all(labels);
        for (std::size_t y = 0; y < labels; ++y) all[y] = static_cast<Label>(y);
        members.insert(members.begin(), all.begin(), all.end());
        for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += static_cast<std::uint32_t>(labels);
        if (begins.size() > 1) begins.back() = static_cast<std::uint32_t>(members.size());
        if (begins.size() > 1) begins.insert(begins.begin() + 1, static_cast<std::uint32_t>(labels));
    }
    std::vector<std::uint32_t> pairs = bytes.array<std::uint32_t>(400);
    if (shape % 2 == 0)
        for (std::uint32_t& pair : pairs) pair &= 0x00ff0007;
    std::string buckets(bytes.rest());
    if (shape % 4 < 3 && !directory.empty() && directory.back() < 200) {  // sizes that fit, or nothing is ever reached
        const std::size_t line = labels > 62 && labels <= max_dense_labels ? 128 : 64;
        buckets.resize(directory.back() * line);
    }
    try {
        const Table table(labels, scale, directory,
                          {reinterpret_cast<const std::uint8_t*>(buckets.data()), buckets.size()}, pairs);
        const Table copy(labels, scale, table.directory(), table.bytes(), table.packed_pairs());
        expect(copy.size() == table.size(), "a table is what its arrays say");
        decide_with(table, LabelSets(labels), seed);
        decide_with(table, LabelSets(labels, begins, members), seed);
    } catch (const ModelError&) {
    }
    try {
        LabelSets sets(labels, begins, members);
        const std::size_t count = sets.size();
        sets.add({0});
        expect(sets.size() <= count + 1, "a set is added once");
    } catch (const ModelError&) {
    }
    return 0;
}
