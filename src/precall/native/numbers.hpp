// Scores and grades from text, by a grammar of our own.
//
// The grammar is checked first, so that no library's taste in hexadecimal, commas or underscores
// gets in. Digits gathered on the way give most scores exactly by one multiplication or division
// (both operands are exact, so the result is correctly rounded); the rest goes to std::from_chars.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "problems.hpp"

namespace precall {

// Nothing when all is well, else what is wrong with the text.
using Fault = std::optional<Kind>;

Fault parse_number(std::string_view text, double& score);
Fault parse_number(std::string_view text, std::int64_t& grade);

}  // namespace precall
