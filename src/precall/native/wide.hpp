// What is compiled once more for processors with registers of 32 bytes.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define PRECALL_WIDE __attribute__((target("avx2,bmi,popcnt")))
// All that it calls is compiled so with it.
#define PRECALL_ALL_WIDE __attribute__((target("avx2,bmi,popcnt"), flatten, noinline))
#else
#define PRECALL_ALL_WIDE
#endif

namespace precall {

inline bool has_wide() {
#if defined(PRECALL_WIDE)
    static const bool wide =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    return wide;
#else
    return false;
#endif
}

}  // namespace precall
