#include "exchanging.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "wide.hpp"

namespace precall {

namespace {

// Draws that are counted side by side. Numbers wrap around if they are not what they should be.
constexpr std::size_t width = 8;
using Line = std::array<std::uint32_t, width>;
using Reals = std::array<double, width>;

double real(std::uint32_t number) {
    return static_cast<double>(static_cast<std::int32_t>(number));
}

// One of the two lists, from the top down, in each draw.
struct Side {
    Line hits{}, items{};
    Reals sum{};

    // Relevant and other items of a place; for `area` it is told how many others there are.
    void precision(const Line& others, const Line& relevant) {
        for (std::size_t i = 0; i < width; ++i) {
            hits[i] += relevant[i];
            items[i] += others[i] + relevant[i];
            const auto size = static_cast<std::int32_t>(items[i]);
            sum[i] += real(relevant[i]) * (real(hits[i]) / static_cast<double>(size > 1 ? size : 1));
        }
    }

    // The others below, those of the same place half.
    void area(const Line& others, const Line& relevant, double all) {
        for (std::size_t i = 0; i < width; ++i) {
            items[i] += others[i];
            hits[i] += relevant[i];
            sum[i] += real(relevant[i]) * (all - real(items[i]) + real(others[i]) / 2);
        }
    }

    // A place between those of relevant items.
    void pass(const Line& others) {
        for (std::size_t i = 0; i < width; ++i) items[i] += others[i];
    }
};

Line rest(std::int32_t every, const Line& taken) {
    Line left;
    for (std::size_t i = 0; i < width; ++i) left[i] = static_cast<std::uint32_t>(every) - taken[i];
    return left;
}

// What stands at each slot of the first list.
void fill(const Exchanges& lists, const std::vector<Line>& moved, std::vector<Line>& slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i].fill(static_cast<std::uint32_t>(lists.base[i]));
    for (std::int64_t i = 0; i < lists.changes; ++i) {
        const std::int32_t coin = lists.coin[i];
        const auto sign = static_cast<std::uint32_t>(coin >> 31);
        // Of copies it is plain that none is part of another, which vector instructions need.
        Line number = moved[static_cast<std::uint32_t>(coin) ^ sign];
        Line& slot = slots[static_cast<std::size_t>(lists.slot[i])];
        for (std::size_t k = 0; k < width; ++k) number[k] = slot[k] + (number[k] ^ sign) - sign;
        slot = number;
    }
}

// What a pair's sums are divided by: its relevant items, for areas times its others. Each list has half of what both have.
std::vector<double> wholes(const Exchanges& lists, bool area, std::vector<double>& others) {
    std::vector<double> whole;
    for (std::int64_t pair = 0; pair < lists.pairs; ++pair) {
        std::int64_t counts[2] = {0, 0};
        for (std::int64_t i = lists.start[pair]; i < lists.start[pair + 1]; ++i) counts[i % 2] += lists.every[i];
        others.push_back(static_cast<double>(counts[0] / 2));
        whole.push_back(static_cast<double>(counts[1] / 2) * (area ? others.back() : 1));
    }
    return whole;
}

// Adds what the lists of a pair differ by, in each draw; `every` and `slots` begin with the pair.
template <bool area>
void compare(const std::int32_t* every, const Line* slots, std::int64_t count, double others, double whole, Reals& differences) {
    Side one, two;
    for (std::int64_t at = 0; at < count; at += 2) {
        const Line left = rest(every[at], slots[at]);
        if (at % 4 == 0) {
            one.pass(slots[at]);
            two.pass(left);
            continue;
        }
        const Line right = rest(every[at + 1], slots[at + 1]);
        if constexpr (area) {
            one.area(slots[at], slots[at + 1], others);
            two.area(left, right, others);
        } else {
            one.precision(slots[at], slots[at + 1]);
            two.precision(left, right);
        }
    }
    for (std::size_t i = 0; i < width; ++i) differences[i] += one.sum[i] / whole - two.sum[i] / whole;
}

PRECALL_ALL_WIDE void fill_wide(const Exchanges& lists, const std::vector<Line>& moved, std::vector<Line>& slots) {
    fill(lists, moved, slots);
}

template <bool area>
PRECALL_ALL_WIDE void compare_wide(
    const std::int32_t* every, const Line* slots, std::int64_t count, double others, double whole, Reals& differences) {
    compare<area>(every, slots, count, others, whole, differences);
}

// What the slots of a list weigh, added up in the order of the changes; `one` is up of the coins as they are, `other` of those written
// as -1 - coin.
void weigh(const Weights& lists, const std::vector<Line>& one, const std::vector<Line>& other, std::vector<Reals>& slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i].fill(lists.base[i]);
    for (std::int64_t i = 0; i < lists.changes; ++i) {
        const std::int32_t coin = lists.coin[i];
        const Line& number = coin < 0 ? other[static_cast<std::size_t>(-1 - coin)] : one[static_cast<std::size_t>(coin)];
        const double weight = lists.weight[i];
        Reals& slot = slots[static_cast<std::size_t>(lists.slot[i])];
        for (std::size_t k = 0; k < width; ++k) slot[k] += weight * real(number[k]);
    }
}

