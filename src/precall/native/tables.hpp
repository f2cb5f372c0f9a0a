// Rows of tables in text: CSV, TSV, and objects of JSON, one to a line.
//
// Only what is ordinary is read here. Whatever asks for a decision or a message (a line end within quotes, a key that
// stands twice, a row too short, bytes that are no text) is `Irregular`: then the caller reads the table again, row by
// row, by rules that this file need not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "file.hpp"
#include "memory.hpp"
#include "text.hpp"

namespace precall {

struct Irregular : std::exception {};

// Which parts of a row are wanted: cells by their place, of `width` in each row, or values by their key.
struct Layout {
    char separator = ',';  // of cells; 0 where rows are objects of JSON
    std::size_t width = 0;
    std::vector<std::size_t> place;
    std::vector<std::string> key;

    std::size_t wanted() const { return separator == 0 ? key.size() : place.size(); }
};

struct Cell {
    // Of JSON: text, whole number, other number, true or null, list or object.
    enum class Kind { cell, text, whole, decimal, word, nested };
    std::string_view text;
    Kind kind = Kind::cell;
    bool copied = false;  // it lies elsewhere than the table, until the next row

    // As an id, as a label, and as what a number is read from.
    std::string_view id() const;
    std::string_view label() const;
    std::string_view number(bool whole) const;
};

// The rows of whole lines, one after another.
class TableRows {
  public:
    TableRows(std::string_view text, const Layout& layout);

    // False behind the last.
    bool next();
    const Cell& operator[](std::size_t wanted) const { return cells_[wanted]; }

  private:
    void take_cells();
    Cell quoted_cell(std::string& copy);
    void end_line();

    void take_object();
    std::size_t role_of(std::string_view key) const;
    Cell json_text(std::string& copy);
    void take_escape(std::string& copy);
    unsigned take_unit();
    Cell json_value(std::size_t role, int depth);
    void skip_nested(int depth);
    void skip_blanks();
    bool skip(char c);
    void skip_digits();

    const Layout& layout_;
    const char* at_;
    const char* const end_;
    std::vector<std::size_t> role_;  // of each cell of a row
    std::vector<Cell> cells_;        // one more than are wanted, for those that are not
    std::vector<std::string> copies_;
    std::string key_;
    std::vector<bool> met_;
};

// Texts of which there are few, each with a number.
struct Coded {
    Column<std::int32_t> code;
    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> start{0};
};

// Columns of a table; of each wanted one of the two is there.
struct TableColumns {
    std::vector<Column<double>> score;
    std::vector<Coded> coded;
};

// The rows of a file from `begin` on. `kinds`: of each that is wanted 's' (a score) or 'c' (a label). Where all lines of a
// window hold the right number of cells without quotes, which shows at once in their separators, cells are taken straight
// from there; any other window is read row by row. Both ways agree on what a cell is. A piece is in memory at a time.
TableColumns columns_of(const File& file, std::size_t begin, const Layout& layout, std::string_view kinds,
                        std::size_t piece = std::size_t{1} << 20, std::size_t window = WINDOW);

}  // namespace precall
