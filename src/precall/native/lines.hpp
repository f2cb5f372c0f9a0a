// One chunk of a file, from text to rows.
//
// Text is taken in windows that stay in the fastest cache. Where all lines of a window have the right
// number of fields with single blanks between them, which shows at once in its separators, fields
// are taken straight from there. Any other window (more blanks, comments, letters beyond ASCII, a
// wrong number of fields) is split with care, line by line. Both ways agree on what a row is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "problems.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace precall {

// Which fields of a line are what: run lines hold scores (double), qrels lines grades (integer).
template <class Value>
struct Grammar;
template <>
struct Grammar<double> {
    static constexpr int fields = 6, topic = 0, item = 2, value = 4;
};
template <>
struct Grammar<std::int64_t> {
    static constexpr int fields = 4, topic = 0, item = 2, value = 3;
};

// What the fields that are not read say of a run: whether all rows have the tag of the first, and whether within topics
// the ranks ascend; a rank that is no whole number of few digits is -1.
struct Looks {
    bool one_tag = true, ascends = true;
    std::string_view first_tag;
    std::int64_t first_rank = -1, last_rank = -1;
};

inline std::int64_t rank_of(std::string_view text) {
    if (text.empty() || text.size() > 9 || (text[0] == '0' && text.size() > 1)) return -1;
    std::int64_t rank = 0;
    for (const char letter : text) {
        if (letter < '0' || letter > '9') return -1;
        rank = 10 * rank + (letter - '0');
    }
    return rank;
}

// Whether a rank is greater than the one before it.
inline bool follows(std::int64_t before, std::int64_t rank) { return before >= 0 && rank > before; }

// Bytes of the shortest row: one for each field and one behind it.
template <class Value>
constexpr std::size_t shortest_row(bool in_table) {
    return 2 * static_cast<std::size_t>(in_table ? 3 : Grammar<Value>::fields);
}

template <class Value>
class Lines {
  public:
    // What one line of a text came to.
    enum class Outcome { nothing, row, problem };

    // Parses whole lines; forgets those of the call before.
    void parse(std::string_view text, bool float32);
    // The same of a table, of which topic, item and value are wanted; throws `Irregular`.
    void parse_table(std::string_view text, const Layout& layout, bool float32);

    Parsed<Value> rows;
    std::int64_t item_size = 0;
    std::int64_t lines = 0;
    std::string_view tag;  // of the last row
    Looks looks;
    Problems problems;

    static Outcome judge(std::string_view text, std::string_view line, const Fields& fields, bool odd, bool float32,
                         Value& value, Problem& problem);

  private:
    void begin(std::string_view text, bool float32, std::size_t shortest_row);
    void parse_window(std::string_view text);
    bool plain_line(const char* text, const std::uint32_t* at, std::size_t begin);
    bool is_regular(std::string_view text, const Separators& separators) const;
    void any_line(std::string_view line, const Fields& fields, bool odd);
    void look(std::string_view topic, std::string_view rank);
    void add_row(std::string_view topic, std::string_view item, Value value);
    void add_table_row(const Cell& topic, const Cell& item, Value value);

    std::string_view text_;
    std::string_view topic_;
    bool float32_ = false;
    std::vector<std::uint32_t> separators_;
};

// The line (1-based, within the text) that holds a row (0-based, within the text); 0 where there is none.
template <class Value>
std::int64_t line_of_row(std::string_view text, std::int64_t row, bool float32);

}  // namespace precall
