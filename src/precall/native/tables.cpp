#include "tables.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "digits.hpp"
#include "hashing.hpp"
#include "numbers.hpp"

namespace precall {

namespace {

// What Python's csv allows at most; it counts characters, which are no more than bytes.
constexpr std::size_t CELL_LIMIT = 131072;
// Digits of an integer that is an id as it is written.
constexpr std::size_t WHOLE_LIMIT = 18;
// Lists and objects within each other.
constexpr int DEPTH_LIMIT = 32;

bool is_digit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}

// Behind \u; beyond `0xF` where it is no digit.
unsigned hexadecimal(char c) {
    const auto letter = static_cast<unsigned>((c | 0x20) - 'a');
    return is_digit(c) ? static_cast<unsigned>(c - '0') : letter < 6 ? letter + 10 : 16;
}

void append_utf8(std::string& text, unsigned letter) {
    const auto byte = [&](unsigned mark, unsigned bits) { text.push_back(static_cast<char>(mark | bits)); };
    if (letter < 0x80) return byte(0, letter);
    if (letter < 0x800) {
        byte(0xC0, letter >> 6);
    } else {
        letter < 0x10000 ? byte(0xE0, letter >> 12) : byte(0xF0, letter >> 18);
        if (letter >= 0x10000) byte(0x80, letter >> 12 & 0x3F);
        byte(0x80, letter >> 6 & 0x3F);
    }
    byte(0x80, letter & 0x3F);
}

bool ends_cell(char c, char separator) {
    return c == separator || c == '\n' || c == '\r';
}

}  // namespace

std::string_view Cell::id() const {
    // An empty cell is missing, an empty text is not. To JSON -0 is 0.
    if (kind == Kind::text) return text;
    if ((kind == Kind::cell && !text.empty()) || (kind == Kind::whole && text.size() <= WHOLE_LIMIT && text != "-0")) return text;
    throw Irregular();
}

std::string_view Cell::label() const {
    // Cells may be empty, and of the words of JSON those for truth are labels.
    const bool is_label = kind == Kind::word ? text != "null" : kind == Kind::cell;
    return is_label ? text : id();
}

std::string_view Cell::number(bool whole) const {
    // The integer -0 of JSON is the score 0, not -0.
    const bool fits = kind == Kind::cell || (kind == Kind::decimal && !whole) || (kind == Kind::whole && text != "-0");
    if (!fits || copied || text.empty()) throw Irregular();
    return text;
}

TableRows::TableRows(std::string_view text, const Layout& layout)
    : layout_(layout),
      at_(text.data()),
      end_(text.data() + text.size()),
      role_(layout.width, layout.wanted()),
      cells_(layout.wanted() + 1),
      copies_(layout.wanted() + 1),
      met_(layout.wanted()) {
    for (std::size_t i = 0; i < layout.place.size(); ++i) role_[layout.place[i]] = i;
    if (has_odd_byte(text) && (text.find('\0') != std::string_view::npos || !is_utf8(text))) throw Irregular();
}

bool TableRows::next() {
    const bool is_json = layout_.separator == 0;
    for (; at_ != end_; end_line()) {
        if (is_json) skip_blanks();
        if (at_ == end_) break;
        if (*at_ == '\n' || *at_ == '\r') continue;
        is_json ? take_object() : take_cells();
        return true;
    }
    return false;
}

// A carriage return alone ends a line too, but only for those who read with care.
void TableRows::end_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ == end_ ? end_[-1] == '\r' : *at_++ != '\n') throw Irregular();
}

void TableRows::take_cells() {
    const char separator = layout_.separator;
    for (std::size_t place = 0;; ++place) {
        if (place == layout_.width) throw Irregular();
        const std::size_t role = role_[place];
        const char* const from = at_;
        if (at_ != end_ && *at_ == '"') {
            cells_[role] = quoted_cell(copies_[role]);
        } else {
            while (at_ != end_ && !ends_cell(*at_, separator)) ++at_;
            cells_[role] = {{from, static_cast<std::size_t>(at_ - from)}, Cell::Kind::cell};
        }
        if (at_ - from > static_cast<std::ptrdiff_t>(CELL_LIMIT)) throw Irregular();
        if (at_ != end_ && *at_ == separator) {
            ++at_;
            continue;
        }
        if (place + 1 != layout_.width) throw Irregular();
        break;
    }
    end_line();
}

