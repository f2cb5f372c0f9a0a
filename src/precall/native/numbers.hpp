// Scores and grades from text, by a grammar of our own.
//
// The grammar is checked first, so that no library's taste in hexadecimal, commas or underscores
// gets in. Digits gathered on the way give most scores exactly by one multiplication or division
// (both operands are exact, so the result is correctly rounded), and those of up to nineteen digits by `rounding.hpp`; the
// rest goes to std::from_chars.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "problems.hpp"

namespace precall {

// Nothing when all is well, else what is wrong with the text.
using Fault = std::optional<Kind>;

// A decimal is rounded to the nearest double; a whole number that is written out is exactly one, or inexact.
Fault parse_number(std::string_view text, double& score);
Fault parse_number(std::string_view text, std::int64_t& grade);

// As float32 holds it; false for a number that float32 rounds to infinity.
inline bool narrow(double& score) {
    const auto kept = static_cast<double>(static_cast<float>(score));
    if (std::isinf(kept) && kept != score) return false;
    score = kept;
    return true;
}

}  // namespace precall
