#include "swapping.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <vector>

#include "wide.hpp"

namespace precall {

namespace {

// Numbers are written across lines: line i has bit i of the numbers of all draws. So an operation on a word adds to 64 numbers.
constexpr std::size_t most_levels = 32, together = 8;
// Lines of so many kinds stay in the caches; of fewer that are left, eight with empty ones take less time.
constexpr std::size_t chunk = 1024, least = 3;

template <std::size_t width>
using Line = std::array<std::uint64_t, width>;

// Of three bits the lower bit of their sum takes the place of the first; returned is the upper.
inline std::uint64_t fold(std::uint64_t& a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t either = a ^ b, upper = (a & b) | (either & c);
    a = either ^ c;
    return upper;
}

// Numbers of all draws, to which lines are added. A second line of a level waits there for a third.
template <std::size_t width>
struct Numbers {
    Line<width>* sum;
    Line<width>* waiting;
    std::uint8_t* waits;
    // No number reaches 2^levels, or they wrap around there. Eight lines write to so many levels behind the last.
    std::size_t levels;
    static constexpr std::size_t spare = 2;

    void clear() {
        std::fill(sum, sum + levels + spare, Line<width>{});
        std::fill(waits, waits + levels, std::uint8_t(0));
    }

    void add(Line<width> more, std::size_t level) {
        for (; level < levels; ++level) {
            Line<width>& other = waiting[level];
            waits[level] ^= 1;
            if (waits[level] != 0) {
                other = more;
                return;
            }
            for (std::size_t i = 0; i < width; ++i) more[i] = fold(sum[level][i], other[i], more[i]);
        }
    }

    void add(const std::array<const Line<width>*, together>& lines, std::size_t level) {
        Line<width>&one = sum[level], &two = sum[level + 1], &four = sum[level + 2];
        Line<width> eights;
        for (std::size_t i = 0; i < width; ++i) {
            std::uint64_t ones = one[i], twos = two[i], fours = four[i];
            const std::uint64_t a = fold(ones, (*lines[0])[i], (*lines[1])[i]), b = fold(ones, (*lines[2])[i], (*lines[3])[i]);
            const std::uint64_t c = fold(ones, (*lines[4])[i], (*lines[5])[i]), d = fold(ones, (*lines[6])[i], (*lines[7])[i]);
            const std::uint64_t e = fold(twos, a, b), f = fold(twos, c, d);
            eights[i] = fold(fours, e, f);
            one[i] = ones;
            two[i] = twos;
            four[i] = fours;
        }
        add(eights, level + 3);
    }

    // Nothing waits any more.
    void settle() {
        for (std::size_t level = 0; level < levels; ++level) {
            if (waits[level] == 0) continue;
            waits[level] = 0;
            Line<width> more = waiting[level];
            for (std::size_t up = level; up < levels; ++up) {
                for (std::size_t i = 0; i < width; ++i) more[i] = fold(sum[up][i], more[i], 0);
            }
        }
    }
};

std::size_t levels_of(std::uint64_t most) {
    return std::min(static_cast<std::size_t>(std::bit_width(most)), most_levels);
}

std::uint32_t size_of(std::int32_t change) {
    const auto bits = static_cast<std::uint32_t>(change);
    return change < 0 ? 0 - bits : bits;
}

// Lines that are added to one level of a number, as they stand in the plan.
struct Group {
    std::size_t number, level, first, last;
};

// Kinds whose lines are tossed at one time, and the groups that these are added by.
struct Part {
    std::int64_t first, last;
    std::size_t begin, end;
};

// Which lines are added where. Numbers 2 i and 2 i + 1 are what total i gains and loses; line 0 is empty.
class Plan {
  public:
    explicit Plan(const Swaps& swaps) : swaps_(swaps), next_(swaps.totals.start, swaps.totals.start + swaps.totals.count) {
        for (std::int64_t first = 0, last = 0; first < swaps.kinds; first = last) {
            std::vector<std::size_t> place;
            for (std::size_t used = 1; last < swaps.kinds && used < chunk; ++last) {
                place.push_back(used);
                used += levels_of(units(last));
            }
            const std::size_t begin = groups.size();
            for (std::int64_t total = 0; total < swaps.totals.count; ++total) gather(total, first, last, place);
            parts.push_back({first, last, begin, groups.size()});
        }
    }

