// Random signs of topics: sums of values whose sign is turned, what tests and intervals of differences are made of.
//
// A subset of the rows is those whose sign is turned: bit r % 8 of byte r / 8, bytes of all draws side by side. Sums are added in
// one order, eight rows at a time, so that they have the same bits everywhere.
#pragma once

#include <cstdint>

#include "memory.hpp"

namespace precall {

// Rows x columns.
struct Matrix {
    const double* value;
    std::int64_t rows, columns;
};

// Sums of the columns over the rows of each subset: a column of draws for each column.
Column<double> subset_sums(Matrix values, const std::uint8_t* subset, std::int64_t draws);

// Sums as above, and pairs of columns.
struct Sums {
    const double* value;
    std::int64_t draws, columns;
    const std::int32_t *first, *second;
    std::int64_t pairs;
};

// By draw the greatest of all pairs: the gap of its sums, times its weight; 0 if none is greater.
Column<double> weighed_gaps(Sums sums, const double* weight);

// How many rows each subset has, and there are; by pair the gap of all rows, and what is next to nothing.
struct Rows {
    const double* size;
    std::int64_t count;
    const double *total, *near;
};

struct Ranked {
    Column<std::int64_t> reached;
    Column<double> low, high;
    bool finite;
};

// By pair: how many draws turn the gap at least as far from 0; and, of the means of subsets and of their complements, the one of
// that rank from below and from above, NaN where there are fewer. A rank below 0 asks for no means.
Ranked ranked_means(Sums sums, Rows rows, std::int64_t rank, int threads);

}  // namespace precall
