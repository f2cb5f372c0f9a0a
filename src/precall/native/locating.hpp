// Where the judged items of a run stand.
//
// For each topic of the qrels its judged items go into a small table and every row of the run is
// looked up in it. Ranks are needed of those found only: in a ranking already in order they are the
// positions, a few are found by counting who stands above, and only otherwise a topic is sorted.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"

namespace precall {

struct Found {
    std::int64_t ranking, row, grade, rank, first, last;
};

struct Located {
    std::vector<std::int64_t> run_topic;  // per topic of the qrels, -1: not in the run
    std::vector<std::vector<Found>> batches;
};

Located locate(const View<double>& run, const View<std::int64_t>& qrels, bool by_input, int threads);

}  // namespace precall
