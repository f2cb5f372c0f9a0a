// Items that a topic has more than once.
//
// Each topic is checked on its own with a small table that stays in the cache; what to do about a
// repeat is the caller's policy. Only facts come out: rows to drop, and repeats that are problems.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"

namespace precall {

enum class Policy { error, first, last, best };

struct Repeat {
    std::int64_t row, first, topic;
    bool conflict;
};

struct Repeats {
    std::vector<Repeat> first;  // by row of the input, at most as many as problems are kept
    std::int64_t total = 0;
    std::vector<std::int64_t> dropped;  // ascending
};

// `order`: row of the input for each row of the table, or empty.
template <class Value>
Repeats find_repeats(const Table<Value>& table, Policy policy, int threads, const Column<std::int64_t>& order);

}  // namespace precall
