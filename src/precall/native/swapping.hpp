// Decisions on items that are exchanged at random: what that adds to totals.
#pragma once

#include <cstdint>

#include "memory.hpp"
#include "resampling.hpp"

namespace precall {

// Kinds of like units, of each of which a random number is exchanged. Entries of a total, whose kinds ascend, say what every
// unit that is exchanged adds to it.
struct Swaps {
    Range totals;
    const std::int32_t* kind;
    const std::int32_t* change;
    const std::int32_t* units;
    std::int64_t kinds;
};

// Total by total what each draw adds to it; sums wrap around. Units have as many words of the stream as hold a bit for each draw.
Column<std::int32_t> swapped_totals(const Swaps& swaps, std::uint64_t seed, std::int64_t draws);

}  // namespace precall
