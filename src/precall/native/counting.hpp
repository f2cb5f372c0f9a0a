// Counting scored cases: how many relevant and other cases have each score, and what areas follow.
//
// A curve needs, at each distinct score, the relevant and the other cases at or above it. So cases
// are thrown into buckets of neighbouring scores, sized by a sample of the scores themselves, and
// each bucket is put in order where it lies in the cache; nothing as large as the input is sorted.
// Where relevant cases are few, only they are sorted, and the others are counted between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "memory.hpp"

namespace precall {

template <class Score>
struct Cases {
    const std::uint8_t* relevant;
    const Score* score;
    std::int64_t count;

    // Whatever a byte of a boolean array holds, it is one of two.
    bool is_relevant(std::int64_t i) const { return relevant[i] != 0; }
};

// What average precision and the area under the ROC curve are made of. Sums are whole numbers, so
// that they do not depend on the order in which buckets are done: `step` is the sum over relevant
// cases of the precision at their score, in units of 2^-20, 2^-50 and 2^-80.
struct Areas {
    std::int64_t hits = 0;
    std::int64_t others = 0;
    std::int64_t step[3] = {0, 0, 0};
    std::int64_t twice_above = 0;  // pairs won by the relevant case, twice, equal scores once
    std::int64_t nan = -1;         // index of the first score that is NaN

    // One relevant block's part of the step area: `found` and `accepted_others` are the cases at or above it.
    void add(std::int64_t size, std::int64_t accepted_hits, std::int64_t accepted_others) {
        const double term = static_cast<double>(size) * (static_cast<double>(accepted_hits) / static_cast<double>(accepted_hits + accepted_others));
        double rest = term * 0x1p20;
        for (std::int64_t& part : step) {
            const auto whole = static_cast<std::int64_t>(rest);
            part += whole;
            rest = (rest - static_cast<double>(whole)) * 0x1p30;
        }
    }

    void merge(const Areas& other) {
        for (int i = 0; i < 3; ++i) step[i] += other.step[i];
        twice_above += other.twice_above;
    }
};

// Operating points: nothing accepted, and then every distinct score, best first, with the relevant and
// the other cases at or above it.
template <class Score>
struct Path {
    Column<Score> threshold;
    Column<std::int64_t> hits;
    Column<std::int64_t> others;
    std::int64_t nan = -1;
};

// Puts scores in order, ascending; NaN is above all. Called by the thread that calls `areas_of` only.
template <class Score>
using Sort = std::function<void(Score*, std::size_t)>;

#ifdef PRECALL_SMALL_LIMITS
constexpr std::int64_t least_sorted = 16;
#else
constexpr std::int64_t least_sorted = 1 << 9;  // cases: of fewer, the call takes longer than it saves
#endif

// With a sort that is faster than what is here, or without one: sums are the same.
template <class Score>
Areas areas_of(const Cases<Score>& cases, int threads, const Sort<Score>& sort = {});

// Of every ranking by itself: ranking r has the cases start[r] .. start[r + 1] - 1.
template <class Score>
std::vector<Areas> areas_of_each(const Cases<Score>& cases, const std::int64_t* start, std::int64_t rankings, int threads,
                                 const Sort<Score>& sort = {});

template <class Score>
Path<Score> path_of(const Cases<Score>& cases, int threads, const Sort<Score>& sort = {});

// Of every ranking by itself, one after the other: that of ranking r has the rows first[r] .. first[r + 1] - 1.
template <class Score>
struct Paths : Path<Score> {
    Column<std::int64_t> first;
};

template <class Score>
Paths<Score> path_of_each(const Cases<Score>& cases, const std::int64_t* start, std::int64_t rankings, int threads);

}  // namespace precall
