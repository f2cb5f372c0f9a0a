// Sums of values that are redrawn or shuffled at random: what tests of means compare the observed ones with.
//
// Values are whole numbers, so that their sums are exact in any order; they wrap around where they exceed 64 bits. A word of
// a random stream is two draws of n values, or one where n is large: each is even but for 2^-20. Of shuffles it is two
// dice of 32 bits: a die of n sides is even but for n / 2^32.
#pragma once

#include <cstdint>

#include "memory.hpp"

namespace precall {

struct Values {
    const std::int64_t* value;
    std::int64_t count;
};

// Sums of samples with replacement, each as large as there are values.
Column<std::int64_t> redrawn_sums(Values values, std::uint64_t seed, std::int64_t samples);

// Greatest less least column sum of a table whose rows are each shuffled by themselves: of so many shufflings, and of
// `again` more for each, which shuffle the rows once more in the same way for all.
Column<std::int64_t> shuffled_ranges(Values table, std::int64_t columns, std::uint64_t seed, std::int64_t shuffles, std::int64_t again);

}  // namespace precall