// What stands between quotes, of which two are one.
Cell TableRows::quoted_cell(std::string& copy) {
    copy.clear();
    const char* from = ++at_;
    for (;;) {
        const void* const found = std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_));
        if (found == nullptr) throw Irregular();
        const char* const quote = static_cast<const char*>(found);
        const std::string_view part(from, static_cast<std::size_t>(quote - from));
        if (part.find_first_of("\r\n") != std::string_view::npos) throw Irregular();
        at_ = quote + 1;
        if (at_ != end_ && *at_ == '"') {
            copy.append(part).push_back('"');
            from = ++at_;
            continue;
        }
        if (at_ != end_ && !ends_cell(*at_, layout_.separator)) throw Irregular();
        if (copy.empty()) return {part, Cell::Kind::cell};
        return {copy.append(part), Cell::Kind::cell, true};
    }
}

void TableRows::take_object() {
    met_.assign(met_.size(), false);
    std::size_t left = met_.size();
    if (!skip('{')) throw Irregular();
    do {
        skip_blanks();
        const std::size_t role = role_of(json_text(key_).text);
        skip_blanks();
        if (!skip(':')) throw Irregular();
        skip_blanks();
        cells_[role] = json_value(role, 0);
        if (role < met_.size()) {
            // Of a key that stands twice the last counts, if all is well with the first.
            if (met_[role]) throw Irregular();
            met_[role] = true;
            --left;
        }
        skip_blanks();
    } while (skip(','));
    if (left > 0 || !skip('}')) throw Irregular();
    skip_blanks();
    if (at_ != end_ && *at_++ != '\n') throw Irregular();
}

std::size_t TableRows::role_of(std::string_view key) const {
    std::size_t role = 0;
    while (role < layout_.key.size() && layout_.key[role] != key) ++role;
    return role;
}

Cell TableRows::json_text(std::string& copy) {
    if (!skip('"')) throw Irregular();
    copy.clear();
    bool escaped = false;
    for (const char* from = at_;; from = at_) {
        while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= ' ') ++at_;
        const std::string_view part(from, static_cast<std::size_t>(at_ - from));
        if (skip('"')) return {escaped ? copy.append(part) : part, Cell::Kind::text, escaped};
        if (!skip('\\')) throw Irregular();
        escaped = true;
        take_escape(copy.append(part));
    }
}

void TableRows::take_escape(std::string& copy) {
    constexpr std::string_view written = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (at_ == end_) throw Irregular();
    const char mark = *at_++;
    if (const std::size_t place = written.find(mark); place != std::string_view::npos) return copy.push_back(meant[place]);
    if (mark != 'u') throw Irregular();
    unsigned letter = take_unit();
    // Two halves are a letter; one alone is none.
    if (letter >= 0xD800 && letter < 0xDC00 && skip('\\') && skip('u')) {
        const unsigned low = take_unit();
        if (low < 0xDC00 || low > 0xDFFF) throw Irregular();
        letter = 0x10000 + ((letter - 0xD800) << 10) + (low - 0xDC00);
    }
    if (letter >= 0xD800 && letter <= 0xDFFF) throw Irregular();
    append_utf8(copy, letter);
}

unsigned TableRows::take_unit() {
    unsigned unit = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned digit = at_ == end_ ? 16 : hexadecimal(*at_++);
        if (digit > 15) throw Irregular();
        unit = unit << 4 | digit;
    }
    return unit;
}

void TableRows::skip_nested(int depth) {
    const char close = *at_++ == '{' ? '}' : ']';
    skip_blanks();
    if (skip(close)) return;
    do {
        skip_blanks();
        if (close == '}') {
            json_text(key_);
            skip_blanks();
            if (!skip(':')) throw Irregular();
            skip_blanks();
        }
        json_value(layout_.wanted(), depth);
        skip_blanks();
    } while (skip(','));
    if (!skip(close)) throw Irregular();
}

