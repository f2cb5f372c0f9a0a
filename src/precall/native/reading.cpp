#include "reading.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "grouping.hpp"
#include "lines.hpp"
#include "numbers.hpp"
#include "parallel.hpp"

namespace precall {

namespace {

// Where a parsed chunk came from and where it went.
struct Mark {
    std::size_t begin, end;
    std::int64_t row, line;
};

template <class Value>
class Reader {
  public:
    Reader(const File& file, const Options& options) : file_(file), options_(options) {
        const bool in_table = options.layout != nullptr;
        Column<char> room;
        if (!in_table && file_.piece(0, std::min<std::size_t>(3, file_.size()), room) == "\xEF\xBB\xBF") begin_ = 3;
        const std::size_t most = (file_.size() + 1) / shortest_row<Value>(in_table);
        rows_.item_bytes = Column<std::uint8_t>(file_.size());
        rows_.item_start = Column<std::int64_t>(most + 1);
        rows_.value = Column<Value>(most);
    }

    void run() {
        const auto size = static_cast<std::int64_t>(file_.size() - begin_);
        const std::int64_t chunks = (size + options_.chunk - 1) / options_.chunk;
        const int threads =
            static_cast<int>(std::clamp<std::int64_t>(options_.threads, 1, std::max<std::int64_t>(chunks, 1)));
        next_cut_ = begin_;
        in_parallel(threads, [&] { work(); });
        rows_.item_start[static_cast<std::size_t>(rows_.rows)] = item_size_;
        rows_.item_bytes.resize(static_cast<std::size_t>(item_size_));
        rows_.item_start.resize(static_cast<std::size_t>(rows_.rows) + 1);
        rows_.value.resize(static_cast<std::size_t>(rows_.rows));
    }

    // Of a row of a table: who reads it with care will find it.
    std::int64_t line_of(std::int64_t row) const {
        if (options_.layout != nullptr) return row + 1;
        const auto after = std::upper_bound(marks_.begin(), marks_.end(), row,
                                            [](std::int64_t r, const Mark& m) { return r < m.row; });
        const Mark& mark = *(after - 1);
        Column<char> room;
        const std::int64_t line = 
            line_of_row<Value>(piece(mark.begin, mark.end, room), row - mark.row, options_.float32);
        if (line == 0) throw FileChanged();
        return mark.line + line;
    }

    Parsed<Value>& rows() { return rows_; }
    Problems& problems() { return problems_; }
    const std::string& tag() const { return tag_; }
    bool one_tag() const { return one_tag_; }
    bool ascends() const { return ascends_; }

  private:
    struct Place {
        std::int64_t row, item_byte;
    };

    void work();
    std::string_view piece(std::size_t begin, std::size_t end, Column<char>& room) const;
    std::size_t cut(std::size_t& begin, std::size_t& end);
    bool join(const Lines<Value>& lines, std::size_t number, std::size_t begin, std::size_t end, Place& place);
    void look(const Lines<Value>& lines);
    void copy(const Lines<Value>& lines, Place place);

    const File& file_;
    const Options& options_;
    std::size_t begin_ = 0;
    Parsed<Value> rows_;
    std::int64_t item_size_ = 0;
    std::int64_t lines_ = 0;
    std::vector<Mark> marks_;
    Problems problems_;
    std::string tag_, first_tag_;
    std::int64_t last_rank_ = -1;
    bool one_tag_ = true, ascends_ = true;