// The measure of a list, times what it is divided by: of `area` all others count, and those of the same place half.
Reals measure(const std::vector<Reals>& slots, double others, bool area) {
    Reals sum{}, hits{}, items{};
    for (std::size_t at = 0; at < slots.size(); at += 2) {
        const Reals &other = slots[at], &relevant = slots[at + 1];
        const bool stop = at % 4 != 0;
        for (std::size_t i = 0; i < width; ++i) {
            if (area) {
                items[i] += other[i];
                if (stop) sum[i] += relevant[i] * (others - items[i] + other[i] / 2);
                continue;
            }
            items[i] += other[i] + relevant[i];
            if (!stop) continue;
            hits[i] += relevant[i];
            sum[i] += relevant[i] * (items[i] > 0 ? hits[i] / items[i] : 0.0);
        }
    }
    return sum;
}

PRECALL_ALL_WIDE void weigh_wide(const Weights& lists, const std::vector<Line>& one, const std::vector<Line>& other, std::vector<Reals>& slots) {
    weigh(lists, one, other, slots);
}

PRECALL_ALL_WIDE Reals measure_wide(const std::vector<Reals>& slots, double others, bool area) {
    return measure(slots, others, area);
}

}  // namespace

Column<double> exchanged_weights(const Weights& lists, const std::int32_t* moved, std::int64_t draws, bool area) {
    const auto filled = has_wide() ? weigh_wide : weigh;
    const auto measured = has_wide() ? measure_wide : measure;
    Column<double> differences(static_cast<std::size_t>(draws));
    const auto coins = static_cast<std::size_t>(lists.coins), count = static_cast<std::size_t>(draws);
    std::vector<Line> up(coins, Line{}), rest(coins, Line{});
    std::vector<Reals> slots(static_cast<std::size_t>(lists.slots));
    for (std::size_t coin = 0; coin < coins; ++coin) rest[coin].fill(static_cast<std::uint32_t>(lists.units[coin]));
    filled(lists, up, rest, slots);
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < slots.size(); ++i) sums[i % 2] += slots[i][0];
    const double whole = area ? sums[1] * sums[0] : sums[1];
    for (std::size_t first = 0; first < count; first += width) {
        const std::size_t part = std::min(width, count - first);
        for (std::size_t coin = 0; coin < coins; ++coin) {
            const std::int32_t* const from = moved + coin * count + first;
            std::copy_n(from, part, up[coin].begin());
            for (std::size_t k = 0; k < part; ++k) rest[coin][k] = static_cast<std::uint32_t>(lists.units[coin]) - up[coin][k];
        }
        filled(lists, up, rest, slots);
        const Reals one = measured(slots, sums[0], area);
        filled(lists, rest, up, slots);
        const Reals two = measured(slots, sums[0], area);
        for (std::size_t k = 0; k < part; ++k) differences[first + k] = one[k] / whole - two[k] / whole;
    }
    return differences;
}

Column<double> exchanged_differences(const Exchanges& lists, const std::int32_t* moved, std::int64_t draws, bool area) {
    const auto filled = has_wide() ? fill_wide : fill;
    const auto narrow = area ? compare<true> : compare<false>, wide = area ? compare_wide<true> : compare_wide<false>;
    const auto compared = has_wide() ? wide : narrow;
    Column<double> differences(static_cast<std::size_t>(draws));
    const auto coins = static_cast<std::size_t>(lists.coins), count = static_cast<std::size_t>(draws);
    std::vector<Line> numbers(coins, Line{}), slots(static_cast<std::size_t>(lists.slots));
    std::vector<double> others;
    const std::vector<double> whole = wholes(lists, area, others);
    for (std::size_t first = 0; first < count; first += width) {
        const std::size_t part = std::min(width, count - first);
        for (std::size_t coin = 0; coin < coins; ++coin) {
            const std::int32_t* const from = moved + coin * count + first;
            if (part == width) {
                std::memcpy(numbers[coin].data(), from, sizeof(Line));
            } else {
                std::copy_n(from, part, numbers[coin].begin());
            }
        }
        filled(lists, numbers, slots);
        Reals sums{};
        for (std::int64_t pair = 0; pair < lists.pairs; ++pair) {
            const std::int64_t start = lists.start[pair];
            const auto i = static_cast<std::size_t>(pair);
            compared(lists.every + start, slots.data() + start, lists.start[pair + 1] - start, others[i], whole[i], sums);
        }
        std::copy_n(sums.begin(), part, differences.data() + first);
    }
    return differences;
}

}  // namespace precall
