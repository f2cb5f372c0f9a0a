// Four numbers that are worked on side by side: registers of 32 bytes where there are, else of 16.
#pragma once

#include <cstring>

namespace precall {

#if defined(__GNUC__)
using Lanes = double __attribute__((vector_size(32)));
#else
struct Lanes {
    double at[4] = {};

    friend Lanes operator+(Lanes a, const Lanes& b) { return a.each(b, [](double x, double y) { return x + y; }); }
    friend Lanes operator-(Lanes a, const Lanes& b) { return a.each(b, [](double x, double y) { return x - y; }); }
    friend Lanes operator*(Lanes a, const Lanes& b) { return a.each(b, [](double x, double y) { return x * y; }); }
    friend Lanes operator*(Lanes a, double times) { return a.each(a, [times](double x, double) { return x * times; }); }
    friend Lanes operator-(Lanes a) { return a.each(a, [](double x, double) { return -x; }); }
    Lanes& operator+=(const Lanes& more) { return *this = *this + more; }

    template <class Work>
    Lanes& each(const Lanes& other, const Work& work) {
        for (int i = 0; i < 4; ++i) at[i] = work(at[i], other.at[i]);
        return *this;
    }
};
#endif

constexpr std::size_t lanes = sizeof(Lanes) / sizeof(double);

// By reference: how such numbers are handed over depends on the processor.
inline void load(Lanes& to, const double* from) { std::memcpy(&to, from, sizeof to); }

inline void fill(Lanes& to, double value) {
    const double four[] = {value, value, value, value};
    load(to, four);
}

inline void store(double* to, const Lanes& from) { std::memcpy(to, &from, sizeof from); }

// The greater one; the one before where the other is no number.
inline void raise(Lanes& most, const Lanes& other) {
#if defined(__GNUC__)
    most = other > most ? other : most;
#else
    most.each(other, [](double x, double y) { return y > x ? y : x; });
#endif
}

}  // namespace precall
