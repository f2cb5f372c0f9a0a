// Any bytes at all, through everything the kernel does to a file.
//
// The first byte chooses options; what follows is a run and, behind the byte 0x1e, qrels (or both
// at once where there is none). No crash is the least: results must also obey laws that hold for
// every input, or the program aborts.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "digits.hpp"
#include "laws.hpp"
#include "locating.hpp"
#include "numbers.hpp"
#include "reading.hpp"
#include "text.cpp"  // for both ways to find separators, which are its own affair

namespace {

using namespace precall;

template <class Value>
bool same(const Table<Value>& a, const Table<Value>& b) {
    return same(a.topic_bytes, b.topic_bytes) && same(a.topic_start, b.topic_start) && same(a.row_start, b.row_start) &&
           same(a.item_bytes, b.item_bytes) && same(a.item_start, b.item_start) && same(a.value, b.value) &&
           a.tag == b.tag && a.dropped == b.dropped;
}

bool same(const Problem& a, const Problem& b) {
    return a.line == b.line && a.kind == b.kind && a.text == b.text && a.item == b.item && a.count == b.count &&
           a.first_line == b.first_line && a.first_grade == b.first_grade && a.grade == b.grade;
}

bool same(const Problems& a, const Problems& b) {
    return a.total == b.total && std::equal(a.first.begin(), a.first.end(), b.first.begin(), b.first.end(),
                                            [](const Problem& x, const Problem& y) { return same(x, y); });
}

bool ascends(const Column<std::int64_t>& start, std::size_t end) {
    return start.size() > 0 && start[0] == 0 && std::is_sorted(start.data(), start.data() + start.size()) &&
           static_cast<std::size_t>(start[start.size() - 1]) == end;
}

template <class Value>
View<Value> view_of(const Table<Value>& table) {
    return {table.topics(), table.row_start.data(), table.items(), table.value.data()};
}

// What was read, given back as columns with one topic a row, must come out as it went in.
template <class Value>
void check_regrouping(const Table<Value>& table, const Options& options) {
    std::string names;
    std::vector<std::int64_t> start{0};
    for (std::int64_t topic = 0; topic < table.topics().count; ++topic) {
        for (std::int64_t row = table.row_start[static_cast<std::size_t>(topic)];
             row < table.row_start[static_cast<std::size_t>(topic) + 1]; ++row) {
            names += table.topics()[topic];
            start.push_back(static_cast<std::int64_t>(names.size()));
        }
    }
    View<Value> rows = view_of(table);
    rows.topics = {reinterpret_cast<const std::uint8_t*>(names.data()), start.data(), table.rows()};
    const Reading<Value> again = regroup(rows, options);
    demand(again.problems.total == 0 && again.table.dropped == 0, "grouping a table finds nothing wrong with it");
    demand(same(again.table.item_bytes, table.item_bytes) && same(again.table.value, table.value) &&
               same(again.table.row_start, table.row_start) && same(again.table.topic_bytes, table.topic_bytes),
           "grouping a table changes nothing");
}

template <class Value>
Reading<Value> check_reading(std::string_view text, Options options) {
    Options plain = options;
    plain.threads = 1;
    plain.chunk = std::int64_t{1} << 20;
    Reading<Value> reading = read<Value>(File(text), options);
    const Reading<Value> whole = read<Value>(File(text), plain);
    demand(same(reading.problems, whole.problems), "problems do not depend on chunks or threads");
    demand(reading.problems.total >= static_cast<std::int64_t>(reading.problems.first.size()),
           "all problems are counted");
    if (reading.problems.total > 0) return reading;
    const Table<Value>& table = reading.table;
    demand(same(table, whole.table), "tables do not depend on chunks or threads");
    demand(ascends(table.topic_start, table.topic_bytes.size()), "topics fill their bytes");
    demand(ascends(table.item_start, table.item_bytes.size()), "items fill their bytes");
    demand(ascends(table.row_start, table.value.size()), "topics hold all rows");
    check_regrouping(table, options);
    return reading;
}

void check_locating(const Table<double>& run, const Table<std::int64_t>& qrels, bool by_input) {
    const Located located = locate(view_of(run), view_of(qrels), by_input, 2);
    for (const auto& batch : located.batches) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Found& found = batch[i];
            demand(1 <= found.first && found.first <= found.rank && found.rank <= found.last,
                   "a rank lies in its block");
            if (i > 0 && batch[i - 1].ranking == found.ranking)
                demand(batch[i - 1].rank < found.rank, "ranks differ and ascend");
        }
    }
}

