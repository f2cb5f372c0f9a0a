#include "grouping.hpp"

#include <cstring>

#include "hashing.hpp"

namespace precall {

namespace {

// Topics in the order of their first appearance, and which of them each piece has.
struct Topics {
    std::vector<std::int64_t> piece;  // a topic's first piece
    std::vector<std::int64_t> of;     // a piece's topic
};

template <class Value>
Topics find_topics(const Parsed<Value>& rows) {
    Topics topics;
    RowTable table;
    table.reset(static_cast<std::int64_t>(rows.pieces.size()));
    topics.of.reserve(rows.pieces.size());
    for (std::size_t piece = 0; piece < rows.pieces.size(); ++piece) {
        const std::string_view name = rows.topic(piece);
        const auto next = static_cast<std::int64_t>(topics.piece.size());
        const std::int64_t known = table.find_or_add(hash(name, secret()), next, [&](std::int64_t topic) {
            return rows.topic(static_cast<std::size_t>(topics.piece[static_cast<std::size_t>(topic)])) == name;
        });
        if (known == RowTable::NONE) topics.piece.push_back(static_cast<std::int64_t>(piece));
        topics.of.push_back(known == RowTable::NONE ? next : known);
    }
    return topics;
}

template <class Value>
void name_topics(const Parsed<Value>& rows, const Topics& topics, Table<Value>& table) {
    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> start{0};
    for (const std::int64_t piece : topics.piece) {
        const std::string_view name = rows.topic(static_cast<std::size_t>(piece));
        bytes.insert(bytes.end(), name.begin(), name.end());
        start.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    table.topic_bytes = Column<std::uint8_t>(bytes);
    table.topic_start = Column<std::int64_t>(start);
}

template <class Value>
std::vector<std::int64_t> count_rows(const Parsed<Value>& rows, const Topics& topics) {
    std::vector<std::int64_t> start(topics.piece.size() + 1);
    for (std::size_t piece = 0; piece < rows.pieces.size(); ++piece) {
        start[static_cast<std::size_t>(topics.of[piece]) + 1] += rows.piece_end(piece) - rows.pieces[piece].row;
    }
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    return start;
}

template <class Value>
Column<std::int64_t> order_rows(const Parsed<Value>& rows, const Topics& topics, std::vector<std::int64_t> next) {
    Column<std::int64_t> order(static_cast<std::size_t>(rows.rows));
    for (std::size_t piece = 0; piece < rows.pieces.size(); ++piece) {
        std::int64_t& at = next[static_cast<std::size_t>(topics.of[piece])];
        for (std::int64_t row = rows.pieces[piece].row; row < rows.piece_end(piece); ++row) {
            order[static_cast<std::size_t>(at++)] = row;
        }
    }
    return order;
}

template <class Value>
void gather(const Parsed<Value>& rows, const Column<std::int64_t>& order, Table<Value>& table) {
    const std::size_t count = order.size();
    table.item_bytes = Column<std::uint8_t>(rows.item_bytes.size());
    table.item_start = Column<std::int64_t>(count + 1);
    table.value = Column<Value>(count);
    const Ids items{rows.item_bytes.data(), rows.item_start.data(), rows.rows};
    std::int64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view item = items[order[i]];
        table.item_start[i] = at;
        table.value[i] = rows.value[static_cast<std::size_t>(order[i])];
        copy_text(table.item_bytes.data() + at, item);
        at += static_cast<std::int64_t>(item.size());
    }
    table.item_start[count] = at;
}

}  // namespace

template <class Value>
Grouped<Value> group(Parsed<Value>&& rows) {
    Grouped<Value> grouped;
    Table<Value>& table = grouped.table;
    const Topics topics = find_topics(rows);
    const std::vector<std::int64_t> start = count_rows(rows, topics);
    name_topics(rows, topics, table);
    table.row_start = Column<std::int64_t>(start);
    if (topics.piece.size() == rows.pieces.size()) {
        table.item_bytes = std::move(rows.item_bytes);
        table.item_start = std::move(rows.item_start);
        table.value = std::move(rows.value);
    } else {
        grouped.order = order_rows(rows, topics, start);
        gather(rows, grouped.order, table);
        rows = Parsed<Value>();
    }
    return grouped;
}

template <class Value>
void drop_rows(Table<Value>& table, const std::vector<std::int64_t>& dropped) {
    table.dropped = static_cast<std::int64_t>(dropped.size());
    if (dropped.empty()) return;
    const Ids items = table.items();
    std::int64_t row = 0, kept = 0, at = 0;
    auto next = dropped.begin();
    for (std::size_t topic = 0; topic + 1 < table.row_start.size(); ++topic) {
        const std::int64_t end = table.row_start[topic + 1];
        for (; row < end; ++row) {
            if (next != dropped.end() && *next == row) {
                ++next;
                continue;
            }
            // Rows only move towards the front, so nothing is overwritten before it has been read.
            const std::string_view item = items[row];
            std::memmove(table.item_bytes.data() + at, item.data(), item.size());
            table.value[static_cast<std::size_t>(kept)] = table.value[static_cast<std::size_t>(row)];
            table.item_start[static_cast<std::size_t>(kept++)] = at;
            at += static_cast<std::int64_t>(item.size());
        }
        table.row_start[topic + 1] = kept;
    }
    table.item_start[static_cast<std::size_t>(kept)] = at;
    table.item_bytes.resize(static_cast<std::size_t>(at));
    table.item_start.resize(static_cast<std::size_t>(kept) + 1);
    table.value.resize(static_cast<std::size_t>(kept));
}

template Grouped<double> group<double>(Parsed<double>&&);
template Grouped<std::int64_t> group<std::int64_t>(Parsed<std::int64_t>&&);
template void drop_rows<double>(Table<double>&, const std::vector<std::int64_t>&);
template void drop_rows<std::int64_t>(Table<std::int64_t>&, const std::vector<std::int64_t>&);

}  // namespace precall
