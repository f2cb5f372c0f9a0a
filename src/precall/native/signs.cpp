#include "signs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "lanes.hpp"
#include "parallel.hpp"
#include "wide.hpp"

namespace precall {

namespace {

// Draws whose sums are held at a time, in the second cache; the sums of all subsets of eight rows are made once for them.
constexpr std::size_t held = 4096;

// Of four columns from `begin` on, all subsets of four rows; rows and columns beyond the last are 0.
void add_up(const Matrix& values, std::size_t row, std::size_t begin, double* table) {
    const auto rows = static_cast<std::size_t>(values.rows), columns = static_cast<std::size_t>(values.columns);
    std::fill_n(table, lanes, 0.0);
    for (std::size_t place = 0; place < 4; ++place) {
        const std::size_t made = (std::size_t(1) << place) * lanes;
        double more[lanes] = {};
        if (row + place < rows) std::copy_n(values.value + (row + place) * columns + begin, std::min(lanes, columns - begin), more);
        for (std::size_t i = 0; i < made; ++i) table[made + i] = table[i] + more[i % lanes];
    }
}

// Sums of all subsets of eight rows, from those of each half.
void join_halves(const double* lower, const double* upper, double* table) {
    for (std::size_t high = 0; high < 16; ++high) {
        for (std::size_t low = 0; low < 16; ++low) {
            Lanes a, b;
            load(a, lower + low * lanes);
            load(b, upper + high * lanes);
            store(table + (high * 16 + low) * lanes, a + b);
        }
    }
}

// Sums of all subsets of eight rows, of four columns.
constexpr std::size_t full = 256 * lanes;
// The totals of all draws held come from the second cache for each of these: four at a time, though their tables fill the first cache,
// take six tenths of the time of one. More columns, of fewer groups at a time, take longer.
constexpr std::size_t together = 4;

// Aligned: a register that comes from two lines of the cache takes twice as long.
struct alignas(64) Space {
    double tables[together * full], totals[held * lanes], lower[16 * lanes], upper[16 * lanes];
};

// Adds what each draw has of some groups of rows, one group after another, to its totals.
template <std::size_t count>
void add_groups(const double* table, const std::uint8_t* byte, std::size_t draws, std::size_t some, double* totals) {
    for (std::size_t i = 0; i < some; ++i) {
        Lanes sum;
        load(sum, totals + i * lanes);
        for (std::size_t g = 0; g < count; ++g) {
            Lanes more;
            load(more, table + g * full + byte[g * draws + i] * lanes);
            sum += more;
        }
        store(totals + i * lanes, sum);
    }
}

void sum_columns(const Matrix& values, const std::uint8_t* subset, std::size_t draws, std::size_t begin, Space& space, double* sums) {
    const std::size_t groups = (static_cast<std::size_t>(values.rows) + 7) / 8, count = std::min(lanes, static_cast<std::size_t>(values.columns) - begin);
    for (std::size_t from = 0; from < draws; from += held) {
        const std::size_t some = std::min(held, draws - from);
        std::fill_n(space.totals, some * lanes, 0.0);
        for (std::size_t g = 0; g < groups; g += together) {
            const std::size_t next = std::min(together, groups - g);
            for (std::size_t i = 0; i < next; ++i) {
                add_up(values, 8 * (g + i), begin, space.lower);
                add_up(values, 8 * (g + i) + 4, begin, space.upper);
                join_halves(space.lower, space.upper, space.tables + i * full);
            }
            const std::uint8_t* const byte = subset + g * draws + from;
            if (next == together) {
                add_groups<together>(space.tables, byte, draws, some, space.totals);
            } else {
                for (std::size_t i = 0; i < next; ++i) add_groups<1>(space.tables + i * full, byte + i * draws, draws, some, space.totals);
            }
        }
        for (std::size_t c = 0; c < count; ++c)
            for (std::size_t i = 0; i < some; ++i) sums[(begin + c) * draws + from + i] = space.totals[i * lanes + c];
    }
}

// Whether every number of the last column is 1, as where the rows of each subset are counted.
bool ends_in_ones(const Matrix& values) {
    const auto rows = static_cast<std::size_t>(values.rows), columns = static_cast<std::size_t>(values.columns);
    for (std::size_t row = 0; row < rows; ++row)
        if (values.value[row * columns + columns - 1] != 1.0) return false;
    return true;
}

std::uint64_t load_bytes(const std::uint8_t* from, std::size_t size) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, size);
    return bytes;
}