Cell TableRows::json_value(std::size_t role, int depth) {
    if (at_ != end_ && *at_ == '"') return json_text(copies_[role]);
    if (at_ != end_ && (*at_ == '{' || *at_ == '[')) {
        if (depth == DEPTH_LIMIT) throw Irregular();
        skip_nested(depth + 1);
        return {{}, Cell::Kind::nested};
    }
    const char* const from = at_;
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    for (const std::string_view word : {"true", "false", "null"}) {
        if (rest.starts_with(word)) {
            at_ += word.size();
            return {word, Cell::Kind::word};
        }
    }
    skip('-');
    if (!skip('0')) skip_digits();
    bool whole = true;
    if (skip('.')) {
        whole = false;
        skip_digits();
    }
    if (skip('e') || skip('E')) {
        whole = false;
        if (!skip('-')) skip('+');
        skip_digits();
    }
    return {{from, static_cast<std::size_t>(at_ - from)}, whole ? Cell::Kind::whole : Cell::Kind::decimal};
}

// Blanks within a line; a carriage return is one to JSON.
void TableRows::skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

bool TableRows::skip(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
}

void TableRows::skip_digits() {
    if (at_ == end_ || !is_digit(*at_)) throw Irregular();
    while (at_ != end_ && is_digit(*at_)) ++at_;
}

namespace {

// Numbers texts as they come.
class Coder {
  public:
    explicit Coder(Coded& coded) : coded_(coded) {
        table_.reset(room_);
        letters_.fill(RowTable::NONE);
    }

    std::int32_t code(std::string_view text) {
        // Most labels are one letter, which needs no search.
        std::int64_t* const known = text.size() == 1 ? &letters_[static_cast<unsigned char>(text[0])] : nullptr;
        if (known != nullptr && *known != RowTable::NONE) return static_cast<std::int32_t>(*known);
        const std::int32_t code = search(text);
        if (known != nullptr) *known = code;
        return code;
    }

  private:
    std::int32_t search(std::string_view text) {
        const auto next = static_cast<std::int64_t>(coded_.start.size()) - 1;
        if (next == room_) grow();
        const std::int64_t known = add(text, next);
        if (known != RowTable::NONE) return static_cast<std::int32_t>(known);
        if (next == std::numeric_limits<std::int32_t>::max()) throw Irregular();
        coded_.bytes.insert(coded_.bytes.end(), text.begin(), text.end());
        coded_.start.push_back(static_cast<std::int64_t>(coded_.bytes.size()));
        return static_cast<std::int32_t>(next);
    }
    std::string_view text(std::int64_t code) const {
        const auto at = static_cast<std::size_t>(code);
        const auto begin = coded_.start[at];
        return {reinterpret_cast<const char*>(coded_.bytes.data()) + begin,
                static_cast<std::size_t>(coded_.start[at + 1] - begin)};
    }
    std::int64_t add(std::string_view text_given, std::int64_t next) {
        return table_.find_or_add(hash(text_given, secret()), next,
                                  [&](std::int64_t code) { return text(code) == text_given; });
    }
    void grow() {
        const std::int64_t count = room_;
        table_.reset(room_ *= 2);
        for (std::int64_t code = 0; code < count; ++code) add(text(code), code);
    }

    Coded& coded_;
    RowTable table_;
    std::array<std::int64_t, 256> letters_;
    std::int64_t room_ = 256;
};

// Takes columns from the rows of a table, one window after another.
class Taker {
  public:
    Taker(std::size_t bytes, const Layout& layout, std::string_view kinds)
        : layout_(layout), kinds_(kinds), bytes_(bytes) {
        columns_.score.resize(kinds.size());
        columns_.coded.resize(kinds.size());
        for (Coded& coded : columns_.coded) coders_.emplace_back(coded);
    }

    // Whole lines, and where the text ends that they are in.
    void take(std::string_view window, const char* end) {
        end_ = end;
        // One cell a line: an empty line would be a row.
        const bool quick = layout_.separator != 0 && layout_.width > 1 && window.size() <= WINDOW && window.back() == '\n';
        if (!(quick && take_regular(window))) take_rows(window);
        taken_ += window.size();
    }
    TableColumns finish();

  private:
    void make_room(std::size_t rows, std::size_t bytes);
    void resize(std::size_t rows);
    void take_rows(std::string_view window);
    bool take_regular(std::string_view window);
    std::string_view cell(std::string_view window, std::size_t number, std::size_t trimmed) const;
    double score_of(std::string_view number) const;

