#include "numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <string>

#if !defined(__cpp_lib_to_chars)
#include <locale>
#include <sstream>
#endif

#include "digits.hpp"
#include "rounding.hpp"

namespace precall {

namespace {

// Whole numbers below are doubles.
constexpr double EXACT = 0x1p53;
constexpr std::int64_t EXPONENT_LIMIT = 1'000'000'000'000;

bool is_digit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}

// A decimal literal: digits × 10^exponent, and whether `digits` holds all of them.
struct Decimal {
    std::uint64_t digits = 0;
    std::int64_t exponent = 0;
    std::int64_t significant = 0;  // digits from the first that is not zero
    bool any = false;

    void take(char c) {
        any = true;
        if (significant > 0 || c != '0') ++significant;
        if (significant <= 19) digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
    }
};

// Reads [eE][+-]?digits at the end of a literal; false if it is not one.
bool take_exponent(const char* at, const char* end, Decimal& decimal) {
    if (at == end) return true;
    if (*at != 'e' && *at != 'E') return false;
    ++at;
    const bool minus = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return false;
    std::int64_t exponent = 0;
    for (; at != end; ++at) {
        if (!is_digit(*at)) return false;
        if (exponent < EXPONENT_LIMIT) exponent = exponent * 10 + (*at - '0');
    }
    decimal.exponent += minus ? -exponent : exponent;
    return true;
}

bool equals_word(std::string_view text, std::string_view word) {
    if (text.size() != word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = text[i];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != word[i]) return false;
    }
    return true;
}

Fault word_score(std::string_view text, bool minus, double& score) {
    if (equals_word(text, "inf") || equals_word(text, "infinity")) {
        score = minus ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        return std::nullopt;
    }
    return equals_word(text, "nan") ? Kind::nan : Kind::score;
}

// False if the literal is too large or too small for any double but zero.
bool convert(std::string_view text, double& value) {
#if defined(__cpp_lib_to_chars)
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
#else
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    stream >> value;
    return !stream.fail() && value <= std::numeric_limits<double>::max();
#endif
}

// Whether a double is a whole number as it is written out.
bool is_same(std::string_view digits, double value) {
    char written[400];
#if defined(__cpp_lib_to_chars)
    const char* const end = std::to_chars(written, written + sizeof written, value, std::chars_format::fixed, 0).ptr;
#else
    const char* const end = written + std::snprintf(written, sizeof written, "%.0f", value);
#endif
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits == std::string_view(written, static_cast<std::size_t>(end - written));
}

// Whether nothing follows the integer of a grade, or a point and zeros: 1 is 1.0 where columns had gaps.
bool are_zeros(std::string_view rest) {
    return rest.empty() || (rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of('0', 1) == rest.npos);
}

Fault long_score(std::string_view text, const Decimal& decimal, bool minus, bool whole, double& score) {
    double value = 0;
    const bool short_way = decimal.significant <= 19 && decimal.exponent < 0 && decimal.exponent >= -RECIPROCALS &&
                           scale_down(decimal.digits, static_cast<int>(-decimal.exponent), value);
    if (!short_way && decimal.significant > 0 && !convert(text, value)) {
        // Out of range either way; the place of the leading digit tells which.
        if (decimal.significant + decimal.exponent > 0) return Kind::score_range;
        value = 0;
    }
    if (whole && value >= EXACT && !is_same(text, value)) return Kind::inexact;
    score = minus ? -value : value;
    return std::nullopt;
}

}  // namespace

Fault parse_number(std::string_view text, double& score) {
    const char *at = text.data(), *const end = at + text.size();
    const bool minus = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    const char* const unsigned_at = at;
    Decimal decimal;
    for (; at != end && is_digit(*at); ++at) decimal.take(*at);
    const bool whole = at == end;
    if (at != end && *at == '.') {
        const char* const point = at;
        for (++at; at != end && is_digit(*at); ++at) decimal.take(*at);
        decimal.exponent = -(at - point - 1);
    }
    const std::string_view rest(unsigned_at, static_cast<std::size_t>(end - unsigned_at));
    if (!decimal.any) return word_score(rest, minus, score);
    if (at != end && !take_exponent(at, end, decimal)) return Kind::score;
    const std::int64_t exponent = decimal.exponent;
    if (decimal.significant > 15 || exponent < -22 || exponent > 22) {
        return long_score(rest, decimal, minus, whole, score);
    }
    const auto digits = static_cast<double>(decimal.digits);
    const double value = exponent < 0 ? digits / POWER[-exponent] : digits * POWER[exponent];
    score = minus ? -value : value;
    return std::nullopt;
}

Fault parse_number(std::string_view text, std::int64_t& grade) {
    const char *at = text.data(), *const end = at + text.size();
    const bool minus = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    const char* const unsigned_at = at;
    constexpr std::int64_t beyond = std::int64_t{1} << 40;
    std::int64_t value = 0;
    for (; at != end && is_digit(*at); ++at) {
        if (value < beyond) value = value * 10 + (*at - '0');
    }
    if (at == unsigned_at || !are_zeros({at, static_cast<std::size_t>(end - at)})) return Kind::grade;
    grade = minus ? -value : value;
    if (grade < std::numeric_limits<std::int32_t>::min() || grade > std::numeric_limits<std::int32_t>::max()) {
        return Kind::grade_range;
    }
    return std::nullopt;
}

}  // namespace precall