    // Of each number.
    std::vector<std::size_t> levels() const {
        std::vector<std::uint64_t> most(2 * static_cast<std::size_t>(swaps_.totals.count));
        for (std::int64_t total = 0; total < swaps_.totals.count; ++total) {
            for (std::int64_t at = swaps_.totals.begin(total); at < swaps_.totals.end(total); ++at) {
                most[number(total, swaps_.change[at])] += size_of(swaps_.change[at]) * units(swaps_.kind[at]);
            }
        }
        std::vector<std::size_t> levels(most.size());
        std::transform(most.begin(), most.end(), levels.begin(), levels_of);
        return levels;
    }

    std::uint64_t units(std::int64_t kind) const { return static_cast<std::uint64_t>(swaps_.units[kind]); }

    std::vector<Part> parts;
    std::vector<Group> groups;
    std::vector<std::uint32_t> lines;

  private:
    static std::size_t number(std::int64_t total, std::int32_t change) { return 2 * static_cast<std::size_t>(total) + (change < 0 ? 1 : 0); }

    void gather(std::int64_t total, std::int64_t first, std::int64_t last, const std::vector<std::size_t>& place) {
        std::int64_t& at = next_[static_cast<std::size_t>(total)];
        std::size_t top = 0;
        for (; at < swaps_.totals.end(total) && swaps_.kind[at] < last; ++at) {
            const std::int64_t kind = swaps_.kind[at];
            const std::size_t count = levels_of(units(kind)), line = place[static_cast<std::size_t>(kind - first)];
            for (std::uint32_t rest = size_of(swaps_.change[at]); rest != 0; rest &= rest - 1) {
                const auto times = static_cast<std::size_t>(std::countr_zero(rest));
                for (std::size_t level = times; level < std::min(times + count, most_levels); ++level) {
                    some_[2 * level + (swaps_.change[at] < 0 ? 1 : 0)].push_back(static_cast<std::uint32_t>(line + level - times));
                    top = std::max(top, level + 1);
                }
            }
        }
        for (std::size_t i = 0; i < 2 * top; ++i) {
            if (some_[i].empty()) continue;
            const std::size_t begin = lines.size();
            lines.insert(lines.end(), some_[i].begin(), some_[i].end());
            if (some_[i].size() % together >= least) lines.resize(begin + (some_[i].size() + together - 1) / together * together);
            some_[i].clear();
            groups.push_back({2 * static_cast<std::size_t>(total) + i % 2, i / 2, begin, lines.size()});
        }
    }

    const Swaps& swaps_;
    std::vector<std::int64_t> next_;
    std::array<std::vector<std::uint32_t>, 2 * most_levels> some_;
};

template <std::size_t width>
class Draws {
  public:
    Draws(const Plan& plan, std::uint64_t seed, std::uint64_t words) : plan_(plan), seed_(seed), words_(words), lines_(chunk + most_levels) {
        const std::vector<std::size_t> levels = plan.levels();
        const std::size_t all = std::accumulate(levels.begin(), levels.end(), Numbers<width>::spare * (levels.size() + 1) + most_levels);
        sums_.resize(all);
        waiting_.resize(all);
        waits_.resize(all);
        std::size_t first = most_levels + Numbers<width>::spare;
        for (const std::size_t count : levels) {
            numbers_.push_back({sums_.data() + first, waiting_.data() + first, waits_.data() + first, count});
            first += count + Numbers<width>::spare;
        }
    }

    // What draws from 64 x word on add, `size` of them at most; those of a total stand `apart`.
    void add(std::uint64_t word, std::int32_t* result, std::size_t apart, std::size_t size) {
        for (Numbers<width>& numbers : numbers_) numbers.clear();
        std::uint64_t unit = 0;
        for (const Part& part : plan_.parts) {
            std::size_t line = 1;
            for (std::int64_t kind = part.first; kind < part.last; ++kind) {
                line += toss(plan_.units(kind), unit, word, line);
                unit += plan_.units(kind);
            }
            for (std::size_t i = part.begin; i < part.end; ++i) gather(plan_.groups[i]);
        }
        for (std::size_t i = 0; i < numbers_.size(); i += 2) write(i, result + i / 2 * apart, size);
    }