// The short way and the long way to a number must agree, and with the C library.
void check_numbers(std::string_view text) {
    const std::string padded = std::string(text.substr(0, 64)) + std::string(32, ' ');
    for (std::size_t begin = 0; begin < 8; ++begin) {
        for (std::size_t end = begin + 1; end <= std::min<std::size_t>(text.size(), 64); ++end) {
            const std::string_view field = std::string_view(padded).substr(begin, end - begin);
            if (std::any_of(field.begin(), field.end(), [](char c) { return is_blank(c) || c == '\n'; })) break;
            double quick = 0, slow = 0;
            const Fault fault = parse_number(field, slow);
            if (quick_number(field, quick)) {
                demand(!fault && std::bit_cast<std::uint64_t>(quick) == std::bit_cast<std::uint64_t>(slow),
                       "both ways to a score agree");
            }
            if (!fault)
                demand(std::strtod(std::string(field).c_str(), nullptr) == slow,
                       "a score is rounded as by the C library");
            std::int64_t quick_grade = 0, slow_grade = 0;
            const Fault grade_fault = parse_number(field, slow_grade);
            if (quick_number(field, quick_grade))
                demand(!grade_fault && quick_grade == slow_grade, "both ways to a grade agree");
        }
    }
}

// Registers of 16 bytes, of 32 bytes and no registers at all must list the same separators.
void check_separators(std::string_view text) {
    std::vector<std::uint32_t> plain, listed(text.size() + 64);
    std::size_t lines = 0;
    bool doubled = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_blank(text[i]) && text[i] != '\n') continue;
        doubled |= i == 0 || (!plain.empty() && plain.back() + 1 == i);
        lines += text[i] == '\n';
        plain.push_back(static_cast<std::uint32_t>(i));
    }
    for (const bool wide : {false, true}) {
        if (wide && !has_wide()) continue;
        const Separators found = wide ? find_wide(text, listed.data()) : find_narrow(text, listed.data());
        demand(found.count == plain.size() && std::equal(plain.begin(), plain.end(), listed.begin()), "separators");
        demand(found.lines == lines && found.doubled == doubled, "what is known of all separators");
        demand(found.odd == has_odd_byte(text), "odd bytes are noticed");
    }
}

// So it is with those of tables.
void check_cells(std::string_view text, char separator) {
    std::vector<std::uint32_t> plain, listed(text.size() + 64);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == separator || text[i] == '\n') plain.push_back(static_cast<std::uint32_t>(i));
    }
    const auto count = [&](char c) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), c)); };
    for (const bool wide : {false, true}) {
        if (wide && !has_wide()) continue;
        const Separators found =
            wide ? find_cells_wide(text, separator, listed.data()) : find_cells_narrow(text, separator, listed.data());
        demand(found.count == plain.size() && std::equal(plain.begin(), plain.end(), listed.begin()), "ends of cells");
        demand(found.lines == count('\n') && found.carriages == count('\r'), "ends of lines");
        demand(found.odd == (has_odd_byte(text) || count('"') > 0), "quotes and odd bytes are noticed");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const unsigned choice = data[0];
    Options options;
    options.float32 = choice & 1;
    options.policy = static_cast<Policy>(choice >> 1 & 3);
    options.threads = 1 + (choice >> 3 & 1);
    options.chunk = 1 + (choice >> 4) * 7;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t border = text.find('\x1e');
    const std::string_view run_text = text.substr(0, border);
    const std::string_view qrels_text = border == std::string_view::npos ? text : text.substr(border + 1);
    check_separators(text);
    check_cells(text, choice & 1 ? ',' : '\t');
    check_numbers(run_text);
    const Reading<double> run = check_reading<double>(run_text, options);
    options.float32 = false;
    const Reading<std::int64_t> qrels = check_reading<std::int64_t>(qrels_text, options);
    if (run.problems.total == 0 && qrels.problems.total == 0) check_locating(run.table, qrels.table, choice & 1);
    return 0;
}
