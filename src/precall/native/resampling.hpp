// Samples of cases with replacement, told by how many of their draws fall into each cell of like cases, and the
// average precision of each.
//
// Drawn one by one, n cases cost n random numbers a sample, however few cells there are. So a cell first gets a Poisson
// number of a little less than its size, by one random word and a table; what a sample then lacks is drawn one
// by one. Poisson numbers given their sum are multinomial, so the law is exactly that of n draws; where they exceed
// it already, all are drawn again. Every sample has a random stream of its own, which begins at its seed: neither the
// number of threads nor the order of the samples changes a digit.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "product.hpp"

namespace precall {

// SplitMix64 (Steele, Lea & Flood 2014): words of a counter, mixed.
class Stream {
  public:
    // So much further on begins the stream without its first word.
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

    explicit Stream(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += step;
        std::uint64_t word = state_;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
        return word ^ (word >> 31);
    }

    // 0 .. count - 1, evenly but for count / 2^64; count < 2^32.
    std::uint64_t below(std::uint64_t count) { return upper(next(), count); }

    // The upper half of word x count, of 128 bits.
    static std::uint64_t upper(std::uint64_t word, std::uint64_t count) {
        return multiply(word, count).high;
    }

  private:
    std::uint64_t state_;
};

struct Range {
    const std::int64_t* start;
    std::int64_t count;

    std::int64_t begin(std::int64_t i) const { return start[i]; }
    std::int64_t end(std::int64_t i) const { return start[i + 1]; }
};

// What is drawn from. Strata are drawn apart. A stratum has parts; a part has places, each of which gets a number
// of the part's Poisson law: least, and one more for each threshold that a random word reaches. `owner` names the
// cell of every case, by stratum.
struct Urns {
    const std::int32_t* place;
    const std::int32_t* least;
    const std::uint64_t* below;
    const std::int32_t* owner;
    Range places, belows;  // by part
    Range parts, owners;   // by stratum
    std::int64_t cells;
};

struct Samples {
    const std::uint64_t* seed;
    const std::int64_t* target;  // draws of each sample from each stratum
    std::int64_t count;
    std::int64_t most;  // draws of a sample from all strata, at most
};

// A list as steps: cells are the gaps above them, their relevant cases, other cases of the steps that are blocks, the
// rest of the others, and missed items.
struct Walk {
    const std::uint8_t* block;
    std::int64_t steps;
};

// In the place of no weight at all; weights may be small.
inline constexpr double least_weight = 1e-300;

// A list as steps again, of so many others above it or in it and so many relevant cases, in stretches: cells are the others of each
// stretch, its relevant cases, the rest of the others, and missed items.
struct Ladder {
    Range stretches;
    const std::int32_t* others;
    const std::int32_t* hits;
};

// Shares of the relevant cases or of the others, ascending.
struct Shares {
    const double* share;
    std::int64_t count;
    bool of_others;
};

// Cases one by one, best first: the cell that each is drawn with, and its weight where it is relevant and where it is not.
// A stop is a block with relevant cases, from `first` up to `last`.
struct Weighed {
    const std::int32_t* cell;
    const double* positive;
    const double* negative;
    std::int64_t cases;
    const std::int64_t* first;
    const std::int64_t* last;
    std::int64_t stops;
};

// Sample by sample what is accepted at each stop, relevant and other, and what of the others before it; and all of both.
struct Paths {
    Column<double> tp, fp, before, hits, others;
};

// How often each cell was drawn, sample by sample.
Column<std::int32_t> drawn_cells(const Urns& urns, const Samples& samples, int threads);

// Average precision of every sample; NaN where nothing relevant was drawn.
Column<double> drawn_precisions(const Urns& urns, const Samples& samples, const Walk& walk, int threads);

// The first step of every sample with the greatest F, `square` being beta squared; accepted at its end: relevant cases and
// others; and all relevant cases.
struct Best {
    Column<std::int64_t> step, tp, fp, relevant;
};

Best drawn_best(const Urns& urns, const Samples& samples, const Ladder& ladder, double square, int threads);

// Where shares of the cases are reached, sample by sample: relevant cases accepted, and what they are parts of.
struct Heights {
    Column<double> hits, whole;
};

Heights drawn_heights(const Urns& urns, const Samples& samples, const Walk& walk, const Shares& shares, int threads);

Paths drawn_paths(const Urns& urns, const Samples& samples, const Weighed& list, int threads);

// The sum over relevant cases of weight times precision, and the sum of their weights, of every sample. Where `apart`, copies
// of a case that stands alone follow one another; they are one block otherwise.
std::pair<Column<double>, Column<double>> drawn_gains(const Urns& urns, const Samples& samples, const Weighed& list, bool apart,
                                                      int threads);

}  // namespace precall
