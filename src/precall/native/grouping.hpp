// Rows of one topic together.
//
// Nearly every file lists its topics one after the other: then the rows are in place already and
// only the borders must be written down. Otherwise the rows are gathered, each topic's in their order.
#pragma once

#include <cstdint>

#include "columns.hpp"

namespace precall {

template <class Value>
struct Grouped {
    Table<Value> table;
    Column<std::int64_t> order;  // row of the input for each row of the table; empty: the same

    std::int64_t input_row(std::int64_t row) const {
        return order.size() == 0 ? row : order[static_cast<std::size_t>(row)];
    }
};

template <class Value>
Grouped<Value> group(Parsed<Value>&& rows);

// Takes rows (ascending) out of a table.
template <class Value>
void drop_rows(Table<Value>& table, const std::vector<std::int64_t>& dropped);

}  // namespace precall
