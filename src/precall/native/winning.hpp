// Samples of cases that are drawn by units: how often relevant cases stand above others.
#pragma once

#include <cstdint>

#include "memory.hpp"

namespace precall {

// The unit of each case, best first. A stop is a block from `first` up to `last`, whose relevant cases stand up to `middle`; all
// cases that are in no stop are others.
struct Ranking {
    const std::int32_t* unit;
    std::int64_t cases;
    const std::int64_t* first;
    const std::int64_t* middle;
    const std::int64_t* last;
    std::int64_t stops;
};

// Of each sample pairs of a relevant case and an other one below it, twice, and those of one block; relevant cases; others.
struct Wins {
    Column<std::int64_t> twice, hits, others;
};

// `drawn` says how often each of so many units was drawn, sample by sample.
Wins counted_wins(const Ranking& ranking, const std::int32_t* drawn, std::int64_t samples, std::int64_t units, int threads);

}  // namespace precall
