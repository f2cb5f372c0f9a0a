// What all targets share: a law that does not hold ends the program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "memory.hpp"

inline void demand(bool holds, const char* law) {
    if (holds) return;
    std::fprintf(stderr, "broken law: %s\n", law);
    std::abort();
}

namespace precall {

template <class T>
bool same(const Column<T>& a, const Column<T>& b) {
    return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace precall

// Takes values from the input's bytes; zeros when they are used up.
class Input {
  public:
    Input(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}

    template <class T>
    T take() {
        T value{};
        const std::size_t size = left_ < sizeof(T) ? left_ : sizeof(T);
        if (size > 0) std::memcpy(&value, at_, size);
        at_ += size;
        left_ -= size;
        return value;
    }
    std::size_t left() const { return left_; }

  private:
    const std::uint8_t* at_;
    std::size_t left_;
};
