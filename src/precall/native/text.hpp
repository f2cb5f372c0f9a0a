// Where fields and lines end, and whether a line is text at all.
//
// Reading is bound by how fast blanks are found. `find_separators` classifies 64 bytes at a time
// into one bit each and lists the positions of the bits; a row is then a handful of positions, and
// no byte of an ignored field is looked at twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace precall {

inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

struct Separators {
    std::size_t count = 0;
    std::size_t lines = 0;  // how many of them end a line
    bool odd = false;       // some byte is NUL or not ASCII
    bool doubled = false;   // two stand side by side, or one stands first
    std::size_t carriages = 0;  // carriage returns, of cells
};

// Positions of blanks and line ends in a text below 4 GiB; `at` has room for one per byte and 64 more.
Separators find_separators(std::string_view text, std::uint32_t* at);
// The same of a table: positions of separators of cells and of line ends; a quote is odd, too.
Separators find_cells(std::string_view text, char separator, std::uint32_t* at);

// Texts are looked at in windows that stay in the fastest cache.
inline constexpr std::size_t WINDOW = 1u << 15;

// Where a line ends that is looked at from here: at its line feed, or at the end of the text.
std::size_t line_end(std::string_view text, std::size_t from);
// Where whole lines of a window end, or one line that is longer.
std::size_t window_end(std::string_view text, std::size_t begin, std::size_t window = WINDOW);

bool has_odd_byte(std::string_view text);
bool is_utf8(std::string_view text);

// The fields of one line: the first `LIMIT` of them, and how many there are.
struct Fields {
    static constexpr int LIMIT = 6;
    std::string_view field[LIMIT];
    std::int64_t count = 0;

    void add(std::string_view text) {
        if (count < LIMIT) field[count] = text;
        ++count;
    }
};

Fields split(std::string_view line);

}  // namespace precall
