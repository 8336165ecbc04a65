#pragma once
// One body, compiled for several instruction sets where the compiler can choose between them at load. For loops whose
// results do not depend on the width of registers: integers, or sums in an order of their own.

#if defined(__x86_64__) && defined(__GNUC__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define LACONIC_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LACONIC_WIDE
#endif
