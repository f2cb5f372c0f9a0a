// Counting other cases at and between the scores of relevant ones: two ascending columns are merged.
#pragma once

#include <algorithm>
#include <cstdint>

namespace precall {

// What is known of `edges`, ascending: the cases at each edge, those strictly between it and the one before, and
// the least of these; behind the last edge there is one more place.
struct Between {
    const double* edges;
    std::int64_t count;
    std::int64_t* equal;
    std::int64_t* between;
    double* least;
};

// The first place from `at` on that `is_before` does not hold for; near ones are found first.
template <class IsBefore>
std::int64_t place_after(std::int64_t at, std::int64_t size, IsBefore is_before) {
    std::int64_t step = 8;
    for (const std::int64_t near = std::min(at + step, size); at < near; ++at) {
        if (!is_before(at)) return at;
    }
    while (at < size && is_before(std::min(at + step, size) - 1)) {
        at = std::min(at + step, size);
        step *= 2;
    }
    std::int64_t high = std::min(at + step, size);
    while (at < high) {
        const std::int64_t middle = at + (high - at) / 2;
        if (is_before(middle)) {
            at = middle + 1;
        } else {
            high = middle;
        }
    }
    return at;
}

// Adds the scores, ascending, to the counts. Whatever the order is, nothing is read or written outside.
template <class Score>
void count_between(const Between& known, const Score* score, std::int64_t size) {
    std::int64_t at = 0;
    for (std::int64_t gap = 0;; ++gap) {
        const bool last = gap == known.count;
        const double edge = last ? 0.0 : known.edges[gap];
        const std::int64_t inside =
            last ? size : place_after(at, size, [=](std::int64_t i) { return static_cast<double>(score[i]) < edge; });
        if (inside > at) {
            known.between[gap] += inside - at;
            // Adding 0 turns -0 into 0.
            known.least[gap] = std::min(known.least[gap], static_cast<double>(score[at]) + 0.0);
        }
        if (last) return;
        at = place_after(inside, size, [=](std::int64_t i) { return static_cast<double>(score[i]) == edge; });
        known.equal[gap] += at - inside;
    }
}

}  // namespace precall
