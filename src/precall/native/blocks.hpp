// Blocks of equal score: the place of every case's block, best first, and what each block holds.
//
// As when counting, cases are thrown into buckets of neighbouring scores and each bucket is put in order where it lies in
// the cache; here every key takes along where it came from.
#pragma once

#include <cstdint>

#include "counting.hpp"
#include "memory.hpp"

namespace precall {

struct Blocks {
    Column<std::int64_t> block;         // by case, from 0
    Column<std::int64_t> hits, others;  // by block
    std::int64_t nan = -1;              // index of the first score that is NaN
};

template <class Score>
Blocks blocks_of(const Cases<Score>& cases, int threads);

// Distinct scores, best first, and the weights of the relevant and of the other cases that have each; `summed`, of those that
// have this score or a better one, after a row of infinity that nothing has.
template <class Score>
struct Weighed {
    Column<Score> score;
    Column<double> hits, others;
    std::int64_t nan = -1;
};

template <class Score>
Weighed<Score> weighed(const Cases<Score>& cases, const double* weight, bool summed, int threads);

}  // namespace precall