// How many bits there are in each of eight bytes.
std::uint64_t bits_of(std::uint64_t bytes) {
    bytes -= (bytes >> 1) & 0x5555555555555555u;
    bytes = (bytes & 0x3333333333333333u) + ((bytes >> 2) & 0x3333333333333333u);
    return (bytes + (bytes >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

// The number of rows in each subset. A byte holds the counts of 31 groups.
void count_rows(std::size_t rows, const std::uint8_t* subset, std::size_t draws, double* counts) {
    constexpr std::size_t at_once = 31;
    const std::size_t groups = (rows + 7) / 8;
    constexpr std::uint64_t each = 0x0101010101010101u;
    const std::uint64_t last = (rows % 8 == 0 ? 0xffu : (1u << (rows % 8)) - 1) * each;
    std::fill_n(counts, draws, 0.0);
    std::vector<std::uint64_t> some((draws + 7) / 8);
    for (std::size_t begin = 0; begin < groups; begin += at_once) {
        std::fill(some.begin(), some.end(), std::uint64_t{0});
        for (std::size_t g = begin; g < std::min(groups, begin + at_once); ++g) {
            const std::uint8_t* const byte = subset + g * draws;
            const std::uint64_t mask = g + 1 == groups ? last : ~std::uint64_t{0};
            for (std::size_t i = 0; i < draws / 8; ++i) some[i] += bits_of(load_bytes(byte + 8 * i, 8) & mask);
            if (draws % 8 != 0) some.back() += bits_of(load_bytes(byte + draws / 8 * 8, draws % 8) & mask);
        }
        for (std::size_t i = 0; i < draws; ++i) counts[i] += reinterpret_cast<const std::uint8_t*>(some.data())[i];
    }
}

void sum_all(const Matrix& values, const std::uint8_t* subset, std::size_t draws, double* sums) {
    auto columns = static_cast<std::size_t>(values.columns);
    // Where a column of ones would take registers of its own, its rows are counted instead.
    if (columns % lanes == 1 && columns > 1 && ends_in_ones(values)) {
        --columns;
        count_rows(static_cast<std::size_t>(values.rows), subset, draws, sums + columns * draws);
    }
    const std::unique_ptr<Space> space(new Space);
    for (std::size_t begin = 0; begin < columns; begin += lanes) sum_columns(values, subset, draws, begin, *space, sums);
}

PRECALL_ALL_WIDE void sum_all_wide(const Matrix& values, const std::uint8_t* subset, std::size_t draws, double* sums) {
    sum_all(values, subset, draws, sums);
}

// Draws whose greatest gaps are looked for side by side.
constexpr std::size_t abreast = 16;

// Of the pairs of one column with others; its sums and the greatest gaps stay in registers.
void find_of_one(const double* lines, const double* one, const std::int32_t* other, const double* weight, std::int64_t pairs, double* most) {
    constexpr std::size_t parts = abreast / lanes;
    Lanes own[parts], greatest[parts];
    for (std::size_t i = 0; i < parts; ++i) {
        load(own[i], one + i * lanes);
        load(greatest[i], most + i * lanes);
    }
    for (std::int64_t p = 0; p < pairs; ++p) {
        const double* const line = lines + static_cast<std::size_t>(other[p]) * abreast;
        for (std::size_t i = 0; i < parts; ++i) {
            Lanes gap;
            load(gap, line + i * lanes);
            gap = (own[i] - gap) * weight[p];
            raise(greatest[i], gap);
            raise(greatest[i], -gap);
        }
    }
    for (std::size_t i = 0; i < parts; ++i) store(most + i * lanes, greatest[i]);
}

void find_greatest(const Sums& sums, const double* weight, double* most) {
    const auto draws = static_cast<std::size_t>(sums.draws), columns = static_cast<std::size_t>(sums.columns);
    if (draws == 0) return;
    std::vector<double> lines(columns * abreast);
    for (std::size_t from = 0; from < draws; from += abreast) {
        const std::size_t some = std::min(abreast, draws - from);
        for (std::size_t c = 0; c < columns; ++c) std::copy_n(sums.value + c * draws + from, some, lines.data() + c * abreast);
        double greatest[abreast] = {};
        for (std::int64_t begin = 0, end = 0; begin < sums.pairs; begin = end) {
            const std::int32_t one = sums.first[begin];
            while (end < sums.pairs && sums.first[end] == one) ++end;
            find_of_one(lines.data(), lines.data() + static_cast<std::size_t>(one) * abreast, sums.second + begin, weight + begin, end - begin, greatest);
        }
        std::copy_n(greatest, some, most + from);
    }
}

PRECALL_ALL_WIDE void find_greatest_wide(const Sums& sums, const double* weight, double* most) { find_greatest(sums, weight, most); }

// Numbers beyond this may not be added up.
constexpr double most_sum = 1e300;

// One pair of columns.
struct Pair {
    const double *first, *second;
    std::size_t draws;
    double total, far;
};

// How many draws turn the gap of all rows at least as far from 0; -1 where there are numbers that may not be added up.
std::int64_t count_far(const Pair& pair) {
    std::int64_t reached = 0, strange = !(std::abs(pair.total) <= most_sum);
    for (std::size_t i = 0; i < pair.draws; ++i) {
        const double gap = pair.first[i] - pair.second[i];
        reached += std::abs(pair.total - 2 * gap) >= pair.far;
        strange += !(std::abs(gap) <= most_sum);
    }
    return strange == 0 ? reached : -1;
}

PRECALL_ALL_WIDE std::int64_t count_far_wide(const Pair& pair) { return count_far(pair); }

// By draw what makes means of sums: 1 over the number of rows in the subset, and in its complement. A subset of no row, or of all, has
// no mean, or no complement that has one; its draw is left out, `place` are the others.
struct Shares {
    std::vector<double> inside, outside;
    std::vector<std::size_t> place;

    Shares(const Rows& rows, std::size_t draws) {
        const auto all = static_cast<double>(rows.count);
        for (std::size_t i = 0; i < draws; ++i) {
            if (!(rows.size[i] >= 1 && all - rows.size[i] >= 1)) continue;
            inside.push_back(1 / rows.size[i]);
            outside.push_back(1 / (all - rows.size[i]));
            place.push_back(i);
        }
    }

    bool all(std::size_t draws) const { return place.size() == draws; }
};

// The lesser of both means of a draw, and the greater one with a minus: the least are the outermost of both.
void take_means(const double* gap, const double* inside, const double* outside, double all, std::size_t count, double* lower, double* upper) {
    Lanes total;
    fill(total, all);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        Lanes sum, share, other;
        load(sum, gap + i);
        load(share, inside + i);
        load(other, outside + i);
        const Lanes in = sum * share, out = (total - sum) * other;
        Lanes most = out, least = -out;
        raise(most, in);
        raise(least, -in);
        store(lower + i, -least);
        store(upper + i, -most);
    }
    for (; i < count; ++i) {
        const double in = gap[i] * inside[i], out = (all - gap[i]) * outside[i];
        lower[i] = in < out ? in : out;
        upper[i] = -(in < out ? out : in);
    }
}

double least_but(std::vector<double>& values, std::size_t count, std::size_t rank) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), place, values.begin() + static_cast<std::ptrdiff_t>(count));
    // Zeros of either sign are equal: + 0.0 makes them one.
    return *place + 0.0;
}