    const Layout& layout_;
    const std::string_view kinds_;
    const std::size_t bytes_;
    const char* end_ = nullptr;
    std::size_t taken_ = 0, count_ = 0, room_ = 0;
    TableColumns columns_;
    std::vector<Coder> coders_;
    std::vector<std::uint32_t> at_;  // where cells of a window end, behind the end of the line before
};

void Taker::resize(std::size_t rows) {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        (kinds_[i] == 's') ? columns_.score[i].resize(rows) : columns_.coded[i].code.resize(rows);
    }
}

// For so many rows more, in the next bytes; and at once for all, if those that are left are like these.
void Taker::make_room(std::size_t rows, std::size_t bytes) {
    const std::size_t least = count_ + rows;
    if (least <= room_) return;
    const double all = 1.02 * static_cast<double>(least) / static_cast<double>(taken_ + bytes) * static_cast<double>(bytes_);
    room_ = std::max({least, room_ + room_ / 4, std::min(static_cast<std::size_t>(all), bytes_)});
    resize(room_);
}

void Taker::take_rows(std::string_view window) {
    make_room(static_cast<std::size_t>(std::count(window.begin(), window.end(), '\n')) + 1, window.size());
    for (TableRows rows(window, layout_); rows.next(); ++count_) {
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            if (kinds_[i] == 's') {
                columns_.score[i][count_] = score_of(rows[i].number(false));
            } else {
                columns_.coded[i].code[count_] = coders_[i].code(rows[i].label());
            }
        }
    }
}

// False, and nothing is taken, where not all lines of a window have the right number of cells and nothing odd.
bool Taker::take_regular(std::string_view window) {
    const std::size_t width = layout_.width;
    at_.resize(WINDOW + 65);
    at_[0] = std::numeric_limits<std::uint32_t>::max();
    const Separators found = find_cells(window, layout_.separator, at_.data() + 1);
    const std::size_t rows = found.lines, trimmed = found.carriages > 0;
    if (found.odd || rows * width != found.count || (trimmed && found.carriages != rows)) return false;
    // With so many line ends in all, each in its place leaves none for another place; so it is with carriage returns.
    bool regular = true;
    for (std::size_t i = width; i <= found.count; i += width) {
        regular &= window[at_[i]] == '\n' && (!trimmed || window[at_[i] - 1] == '\r');
    }
    if (!regular) return false;
    make_room(rows, window.size());
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const std::size_t place = layout_.place[i], shorter = place + 1 == width ? trimmed : 0;
        if (kinds_[i] == 's') {
            double* const to = columns_.score[i].data() + count_;
            for (std::size_t row = 0; row < rows; ++row) to[row] = score_of(cell(window, row * width + place, shorter));
        } else {
            std::int32_t* const to = columns_.coded[i].code.data() + count_;
            Coder& coder = coders_[i];
            for (std::size_t row = 0; row < rows; ++row) to[row] = coder.code(cell(window, row * width + place, shorter));
        }
    }
    count_ += rows;
    return true;
}

std::string_view Taker::cell(std::string_view window, std::size_t number, std::size_t trimmed) const {
    const std::uint32_t begin = at_[number] + 1;
    return {window.data() + begin, at_[number + 1] - begin - trimmed};
}

// A score; a text that goes on behind it may be looked at by whole words.
double Taker::score_of(std::string_view number) const {
    if (number.empty()) throw Irregular();
    double score = 0;
    const bool roomy = end_ - (number.data() + number.size()) >= QUICK_MARGIN;
    if (!(roomy && quick_number(number, score)) && parse_number(number, score)) throw Irregular();
    return score;
}

TableColumns Taker::finish() {
    resize(count_);
    return std::move(columns_);
}

}  // namespace

TableColumns columns_of(const File& file, std::size_t begin, const Layout& layout, std::string_view kinds,
                        std::size_t piece, std::size_t window) {
    Taker taker(file.size() - begin, layout, kinds);
    Column<char> room;
    for (std::size_t at = begin, end = 0; at < file.size(); at = end) {
        end = std::min(at + piece, file.size());
        if (end < file.size()) end = file.line_end(end - 1);
        const std::string_view text = file.piece(at, end, room);
        if (end < file.size() && text.back() != '\n') throw FileChanged();
        for (std::size_t from = 0, to = 0; from < text.size(); from = to) {
            to = window_end(text, from, window);
            taker.take(text.substr(from, to - from), text.data() + text.size());
        }
    }
    file.check_unchanged();
    return taker.finish();
}

}  // namespace precall
