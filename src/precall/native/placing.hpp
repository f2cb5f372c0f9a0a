// Hits at random ranks: sums of the precisions at them.
#pragma once

#include <cstdint>

#include "memory.hpp"

namespace precall {

// Lists of so many items, of which so many are relevant, all their orders being equally likely. At first each of those that are
// fewer, hits or others, is drawn by itself, with a chance of `bound` / 256.
struct Placing {
    std::int64_t items, relevant;
    std::uint32_t bound;
};

// By draw, whose stream begins at its seed, the sum over hits of the precision at their ranks.
Column<double> placed_sums(const Placing& placing, const std::uint64_t* seed, std::int64_t draws, int threads);

}  // namespace precall