// The outermost means of pairs. Those that are needed are few, and told from the others by what the first draws show.
class Means {
  public:
    Means(const Shares& shares, std::size_t draws) : shares_(shares), whole_(shares.all(draws)) {
        for (auto& end : ends_) end.resize(shares.place.size());
    }

    std::array<double, 2> ranked(const Pair& pair, std::size_t rank) {
        const std::size_t draws = shares_.place.size();
        if (rank >= draws) return {std::nan(""), std::nan("")};
        double low = never, high = never;
        if (draws > 8 * sample) {
            const double at = static_cast<double>(rank) / static_cast<double>(draws) * static_cast<double>(sample);
            const auto place = static_cast<std::size_t>(at + 4 * std::sqrt(at + 1) + 4);
            if (place < sample) {
                collect(pair, sample, never, never);
                low = least_but(ends_[0], sample, place);
                high = least_but(ends_[1], sample, place);
            }
        }
        collect(pair, draws, low, high);
        if (std::min(found_[0], found_[1]) <= rank) collect(pair, draws, never, never);
        return {least_but(ends_[0], found_[0], rank), -least_but(ends_[1], found_[1], rank) + 0.0};
    }

  private:
    static constexpr std::size_t sample = 1024, together = 256;
    static constexpr double never = std::numeric_limits<double>::infinity();