    std::mutex guard_;
    std::condition_variable turn_;
    std::size_t next_cut_ = 0;
    std::size_t cuts_ = 0;
    std::size_t joined_ = 0;
    bool failed_ = false;
};

// The next chunk of whole lines; its number counts from 0.
template <class Value>
std::size_t Reader<Value>::cut(std::size_t& begin, std::size_t& end) {
    const std::lock_guard lock(guard_);
    begin = next_cut_;
    end = std::min(begin + static_cast<std::size_t>(options_.chunk), file_.size());
    if (end < file_.size()) end = file_.line_end(end - 1);
    next_cut_ = end;
    return cuts_++;
}

// Whole lines, as they were when they were cut.
template <class Value>
std::string_view Reader<Value>::piece(std::size_t begin, std::size_t end, Column<char>& room) const {
    const std::string_view text = file_.piece(begin, end, room);
    if (end < file_.size() && text.back() != '\n') throw FileChanged();
    return text;
}

template <class Value>
void Reader<Value>::work() try {
    Lines<Value> lines;
    Column<char> room;
    std::size_t begin = 0, end = 0;
    for (;;) {
        const std::size_t number = cut(begin, end);
        if (begin == end) return;
        const std::string_view text = piece(begin, end, room);
        if (options_.layout != nullptr) {
            lines.parse_table(text, *options_.layout, options_.float32);
        } else {
            lines.parse(text, options_.float32);
        }
        Place place;
        if (!join(lines, number, begin, end, place)) return;
        copy(lines, place);
    }
} catch (...) {
    // Nobody may wait for a turn that will never come.
    const std::lock_guard lock(guard_);
    failed_ = true;
    turn_.notify_all();
    throw;
}

// Waits for the chunks before this one, then appends all that is small and reserves the rest; false
// if one of them failed.
template <class Value>
bool Reader<Value>::join(const Lines<Value>& lines, std::size_t number, std::size_t begin, std::size_t end,
                         Place& place) {
    std::unique_lock lock(guard_);
    turn_.wait(lock, [&] { return joined_ == number || failed_; });
    if (failed_) return false;
    place = {rows_.rows, item_size_};
    if (lines.rows.rows > 0) look(lines);
    for (std::size_t i = 0; i < lines.rows.pieces.size(); ++i) {
        rows_.begin_topic(lines.rows.topic(i), place.row + lines.rows.pieces[i].row);
    }
    marks_.push_back({begin, end, place.row, lines_});
    problems_.append(lines.problems, lines_);
    if (lines.rows.rows > 0) tag_ = lines.tag;
    rows_.rows += lines.rows.rows;
    item_size_ += lines.item_size;
    lines_ += lines.lines;
    ++joined_;
    turn_.notify_all();
    return true;
}

// What a chunk shows, and how it goes on from the one before it.
template <class Value>
void Reader<Value>::look(const Lines<Value>& lines) {
    const Looks& looks = lines.looks;
    if (rows_.rows == 0) {
        first_tag_ = looks.first_tag;
    } else {
        one_tag_ = one_tag_ && looks.first_tag == first_tag_;
        const bool goes_on = lines.rows.topic(0) == rows_.topic(rows_.pieces.size() - 1);
        ascends_ = ascends_ && (!goes_on || follows(last_rank_, looks.first_rank));
    }
    one_tag_ = one_tag_ && looks.one_tag;
    ascends_ = ascends_ && looks.ascends;
    last_rank_ = looks.last_rank;
}

template <class Value>
void Reader<Value>::copy(const Lines<Value>& lines, Place place) {
    const auto count = static_cast<std::size_t>(lines.rows.rows);
    if (count == 0) return;
    std::memcpy(rows_.item_bytes.data() + place.item_byte, lines.rows.item_bytes.data(),
                static_cast<std::size_t>(lines.item_size));
    std::int64_t* const start = rows_.item_start.data() + place.row;
    for (std::size_t i = 0; i < count; ++i) start[i] = lines.rows.item_start[i] + place.item_byte;
    std::memcpy(rows_.value.data() + place.row, lines.rows.value.data(), count * sizeof(Value));
}

template <class Value>
Problem described(const Repeat& repeat, const Table<Value>& table, std::int64_t line, std::int64_t first_line) {
    Problem problem;
    problem.line = line;
    problem.kind = repeat.conflict ? Kind::conflict : Kind::duplicate;
    problem.text = shortened(table.topics()[repeat.topic]);
    problem.item = shortened(table.items()[repeat.row]);
    problem.first_line = first_line;
    problem.first_grade =
        static_cast<std::int64_t>(repeat.conflict ? table.value[static_cast<std::size_t>(repeat.first)] : 0);
    problem.grade = static_cast<std::int64_t>(repeat.conflict ? table.value[static_cast<std::size_t>(repeat.row)] : 0);
    return problem;
}

// From parsed rows to the table; `line_of` tells the line of a row of the input.
template <class Value, class LineOf>
Reading<Value> finish(Parsed<Value>&& rows, Problems&& problems, const Options& options, const LineOf& line_of) {
    Reading<Value> reading;
    reading.problems = std::move(problems);
    if (rows.rows == 0) {
        if (reading.problems.total == 0) reading.problems.add(Problem{});
        return reading;
    }
    Grouped<Value> grouped = group(std::move(rows));
    Repeats repeats = find_repeats(grouped.table, options.policy, options.threads, grouped.order);
    Problems repeated;
    for (const Repeat& repeat : repeats.first) {
        repeated.add(described(repeat, grouped.table, line_of(grouped.input_row(repeat.row)),
                              line_of(grouped.input_row(repeat.first))));
    }
    repeated.total = repeats.total;
    reading.problems.merge(repeated);
    if (reading.problems.total == 0) drop_rows(grouped.table, repeats.dropped);
    reading.table = std::move(grouped.table);
    return reading;
}

}  // namespace

template <class Value>
Reading<Value> read(const File& file, const Options& options) {
    Reader<Value> reader(file, options);
    reader.run();
    const std::size_t pieces = reader.rows().pieces.size();
    auto reading = finish(std::move(reader.rows()), std::move(reader.problems()), options,
                          [&](std::int64_t row) { return reader.line_of(row); });
    reading.table.tag = reader.tag();
    reading.table.one_tag = reader.one_tag();
    // Of topics that come back nobody knows here how their parts go on.
    reading.table.ascends = reader.ascends() && reading.table.topics().count == static_cast<std::int64_t>(pieces);
    file.check_unchanged();
    return reading;
}

namespace {

template <class Value>
Parsed<Value> copied(const View<Value>& rows) {
    const auto count = static_cast<std::size_t>(rows.items.count);
    Parsed<Value> parsed;
    parsed.rows = rows.items.count;
    parsed.item_bytes =
        Column<std::uint8_t>(static_cast<std::size_t>(rows.items.start[rows.items.count] - rows.items.start[0]));
    parsed.item_start = Column<std::int64_t>(count + 1);
    parsed.value = Column<Value>(count);
    std::int64_t at = 0;
    for (std::int64_t row = 0; row < rows.items.count; ++row) {
        const std::string_view item = rows.items[row];
        copy_text(parsed.item_bytes.data() + at, item);
        parsed.item_start[static_cast<std::size_t>(row)] = at;
        parsed.value[static_cast<std::size_t>(row)] = rows.value[row];
        at += static_cast<std::int64_t>(item.size());
        parsed.begin_topic(rows.topics[row], row);
    }
    parsed.item_start[count] = at;
    return parsed;
}

}  // namespace

// Values are taken as they are: whoever makes rows has rejected NaN and grades beyond 32 bits.
template <class Value>
Reading<Value> regroup(const View<Value>& rows, const Options& options) {
    return finish(copied(rows), Problems(), options, [](std::int64_t row) { return row + 1; });
}

template Reading<double> read<double>(const File&, const Options&);
template Reading<std::int64_t> read<std::int64_t>(const File&, const Options&);
template Reading<double> regroup<double>(const View<double>&, const Options&);
template Reading<std::int64_t> regroup<std::int64_t>(const View<std::int64_t>&, const Options&);

}  // namespace precall
