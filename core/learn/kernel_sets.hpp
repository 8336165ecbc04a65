#pragma once
// The kernels of one instruction set. For kernels.cpp, which chooses among them.

#include "learn/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define LACONIC_X86 1
#endif

namespace laconic::learn {

struct Kernels {
    AddRows add_rows;
    TopTwo top_two;
    AddRowsAndSums add_rows_and_sums;
    ScoreLabels score_labels;
    LeadLabels lead_labels;
};

extern const Kernels portable_kernels;
#if defined(LACONIC_X86)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;  // with the dot products of VNNI
#endif

}  // namespace laconic::learn
