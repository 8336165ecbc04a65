#pragma once
// One body, compiled for several instruction sets where the compiler can choose between them at load. For loops whose
// results do not depend on the width of registers: integers, or sums in an order of their own.
// Not under the sanitizers: the function that chooses runs while the module is loaded, before the calls into the
// sanitizer's library, which the compiler puts into it too, have their addresses.

#if defined(__x86_64__) && defined(__GNUC__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define LACONIC_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LACONIC_WIDE
#endif
