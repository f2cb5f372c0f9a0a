// The commonest numbers, such as 12.345678, 0.12345678901234567 or 7, without a loop.
//
// Eight characters are one word: whether all of them are digits is one sum and one difference, and
// three multiplications make pairs, fours and eight digits of them. What does not fit here is left
// to `parse_number`, which knows the whole grammar; what fits gives the same bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "rounding.hpp"

namespace precall {

// Powers of ten that a double holds exactly.
inline constexpr double POWER[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Whole words are read, up to this many bytes behind a text.
inline constexpr std::ptrdiff_t QUICK_MARGIN = 16;

inline std::uint64_t word_at(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    return word;
}

inline constexpr std::uint64_t ZEROS = 0x3030303030303030;

// The high bit of the first byte that is no digit is set; none is if all are digits.
inline std::uint64_t not_digits(std::uint64_t word) {
    return ((word + 0x4646464646464646) | (word - ZEROS)) & 0x8080808080808080;
}

// The first `size` (1 to 8) bytes as eight digits, zeros in front.
inline std::uint64_t right_aligned(std::uint64_t word, std::size_t size) {
    return (word << (8 * (8 - size))) | (ZEROS >> (4 * size) >> (4 * size));
}

inline std::uint64_t eight_digits(std::uint64_t word) {
    word = (word & 0x0F0F0F0F0F0F0F0F) * (256 * 10 + 1) >> 8;
    word = (word & 0x00FF00FF00FF00FF) * (65536 * 100 + 1) >> 16;
    return (word & 0x0000FFFF0000FFFF) * ((std::uint64_t{1} << 32) * 10000 + 1) >> 32;
}

// Digits with one point among them, which is taken out: up to eight without it, or fifteen in two words.
inline bool pointed_digits(const char* at, std::size_t size, std::size_t whole, std::uint64_t& digits) {
    if (size < 2 || size > 16) return false;
    // Bytes behind the point move up by one.
    const std::uint64_t before = (std::uint64_t{1} << (8 * whole)) - 1;
    const std::uint64_t joined = (word_at(at) & before) | (word_at(at + 1) & ~before);
    const std::size_t count = size - 1;
    const std::uint64_t head = right_aligned(joined, count < 8 ? count : 8);
    digits = eight_digits(head);
    std::uint64_t odd = not_digits(head);
    if (count > 8) {
        const std::uint64_t tail = right_aligned(word_at(at + 9), count - 8);
        odd |= not_digits(tail);
        digits = digits * static_cast<std::uint64_t>(POWER[count - 8]) + eight_digits(tail);
    }
    return odd == 0;
}

// Nine to nineteen digits: the first eight in a word, the others where they stand.
inline bool many_digits(std::uint64_t first, const char* rest, std::size_t count, std::uint64_t& digits) {
    if (count < 9 || count > 19) return false;
    const std::size_t second = count < 16 ? count - 8 : 8;
    const std::uint64_t middle = right_aligned(word_at(rest), second);
    std::uint64_t odd = not_digits(first) | not_digits(middle);
    digits = eight_digits(first) * static_cast<std::uint64_t>(POWER[second]) + eight_digits(middle);
    if (count > 16) {
        const std::uint64_t last = right_aligned(word_at(rest + 8), count - 16);
        odd |= not_digits(last);
        digits = digits * static_cast<std::uint64_t>(POWER[count - 16]) + eight_digits(last);
    }
    return odd == 0;
}

// A number of more than sixteen characters, `whole` of them before its point, as floats are written in full.
inline bool long_number(const char* at, std::size_t size, std::size_t whole, double& value) {
    const std::size_t behind = size - whole - 1;
    if (behind > RECIPROCALS) return false;
    std::uint64_t digits = 0;
    if (whole == 1 && *at == '0') {
        // Zeros before the first digit are not counted among the nineteen.
        const std::uint64_t others = word_at(at + 2) ^ ZEROS;
        if (others == 0) return false;
        const auto zeros = static_cast<std::size_t>(std::countr_zero(others)) / 8;
        const char* const first = at + 2 + zeros;
        if (!many_digits(word_at(first), first + 8, behind - zeros, digits)) return false;
    } else {
        const std::uint64_t before = (std::uint64_t{1} << (8 * whole)) - 1;
        const std::uint64_t joined = (word_at(at) & before) | (word_at(at + 1) & ~before);
        if (!many_digits(joined, at + 9, size - 1, digits)) return false;
    }
    return scale_down(digits, static_cast<int>(behind), value);
}

inline bool quick_number(std::string_view text, double& score) {
    if constexpr (std::endian::native != std::endian::little) return false;
    const bool minus = text.front() == '-';
    const char* const at = text.data() + minus;
    const std::size_t size = text.size() - minus;
    const std::uint64_t word = word_at(at), stop = not_digits(word);
    // One to seven digits before the point or the end.
    const auto whole = static_cast<std::size_t>(std::countr_zero(stop)) / 8;
    if (stop == 0 || whole == 0 || whole > size) return false;
    std::uint64_t digits = 0;
    double value = 0;
    if (whole == size) {
        value = static_cast<double>(static_cast<std::int64_t>(eight_digits(right_aligned(word, whole))));
    } else if (at[whole] != '.') {
        return false;
    } else if (size > 16) {
        if (!long_number(at, size, whole, value)) return false;
    } else {
        if (!pointed_digits(at, size, whole, digits)) return false;
        // Fifteen digits at most, so that both are exact and the quotient is rounded once.
        value = static_cast<double>(static_cast<std::int64_t>(digits)) / POWER[size - whole - 1];
    }
    score = minus ? -value : value;
    return true;
}

inline bool quick_number(std::string_view text, std::int64_t& grade) {
    if constexpr (std::endian::native != std::endian::little) return false;
    const bool minus = text.front() == '-';
    const std::size_t size = text.size() - minus;
    if (size == 0 || size > 8) return false;
    const std::uint64_t word = right_aligned(word_at(text.data() + minus), size);
    if (not_digits(word) != 0) return false;
    const auto value = static_cast<std::int64_t>(eight_digits(word));
    grade = minus ? -value : value;
    return true;
}

}  // namespace precall
