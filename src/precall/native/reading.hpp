// A whole file, from bytes to a table, by several threads.
//
// Threads take chunks of whole lines in order and parse them into buffers of their own, which stay
// in the cache. When the chunks before it have been parsed, a chunk's place in the columns is known,
// and it is copied there while others go on. Only one copy of the data is ever in memory.
#pragma once

#include <cstdint>
#include <string>

#include "columns.hpp"
#include "duplicates.hpp"
#include "file.hpp"
#include "problems.hpp"
#include "tables.hpp"

namespace precall {

struct Options {
    bool float32 = false;
    Policy policy = Policy::error;
    int threads = 1;
    std::int64_t chunk = std::int64_t{1} << 20;
    const Layout* layout = nullptr;  // of a table; none of text
};

template <class Value>
struct Reading {
    Table<Value> table;
    Problems problems;
};

// Problems of a table are those of all its rows; what is wrong with one row is `Irregular`.
template <class Value>
Reading<Value> read(const File& file, const Options& options);

// Rows that are columns already; their numbers (1-based) stand for lines.
template <class Value>
Reading<Value> regroup(const View<Value>& rows, const Options& options);

}  // namespace precall
