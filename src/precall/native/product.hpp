// Two words multiplied, to a word of each half.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace precall {

struct Product {
    std::uint64_t high, low;
};

// As at school, by halves of words.
constexpr Product multiply_by_halves(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t half = 0xFFFFFFFFu;
    const std::uint64_t low = (a & half) * (b & half), first = (a >> 32) * (b & half), second = (a & half) * (b >> 32);
    const std::uint64_t middle = (low >> 32) + (first & half) + (second & half);
    return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32) + (middle >> 32), middle << 32 | (low & half)};
}

inline Product multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#elif defined(_MSC_VER) && defined(_M_X64)
    Product product{};
    product.low = _umul128(a, b, &product.high);
    return product;
#else
    return multiply_by_halves(a, b);
#endif
}

}  // namespace precall
