// Distinct scores, ascending, with the cases at each: merged with others, and other cases counted at and between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "memory.hpp"

namespace precall {

// Sums of counts wrap, as NumPy's: checks before the kernel let none through that would.
inline std::int64_t plus(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }
inline std::int64_t minus(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); }

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
    std::int64_t gap = 0;
    for (std::int64_t at = 0; at < size;) {
        const double first = static_cast<double>(score[at]);
        gap = place_after(gap, known.count, [=](std::int64_t i) { return known.edges[i] < first; });
        const bool above = gap == known.count;
        const double edge = above ? 0.0 : known.edges[gap];
        const std::int64_t inside =
            above ? size : place_after(at, size, [=](std::int64_t i) { return static_cast<double>(score[i]) < edge; });
        if (inside > at) {
            known.between[gap] = plus(known.between[gap], inside - at);
            // Adding 0 turns -0 into 0.
            known.least[gap] = std::min(known.least[gap], first + 0.0);
        }
        if (above) return;
        at = place_after(inside, size, [=](std::int64_t i) { return static_cast<double>(score[i]) == edge; });
        known.equal[gap] = plus(known.equal[gap], at - inside);
        ++gap;
    }
}

// The same once it is counted, with the relevant cases at each edge.
struct Counts {
    const double* edges;
    std::int64_t count;
    const std::int64_t* hits;
    const std::int64_t* equal;
    const std::int64_t* between;
    const double* least;
};

// Operating points as they are written, best first: +inf, then scores with sums of the relevant and of the other cases.
template <class Score>
struct Points {
    Score* threshold;
    std::int64_t* tp;
    std::int64_t* fp;
    std::int64_t size;
};

// Points inside gaps, from the highest gap, each with the gap's cases at or above it.
struct Inside {
    const std::int64_t* gap;
    const double* score;
    const std::int64_t* below;
    std::int64_t count;
};

// How many points there are, or -1 if they do not fit. Gaps and the edges below them, without those that have no case.
template <class Score>
std::int64_t rows_between(const Counts& known, const Inside& inside, const Points<Score>& points) {
    std::int64_t tp = 0, fp = 0;
    std::int64_t end = 0, next = 0;
    bool fits = true;
    // Whether there is a case is hard to foresee: a point is written anyway, and counted if there is.
    const auto write = [&](double score, std::int64_t positive, std::int64_t negative, bool kept) {
        if (end >= points.size) {
            fits &= !kept;
            return;
        }
        tp = plus(tp, kept ? positive : 0);
        fp = plus(fp, kept ? negative : 0);
        // Adding 0 turns -0 into 0.
        points.threshold[end] = static_cast<Score>(score) + Score(0);
        points.tp[end] = tp;
        points.fp[end] = fp;
        end += kept ? 1 : 0;
    };
    write(std::numeric_limits<double>::infinity(), 0, 0, true);
    for (std::int64_t gap = known.count; gap >= 0; --gap) {
        std::int64_t before = 0;
        for (; next < inside.count && inside.gap[next] == gap; ++next) {
            const std::int64_t count = minus(inside.below[next], before);
            write(inside.score[next], 0, count, count > 0);
            before = inside.below[next];
        }
        const std::int64_t rest = minus(known.between[gap], before);
        write(known.least[gap], 0, rest, rest > 0);
        if (gap > 0) write(known.edges[gap - 1], known.hits[gap - 1], known.equal[gap - 1], known.hits[gap - 1] > 0 || known.equal[gap - 1] > 0);
    }
    return fits ? end : -1;
}

// Distinct scores, ascending, with the number of cases at each.
struct Counted {
    Column<double> score;
    Column<std::int64_t> count;
};

// The counts of two, each score once. Whatever the order is, nothing is read or written outside.
inline Counted merge_counts(const double* score, const std::int64_t* count, std::int64_t size, const double* other, const std::int64_t* other_count,
                            std::int64_t others) {
    const auto most = static_cast<std::size_t>(size + others);
    Counted all{Column<double>(most), Column<std::int64_t>(most)};
    std::size_t end = 0;
    for (std::int64_t i = 0, j = 0; i < size || j < others; ++end) {
        // Both are taken if they are equal: without a branch that cannot be foreseen.
        const bool first = j == others || (i < size && !(other[j] < score[i]));
        const bool second = i == size || (j < others && !(score[i] < other[j]));
        all.score[end] = first ? score[i] : other[j];
        all.count[end] = plus(first ? count[i] : 0, second ? other_count[j] : 0);
        i += first;
        j += second;
    }
    all.score.resize(end);
    all.count.resize(end);
    return all;
}

}  // namespace precall
