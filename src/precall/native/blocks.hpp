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

// What relevant and other cases weigh in all, and the sum that average precision or the area under the ROC curve is made of
// (see the twin): digit for digit that of the sums above, which are not kept.
struct WeighedArea {
    double hits = 0, others = 0, sum = 0;
    std::int64_t nan = -1;
};

template <class Score>
WeighedArea weighed_area(const Cases<Score>& cases, const double* weight, double missed, bool roc, int threads);

}  // namespace precall
