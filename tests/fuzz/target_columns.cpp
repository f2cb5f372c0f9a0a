// Columns as Arrow gives them: any bytes, and any offsets into them.
//
// What the kernel takes for columns must be columns: it is grouped and located, where the sanitizers see any step
// outside. Offsets are mostly small, so that many of them fit.
#include <algorithm>
#include <cmath>
#include <vector>

#include "laws.hpp"
#include "locating.hpp"
#include "reading.hpp"

namespace {

using namespace precall;

struct Texts {
    std::vector<std::uint8_t> data;
    std::vector<std::int64_t> start;

    bool fit() const {
        const bool fits = divides(start.data(), start.size(), data.size());
        bool inside = !start.empty();
        for (const std::int64_t at : start) inside &= at >= 0 && at <= static_cast<std::int64_t>(data.size());
        demand(fits == (inside && std::is_sorted(start.begin(), start.end())), "columns are told from others");
        return fits;
    }
    Ids ids() const { return {data.data(), start.data(), static_cast<std::int64_t>(start.size()) - 1}; }
};

std::int64_t offset(Input& input, std::int64_t before) {
    const auto step = input.take<std::uint8_t>();
    if (step == 0xFF) return input.take<std::int64_t>();
    // As words, which may go round.
    const auto word = static_cast<std::uint64_t>(before);
    return static_cast<std::int64_t>(step == 0xFE ? word - 1 : word + step % 4);
}

std::vector<std::int64_t> offsets(Input& input, std::size_t count) {
    std::vector<std::int64_t> found;
    std::int64_t at = input.take<std::uint8_t>() % 2;
    for (std::size_t i = 0; i < count; ++i) found.push_back(at = offset(input, at));
    return found;
}

Texts texts(Input& input, std::size_t count) {
    Texts found;
    found.start = offsets(input, count + (input.take<std::uint8_t>() != 0xFF));
    const std::size_t size = found.start.empty() ? 0 : static_cast<std::size_t>(found.start.back()) & 0xFF;
    for (std::size_t i = 0; i < size; ++i) found.data.push_back("ab"[input.take<std::uint8_t>() % 2]);
    return found;
}

template <class Value>
std::vector<Value> values(Input& input, std::size_t count) {
    std::vector<Value> found;
    for (std::size_t i = 0; i < count; ++i) found.push_back(static_cast<Value>(input.take<std::int8_t>() % 4));
    return found;
}

template <class Value>
void check_grouping(Input& input, std::size_t count, const Options& options) {
    const Texts topics = texts(input, count), items = texts(input, count);
    const std::vector<Value> value = values<Value>(input, count);
    if (!topics.fit() || !items.fit() || topics.start.size() != count + 1 || items.start.size() != count + 1) return;
    const Reading<Value> reading = regroup<Value>({topics.ids(), nullptr, items.ids(), value.data()}, options);
    if (reading.problems.total > 0) return;
    const Table<Value>& table = reading.table;
    demand(divides(table.item_start.data(), table.item_start.size(), table.item_bytes.size()), "items are columns");
    demand(divides(table.topic_start.data(), table.topic_start.size(), table.topic_bytes.size()), "topics are columns");
    demand(divides(table.row_start.data(), table.row_start.size(), table.value.size()), "topics hold rows");
    demand(table.rows() + table.dropped == static_cast<std::int64_t>(count), "no row is lost");
}

template <class Value>
struct Rows {
    Texts topics, items;
    std::vector<std::int64_t> row_start;
    std::vector<Value> value;

    explicit Rows(Input& input) {
        const std::size_t count = input.take<std::uint8_t>() % 64, groups = input.take<std::uint8_t>() % 8;
        topics = texts(input, groups);
        items = texts(input, count);
        row_start = offsets(input, groups + 1);
        value = values<Value>(input, count);
        if (input.take<std::uint8_t>() % 4 != 0 && !row_start.empty()) {
            row_start.front() = 0;
            row_start.back() = static_cast<std::int64_t>(count);
        }
    }
    bool fit() const {
        return topics.fit() && items.fit() && items.start.size() == value.size() + 1 &&
               row_start.size() == topics.start.size() && row_start.front() == 0 &&
               row_start.back() == static_cast<std::int64_t>(value.size()) &&
               divides(row_start.data(), row_start.size(), value.size());
    }
    View<Value> view() const { return {topics.ids(), row_start.data(), items.ids(), value.data()}; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const auto choice = input.take<std::uint8_t>();
    Options options;
    options.policy = static_cast<Policy>(choice >> 1 & 3);
    options.threads = 1 + (choice >> 3 & 1);
    if (choice & 1) {
        const std::size_t count = input.take<std::uint8_t>();
        choice & 16 ? check_grouping<double>(input, count, options) : check_grouping<std::int64_t>(input, count, options);
        return 0;
    }
    const Rows<double> run(input);
    const Rows<std::int64_t> qrels(input);
    if (!run.fit() || !qrels.fit()) return 0;
    const auto located = locate(run.view(), qrels.view(), choice & 16, options.threads);
    for (const auto& batch : located.batches) {
        for (const Found& found : batch) {
            demand(1 <= found.first && found.first <= found.rank && found.rank <= found.last, "a rank lies in its block");
            demand(found.row >= 0 && found.row < static_cast<std::int64_t>(run.value.size()), "a row is there");
        }
    }
    return 0;
}
