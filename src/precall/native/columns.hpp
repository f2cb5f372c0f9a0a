// Rows as columns: as parsed, as grouped by topic, and as seen by whoever only looks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory.hpp"

namespace precall {

// Ids in one blob: the i-th from start[i] to start[i + 1].
struct Ids {
    const std::uint8_t* data = nullptr;
    const std::int64_t* start = nullptr;
    std::int64_t count = 0;

    std::string_view operator[](std::int64_t index) const {
        return {reinterpret_cast<const char*>(data) + start[index],
                static_cast<std::size_t>(start[index + 1] - start[index])};
    }
};

// Whether a column of so many elements is divided by these starts: from 0 or later on to its end or before, never back.
// Starts that point outside would be read as such, wherever they stand.
inline bool divides(const std::int64_t* start, std::size_t count, std::size_t size) {
    if (count == 0 || start[0] < 0 || static_cast<std::uint64_t>(start[count - 1]) > size) return false;
    bool ascends = true;
    for (std::size_t i = 1; i < count; ++i) ascends &= start[i - 1] <= start[i];
    return ascends;
}

// A stretch of consecutive rows with the same topic; it ends where the next begins.
struct Piece {
    std::int64_t row;
    std::int64_t text;  // where its topic begins among the texts of all pieces
};

// Rows in the order of the input.
template <class Value>
struct Parsed {
    Column<std::uint8_t> item_bytes;
    Column<std::int64_t> item_start;
    Column<Value> value;
    std::int64_t rows = 0;
    std::vector<Piece> pieces;
    std::string topics;

    std::string_view topic(std::size_t piece) const {
        const auto begin = static_cast<std::size_t>(pieces[piece].text);
        const auto end = piece + 1 < pieces.size() ? static_cast<std::size_t>(pieces[piece + 1].text) : topics.size();
        return std::string_view(topics).substr(begin, end - begin);
    }
    std::int64_t piece_end(std::size_t piece) const { return piece + 1 < pieces.size() ? pieces[piece + 1].row : rows; }

    // The next rows have this topic.
    void begin_topic(std::string_view name, std::int64_t row) {
        if (!pieces.empty() && topic(pieces.size() - 1) == name) return;
        pieces.push_back({row, static_cast<std::int64_t>(topics.size())});
        topics += name;
    }
};

// Rows of one topic together, topics in the order of their first appearance.
template <class Value>
struct Table {
    Column<std::uint8_t> topic_bytes;
    Column<std::int64_t> topic_start;
    Column<std::int64_t> row_start;
    Column<std::uint8_t> item_bytes;
    Column<std::int64_t> item_start;
    Column<Value> value;
    std::int64_t dropped = 0;
    std::string tag;
    bool one_tag = true, ascends = true;

    std::int64_t rows() const { return static_cast<std::int64_t>(value.size()); }
    Ids topics() const {
        return {topic_bytes.data(), topic_start.data(), static_cast<std::int64_t>(topic_start.size()) - 1};
    }
    Ids items() const { return {item_bytes.data(), item_start.data(), rows()}; }
};

// Somebody else's table.
template <class Value>
struct View {
    Ids topics;
    const std::int64_t* row_start = nullptr;
    Ids items;
    const Value* value = nullptr;
};

}  // namespace precall
