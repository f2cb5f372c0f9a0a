// Any bytes as a table: CSV, TSV, or objects of JSON.
//
// The first byte chooses options, the second what is wanted; the others are the rows. Whatever is read must be columns,
// and the same by several threads in small pieces as by one; what is unusual to one way is so to the other.
#include <algorithm>
#include <bit>
#include <optional>

#include "laws.hpp"
#include "numbers.hpp"
#include "reading.hpp"
#include "tables.hpp"

namespace {

using namespace precall;

template <class Value>
std::optional<Reading<Value>> attempt(std::string_view text, const Options& options) {
    try {
        return read<Value>(File(text), options);
    } catch (const Irregular&) {
        return std::nullopt;
    }
}

template <class Value>
void check_rows(std::string_view text, Options options) {
    const auto some = attempt<Value>(text, options);
    options.threads = 1;
    options.chunk = std::int64_t{1} << 20;
    const auto whole = attempt<Value>(text, options);
    demand(some.has_value() == whole.has_value(), "what is unusual does not depend on chunks or threads");
    if (!some) return;
    demand(some->problems.total == whole->problems.total, "problems do not depend on chunks or threads");
    if (some->problems.total > 0) return;
    const Table<Value>&table = some->table, &other = whole->table;
    demand(same(table.item_bytes, other.item_bytes) && same(table.item_start, other.item_start) &&
               same(table.topic_bytes, other.topic_bytes) && same(table.topic_start, other.topic_start) &&
               same(table.row_start, other.row_start) && same(table.value, other.value),
           "tables do not depend on chunks or threads");
    demand(divides(table.item_start.data(), table.item_start.size(), table.item_bytes.size()), "items are columns");
    demand(divides(table.topic_start.data(), table.topic_start.size(), table.topic_bytes.size()), "topics are columns");
    demand(divides(table.row_start.data(), table.row_start.size(), table.value.size()), "topics hold rows");
}

// Cells that were taken from whole windows are those that are read row by row.
void check_rows_with_care(std::string_view text, const Layout& layout, std::string_view kinds, const TableColumns& found) {
    std::size_t row = 0;
    for (TableRows rows(text, layout); rows.next(); ++row) {
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if (kinds[i] == 's') {
                double score = 0;
                demand(!parse_number(rows[i].number(false), score) &&
                           std::bit_cast<std::uint64_t>(score) == std::bit_cast<std::uint64_t>(found.score[i][row]),
                       "a score is that of its row");
            } else {
                const Coded& coded = found.coded[i];
                const auto code = static_cast<std::size_t>(coded.code[row]);
                const auto begin = static_cast<std::size_t>(coded.start[code]), end = static_cast<std::size_t>(coded.start[code + 1]);
                const std::string_view label(reinterpret_cast<const char*>(coded.bytes.data()) + begin, end - begin);
                demand(rows[i].label() == label, "a label is that of its row");
            }
        }
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        demand(row == (kinds[i] == 's' ? found.score[i].size() : found.coded[i].code.size()), "every row is there");
    }
}

std::optional<TableColumns> attempt_columns(std::string_view text, const Layout& layout, std::string_view kinds,
                                            std::size_t piece, std::size_t window) {
    try {
        return columns_of(File(text), 0, layout, kinds, piece, window);
    } catch (const Irregular&) {
        return std::nullopt;
    }
}

void check_columns(std::string_view text, const Layout& layout, std::string_view kinds, std::size_t piece) {
    const auto found = attempt_columns(text, layout, kinds, std::size_t{1} << 20, WINDOW);
    const auto other = attempt_columns(text, layout, kinds, piece, std::min(piece, WINDOW));
    demand(found.has_value() == other.has_value(), "columns do not depend on pieces or windows");
    if (!found) return;
    std::size_t rows = text.size() + 1;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const Coded& coded = found->coded[i];
        demand(same(found->score[i], other->score[i]) && same(coded.code, other->coded[i].code) &&
                   coded.bytes == other->coded[i].bytes && coded.start == other->coded[i].start,
               "columns do not depend on pieces or windows");
        const std::size_t count = kinds[i] == 's' ? found->score[i].size() : coded.code.size();
        demand(i == 0 || rows == count, "columns are equally long");
        rows = count;
        if (kinds[i] == 's') continue;
        demand(divides(coded.start.data(), coded.start.size(), coded.bytes.size()), "texts are columns");
        std::int32_t next = 0;
        for (std::size_t row = 0; row < count; ++row) {
            demand(coded.code[row] >= 0 && coded.code[row] <= next, "texts are numbered as they come");
            next = std::max(next, coded.code[row] + 1);
        }
        demand(static_cast<std::size_t>(next) + 1 == coded.start.size(), "every text is there");
    }
    check_rows_with_care(text, layout, kinds, *found);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const unsigned choice = data[0], wanted = data[1];
    const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    Layout layout;
    layout.separator = "\0,\t,"[wanted & 3];
    if (layout.separator == 0) {
        layout.key = {"topic", "item", "score"};
    } else {
        layout.width = 3 + (wanted >> 2 & 1);
        layout.place = {(wanted >> 3) % 3U, ((wanted >> 3) + 1) % 3U, layout.width - 1};
        if (layout.place[1] == layout.place[2] || layout.place[0] == layout.place[2]) layout.place = {0, 1, 2};
    }
    check_columns(text, layout, choice & 1 ? "csc" : "ccs", 1 + (choice >> 4) * 7);
    Options options;
    options.layout = &layout;
    options.float32 = choice & 1;
    options.policy = static_cast<Policy>(choice >> 1 & 3);
    options.threads = 1 + (choice >> 3 & 1);
    options.chunk = 1 + (choice >> 4) * 7;
    check_rows<double>(text, options);
    options.float32 = false;
    check_rows<std::int64_t>(text, options);
    return 0;
}
