#include "learn/kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

#include "learn/kernel_sets.hpp"

namespace laconic::learn {

namespace {

struct InstructionSet {
    const char* name;
    const Kernels* kernels;
    bool (*is_there)();
};

#if defined(LACONIC_X86)
bool has_avx2() {
    return __builtin_cpu_supports("avx2") != 0;
}
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512vnni") != 0;
}
#endif

// The best last.
constexpr std::array all_sets{
    InstructionSet{"portable", &portable_kernels, [] { return true; }},
#if defined(LACONIC_X86)
    InstructionSet{"avx2", &avx2_kernels, has_avx2},
    InstructionSet{"avx512", &avx512_kernels, has_avx512},
#endif
};

const InstructionSet* best() {
#if defined(LACONIC_X86)
    __builtin_cpu_init();  // this runs before main
#endif
    const InstructionSet* found = all_sets.data();
    for (const InstructionSet& one : all_sets)
        if (one.is_there()) found = &one;
    return found;
}

std::atomic<const InstructionSet*> chosen{best()};

const Kernels& now() noexcept {
    return *chosen.load(std::memory_order_relaxed)->kernels;
}

}  // namespace

AddRows add_rows() noexcept {
    return now().add_rows;
}

TopTwo top_two() noexcept {
    return now().top_two;
}

AddRowsAndSums add_rows_and_sums() noexcept {
    return now().add_rows_and_sums;
}

ScoreLabels score_labels() noexcept {
    return now().score_labels;
}

LeadLabels lead_labels() noexcept {
    return now().lead_labels;
}

std::string instruction_set() noexcept {
    return chosen.load(std::memory_order_relaxed)->name;
}

bool uses_avx2() noexcept {
    return chosen.load(std::memory_order_relaxed) != all_sets.data();
}

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const InstructionSet& one : all_sets)
        if (one.is_there()) names.emplace_back(one.name);
    return names;
}

std::string use_instruction_set(const std::string& name) {
    if (name == "auto") {
        chosen = best();
        return instruction_set();
    }
    for (const InstructionSet& one : all_sets)
        if (name == one.name && one.is_there()) {
            chosen = &one;
            return name;
        }
    std::string known = "auto";
    for (const std::string& one : instruction_sets()) known += ", " + one;
    throw std::invalid_argument("no instruction set '" + name + "' on this machine, which has " + known);
}

}  // namespace laconic::learn
