// Dicts of dicts, {topic: {item: score or grade}}, to a table.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "columns.hpp"

namespace precall {

// Problems hold Python strings, so here they are tuples at once.
struct DictProblems {
    nanobind::list first;
    std::int64_t total = 0;
};

template <class Value>
Table<Value> table_of(nanobind::dict mapping, bool float32, std::int64_t threads, std::int64_t chunk,
                      DictProblems& problems);

}  // namespace precall
