// Sums of values that are redrawn at random: what tests of means compare the observed ones with.
//
// Values are whole numbers, so that their sums are exact in any order; they wrap around where they exceed 64 bits. A word of
// a random stream is two draws of n values, or one where n is large: each is even but for 2^-20.
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

}  // namespace precall
