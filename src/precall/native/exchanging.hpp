// Pairs of lists whose items exchange their ranks at random: how much the measures of both then differ.
#pragma once

#include <cstdint>

#include "memory.hpp"

namespace precall {

// The places of each pair, best first, have two slots: for other items, then for relevant ones, which stand at odd places only.
// Those of pair i are start[i] to start[i + 1]. A slot of the first list holds what stands there when no coin is up, and
// each change adds the number of its coin, or takes it away where that is written as -1 - coin; the second list has what
// the first has not of `every`.
struct Exchanges {
    const std::int64_t* start;
    std::int64_t pairs;
    const std::int32_t* base;
    const std::int32_t* every;
    std::int64_t slots;
    const std::int32_t* slot;
    const std::int32_t* coin;
    std::int64_t changes;
    std::int64_t coins;
};

// By draw: the measure of first lists less that of second ones, added up; `moved` holds how many of each coin are up,
// coins x draws. Where `area`, that is the area under the ROC curve, else average precision.
Column<double> exchanged_differences(const Exchanges& lists, const std::int32_t* moved, std::int64_t draws, bool area);

// One pair of lists whose items have weights. A slot of either list holds the weights of what stays there, and of each change
// the weight of an item as often as items of its coin stand there: in the first list those that are up, or that are not up
// where the coin is written as -1 - coin; in the second list the others. Each coin has so many `units`.
struct Weights {
    const double* base;
    std::int64_t slots;
    const std::int32_t* slot;
    const std::int32_t* coin;
    const double* weight;
    std::int64_t changes;
    const std::int32_t* units;
    std::int64_t coins;
};

Column<double> exchanged_weights(const Weights& lists, const std::int32_t* moved, std::int64_t draws, bool area);

}  // namespace precall
