// Digits and a negative power of ten as the nearest double, by one product of 64 and 128 bits.
//
// The reciprocal of the power is cut off behind 128 bits, so that the product is too small, by less than two units of the
// 128 bits that are kept. Only where half of the last bit of the double lies within these two it is left open how to round.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "product.hpp"

namespace precall {

// 10^-k is 2^-shift times a number of which the whole part is `high` and `low`, 128 bits.
struct Reciprocal {
    std::uint64_t high = 0, low = 0;
    int shift = 0;
};

// 5^k and twice the remainders of its division are numbers of two words.
inline constexpr int RECIPROCALS = 50;

constexpr Reciprocal reciprocal_of(int power) {
    Product five{0, 1};
    for (int i = 0; i < power; ++i) {
        const Product low = multiply_by_halves(five.low, 5);
        five = {five.high * 5 + low.high, low.low};
    }
    const int bits = static_cast<int>(five.high != 0 ? 64 + std::bit_width(five.high) : std::bit_width(five.low));
    // 2^(127 + bits) by 5^k, bit by bit.
    Product rest = bits > 64 ? Product{std::uint64_t{1} << (bits - 65), 0} : Product{0, std::uint64_t{1} << (bits - 1)};
    Reciprocal found{0, 0, 127 + bits + power};
    for (int i = 0; i < 128; ++i) {
        rest = {rest.high << 1 | rest.low >> 63, rest.low << 1};
        found.high = found.high << 1 | found.low >> 63;
        found.low <<= 1;
        if (rest.high > five.high || (rest.high == five.high && rest.low >= five.low)) {
            rest = {rest.high - five.high - (rest.low < five.low), rest.low - five.low};
            found.low |= 1;
        }
    }
    return found;
}

inline constexpr auto RECIPROCAL = [] {
    std::array<Reciprocal, RECIPROCALS + 1> all{};
    for (int power = 1; power <= RECIPROCALS; ++power) all[static_cast<std::size_t>(power)] = reciprocal_of(power);
    return all;
}();

// digits × 10^-power, of 1 to `RECIPROCALS`; false where the product does not tell how to round it.
inline bool scale_down(std::uint64_t digits, int power, double& value) {
    if (digits == 0) {
        value = 0;
        return true;
    }
    const Reciprocal& by = RECIPROCAL[static_cast<std::size_t>(power)];
    const int zeros = std::countl_zero(digits);
    digits <<= zeros;
    const Product coarse = multiply(digits, by.high), fine = multiply(digits, by.low);
    const std::uint64_t low = coarse.low + fine.high;
    const std::uint64_t high = coarse.high + (low < fine.high);
    // The first bit of the product is set, or the second.
    const int behind = 10 + static_cast<int>(high >> 63);
    const std::uint64_t half = std::uint64_t{1} << (behind - 1);
    const std::uint64_t rest = high & (2 * half - 1);
    if ((rest == half && low == 0) || (rest == half - 1 && low == ~std::uint64_t{0})) return false;
    const std::uint64_t kept = (high >> behind) + (rest >= half);
    const int exponent = behind + 128 - zeros - by.shift;
    value = static_cast<double>(static_cast<std::int64_t>(kept)) *
            std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
    return true;
}

}  // namespace precall