  private:
    void toss(Line<width>& line, std::uint64_t unit, std::uint64_t word) const {
        Stream stream(seed_ + Stream::step * (unit * words_ + word));
        for (std::uint64_t& bits : line) bits = stream.next();
    }

    // How many of so many units are exchanged, and how many lines that is.
    std::size_t toss(std::uint64_t units, std::uint64_t unit, std::uint64_t word, std::size_t line) {
        if (units == 1) {
            toss(lines_[line], unit, word);
            return 1;
        }
        Numbers<width> number{sums_.data(), waiting_.data(), waits_.data(), levels_of(units)};
        number.clear();
        std::array<Line<width>, together> tossed;
        std::array<const Line<width>*, together> all;
        for (std::size_t i = 0; i < together; ++i) all[i] = &tossed[i];
        for (std::uint64_t done = 0; done < units; done += together) {
            const std::size_t part = std::min<std::size_t>(together, units - done);
            for (std::size_t i = 0; i < part; ++i) toss(tossed[i], unit + done + i, word);
            if (part < together) {
                for (std::size_t i = 0; i < part; ++i) number.add(tossed[i], 0);
            } else {
                number.add(all, 0);
            }
        }
        number.settle();
        std::copy_n(number.sum, number.levels, lines_.begin() + static_cast<std::ptrdiff_t>(line));
        return number.levels;
    }

    void gather(const Group& group) {
        Numbers<width>& numbers = numbers_[group.number];
        const Line<width>* const from = lines_.data();
        std::size_t i = group.first;
        for (; i + together <= group.last; i += together) {
            std::array<const Line<width>*, together> lines;
            for (std::size_t k = 0; k < together; ++k) lines[k] = from + plan_.lines[i + k];
            numbers.add(lines, group.level);
        }
        for (; i < group.last; ++i) numbers.add(from[plan_.lines[i]], group.level);
    }

    // Gains less losses.
    void write(std::size_t number, std::int32_t* result, std::size_t size) {
        std::array<std::uint32_t, 64 * width> totals{};
        for (std::size_t loss = 0; loss < 2; ++loss) {
            Numbers<width>& numbers = numbers_[number + loss];
            numbers.settle();
            for (std::size_t level = 0; level < numbers.levels; ++level) {
                const std::uint32_t one = std::uint32_t(1) << level, change = loss == 1 ? 0 - one : one;
                for (std::size_t i = 0; i < width; ++i) {
                    const std::uint64_t bits = numbers.sum[level][i];
                    for (std::size_t bit = 0; bit < 64; ++bit) totals[64 * i + bit] += change * static_cast<std::uint32_t>(bits >> bit & 1);
                }
            }
        }
        for (std::size_t draw = 0; draw < size; ++draw) result[draw] = static_cast<std::int32_t>(totals[draw]);
    }

    const Plan& plan_;
    std::uint64_t seed_, words_;
    std::vector<Line<width>> lines_, sums_, waiting_;
    std::vector<std::uint8_t> waits_;
    std::vector<Numbers<width>> numbers_;
};

template <std::size_t width>
void swap_all(const Swaps& swaps, std::uint64_t seed, std::size_t draws, std::int32_t* result) {
    const Plan plan(swaps);
    Draws<width> made(plan, seed, (draws + 63) / 64);
    for (std::size_t first = 0; first < draws; first += 64 * width) {
        made.add(first / 64, result + first, draws, std::min(64 * width, draws - first));
    }
}

constexpr std::size_t many = 32;

PRECALL_ALL_WIDE void swap_wide(const Swaps& swaps, std::uint64_t seed, std::size_t draws, std::int32_t* result) {
    swap_all<many>(swaps, seed, draws, result);
}

}  // namespace

Column<std::int32_t> swapped_totals(const Swaps& swaps, std::uint64_t seed, std::int64_t draws) {
    const auto count = static_cast<std::size_t>(draws);
    Column<std::int32_t> result(static_cast<std::size_t>(swaps.totals.count) * count);
    (count <= 64 ? swap_all<1> : has_wide() ? swap_wide : swap_all<many>)(swaps, seed, count, result.data());
    return result;
}

}  // namespace precall
