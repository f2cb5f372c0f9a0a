// Registers of 32 bytes, where the compiler can make use of them and the processor has them.
#pragma once

namespace precall {

#if defined(__x86_64__) && defined(__GNUC__)
#define PRECALL_WIDE __attribute__((target("avx2,bmi,popcnt")))
// With all that it calls.
#define PRECALL_ALL_WIDE __attribute__((target("avx2,bmi,popcnt"), flatten, noinline))

inline bool has_wide() {
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    return wide;
}
#else
#define PRECALL_WIDE
#define PRECALL_ALL_WIDE

inline bool has_wide() {
    return false;
}
#endif

}  // namespace precall