    // Of the first so many draws, what is not more than this.
    void collect(const Pair& pair, std::size_t draws, double low, double high) {
        double gap[together], lower[together], upper[together];
        double *const below = ends_[0].data(), *const above = ends_[1].data();
        std::size_t fewer = 0, more = 0;
        for (std::size_t begin = 0; begin < draws; begin += together) {
            const std::size_t count = std::min(together, draws - begin);
            if (whole_)
                for (std::size_t i = 0; i < count; ++i) gap[i] = pair.first[begin + i] - pair.second[begin + i];
            else
                for (std::size_t i = 0; i < count; ++i) gap[i] = pair.first[shares_.place[begin + i]] - pair.second[shares_.place[begin + i]];
            take_means(gap, shares_.inside.data() + begin, shares_.outside.data() + begin, pair.total, count, lower, upper);
            // Each is written to its place, and stays there if it counts.
            for (std::size_t i = 0; i < count; ++i) {
                below[fewer] = lower[i];
                fewer += lower[i] <= low;
                above[more] = upper[i];
                more += upper[i] <= high;
            }
        }
        found_ = {fewer, more};
    }

    const Shares& shares_;
    bool whole_;
    std::array<std::vector<double>, 2> ends_;
    std::array<std::size_t, 2> found_{};
};

std::array<double, 2> rank_ends(Means& means, const Pair& pair, std::size_t rank) { return means.ranked(pair, rank); }

PRECALL_ALL_WIDE std::array<double, 2> rank_ends_wide(Means& means, const Pair& pair, std::size_t rank) { return means.ranked(pair, rank); }

}  // namespace

Column<double> subset_sums(Matrix values, const std::uint8_t* subset, std::int64_t draws) {
    const auto count = static_cast<std::size_t>(draws);
    Column<double> sums(static_cast<std::size_t>(values.columns) * count);
    if (has_wide())
        sum_all_wide(values, subset, count, sums.data());
    else
        sum_all(values, subset, count, sums.data());
    return sums;
}

Column<double> weighed_gaps(Sums sums, const double* weight) {
    Column<double> most(static_cast<std::size_t>(sums.draws));
    if (has_wide())
        find_greatest_wide(sums, weight, most.data());
    else
        find_greatest(sums, weight, most.data());
    return most;
}

Ranked ranked_means(Sums sums, Rows rows, std::int64_t rank, int threads) {
    const auto pairs = static_cast<std::size_t>(sums.pairs), draws = static_cast<std::size_t>(sums.draws);
    Ranked found{Column<std::int64_t>(pairs), Column<double>(pairs), Column<double>(pairs), true};
    const Shares shares(rows, rank < 0 ? 0 : draws);
    std::atomic<bool> finite{true};
    Batches batches(sums.pairs, 1);
    const std::int64_t worth = std::clamp<std::int64_t>(sums.pairs * sums.draws / 65536, 1, threads);
    in_parallel(static_cast<int>(worth), [&] {
        Means means(shares, draws);
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            const double total = rows.total[begin];
            const Pair pair{sums.value + sums.first[begin] * sums.draws, sums.value + sums.second[begin] * sums.draws, draws, total,
                            std::abs(total) - rows.near[begin]};
            const auto at = static_cast<std::size_t>(begin);
            found.reached[at] = has_wide() ? count_far_wide(pair) : count_far(pair);
            found.low[at] = found.high[at] = std::nan("");
            if (found.reached[at] < 0) finite = false;
            if (rank < 0 || found.reached[at] < 0) continue;
            const auto place = static_cast<std::size_t>(rank);
            const auto ends = has_wide() ? rank_ends_wide(means, pair, place) : rank_ends(means, pair, place);
            found.low[at] = ends[0];
            found.high[at] = ends[1];
        }
    });
    found.finite = finite;
    return found;
}

}  // namespace precall
