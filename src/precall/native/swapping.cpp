#include "swapping.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

namespace precall {

namespace {

// Numbers are written across lines: line i has bit i of the numbers of all draws. So an operation on a word adds to 64 numbers.
constexpr std::size_t most_levels = 32, together = 8;
// So many lines of kinds stay in the first cache.
constexpr std::size_t chunk = 192;

template <std::size_t width>
using Line = std::array<std::uint64_t, width>;

// Numbers of draws, to which lines are added. A second line of a level waits there for a third.
template <std::size_t width>
class Numbers {
  public:
    using Plane = Line<width>;

    Numbers(Plane* sum, Plane* waiting, std::uint8_t* waits, std::size_t levels) : sum_(sum), waiting_(waiting), waits_(waits), levels_(levels) {}

    // No number reaches 2^levels, or wraps around there.
    void add(const Plane& plane, std::size_t level) {
        Plane more = plane;
        for (; level < levels_; ++level) {
            if (waits_[level] == 0) {
                waiting_[level] = more;
                waits_[level] = 1;
                return;
            }
            waits_[level] = 0;
            Plane& sum = sum_[level];
            const Plane& other = waiting_[level];
            for (std::size_t i = 0; i < width; ++i) {
                const std::uint64_t a = sum[i], b = other[i], c = more[i], both = a ^ b;
                sum[i] = both ^ c;
                more[i] = (a & b) | (both & c);
            }
        }
    }

    // Eight of one level.
    void add(const std::array<const Plane*, together>& planes, std::size_t level) {
        Plane& ones = sum_[level];
        Plane& twos = sum_[level + 1];
        Plane& fours = sum_[level + 2];
        Plane eights;
        for (std::size_t i = 0; i < width; ++i) {
            std::uint64_t one = ones[i], two = twos[i], four = fours[i];
            const auto full = [](std::uint64_t& sum, std::uint64_t b, std::uint64_t c) {
                const std::uint64_t a = sum, both = a ^ b;
                sum = both ^ c;
                return (a & b) | (both & c);
            };
            const std::uint64_t a = full(one, (*planes[0])[i], (*planes[1])[i]), b = full(one, (*planes[2])[i], (*planes[3])[i]);
            const std::uint64_t c = full(one, (*planes[4])[i], (*planes[5])[i]), d = full(one, (*planes[6])[i], (*planes[7])[i]);
            const std::uint64_t e = full(two, a, b), f = full(two, c, d);
            eights[i] = full(four, e, f);
            ones[i] = one;
            twos[i] = two;
            fours[i] = four;
        }
        add(eights, level + 3);
    }

    // Nothing waits any more.
    void settle() {
        for (std::size_t level = 0; level < levels_; ++level) {
            if (waits_[level] == 0) continue;
            waits_[level] = 0;
            Plane more = waiting_[level];
            for (std::size_t up = level; up < levels_; ++up) {
                for (std::size_t i = 0; i < width; ++i) {
                    const std::uint64_t a = sum_[up][i];
                    sum_[up][i] = a ^ more[i];
                    more[i] &= a;
                }
            }
        }
    }

    const Plane& operator[](std::size_t level) const { return sum_[level]; }
    std::size_t levels() const { return levels_; }

    void clear() {
        std::fill(sum_, sum_ + levels_ + spare, Plane{});
        std::fill(waits_, waits_ + levels_, std::uint8_t(0));
    }

    // Levels behind the last, which eight lines write to.
    static constexpr std::size_t spare = 3;

  private:
    Plane* sum_;
    Plane* waiting_;
    std::uint8_t* waits_;
    std::size_t levels_;
};

// Lines that are to be added to one total, by level.
template <std::size_t width>
class Gathered {
  public:
    void add(const Line<width>& plane, std::size_t level, Numbers<width>& to) {
        std::size_t& count = count_[level];
        planes_[level][count++] = &plane;
        if (count == together) {
            to.add(planes_[level], level);
            count = 0;
        }
        top_ = std::max(top_, level + 1);
    }

    // Those that are left.
    void finish(Numbers<width>& to) {
        for (std::size_t level = 0; level < top_; ++level) {
            for (std::size_t i = 0; i < count_[level]; ++i) to.add(*planes_[level][i], level);
            count_[level] = 0;
        }
        top_ = 0;
    }

  private:
    std::array<std::array<const Line<width>*, together>, most_levels> planes_{};
    std::array<std::size_t, most_levels> count_{};
    std::size_t top_ = 0;
};

std::size_t levels_of(std::uint64_t most) {
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(most)), most_levels);
}

std::uint32_t size_of(std::int32_t change) {
    const auto bits = static_cast<std::uint32_t>(change);
    return change < 0 ? 0 - bits : bits;
}

template <std::size_t width>
class Draws {
  public:
    using Plane = Line<width>;

    Draws(const Swaps& swaps, std::uint64_t seed, std::uint64_t words) : swaps_(swaps), seed_(seed), words_(words), totals_(static_cast<std::size_t>(swaps.totals.count)) {
        std::vector<std::size_t> levels;
        std::size_t all = 0;
        for (std::size_t i = 0; i < 2 * totals_; ++i) {
            std::uint64_t most = 0;
            for (std::int64_t at = swaps.totals.begin(total(i)); at < swaps.totals.end(total(i)); ++at) {
                const std::uint64_t units = static_cast<std::uint64_t>(swaps.units[swaps.kind[at]]);
                if ((swaps.change[at] < 0) == (i % 2 == 1)) most += size_of(swaps.change[at]) * units;
            }
            levels.push_back(levels_of(most));
            all += levels.back() + Numbers<width>::spare;
        }
        sum_.resize(all);
        waiting_.resize(all);
        waits_.resize(all);
        all = 0;
        for (const std::size_t count : levels) {
            numbers_.emplace_back(sum_.data() + all, waiting_.data() + all, waits_.data() + all, count);
            all += count + Numbers<width>::spare;
        }
    }

    // What draws 64 x word and so on add, `size` of them, where those of a total are `apart`.
    void add(std::uint64_t word, std::int32_t* result, std::size_t apart, std::size_t size) {
        for (Numbers<width>& numbers : numbers_) numbers.clear();
        next_.assign(swaps_.totals.start, swaps_.totals.start + totals_);
        std::uint64_t unit = 0;
        for (std::int64_t begin = 0, end = 0; begin < swaps_.kinds; begin = end) {
            std::size_t lines = 0;
            place_.clear();
            for (; end < swaps_.kinds && lines < chunk; ++end) {
                place_.push_back(lines);
                lines += toss(static_cast<std::uint64_t>(swaps_.units[end]), unit, word, lines);
                unit += static_cast<std::uint64_t>(swaps_.units[end]);
            }
            for (std::size_t i = 0; i < totals_; ++i) gather(i, begin, end);
        }
        for (std::size_t i = 0; i < totals_; ++i) write(i, result + i * apart, size);
    }

  private:
    static std::int64_t total(std::size_t numbers) { return static_cast<std::int64_t>(numbers / 2); }

    void toss(Plane& plane, std::uint64_t unit, std::uint64_t word) const {
        Stream stream(seed_ + Stream::step * (unit * words_ + word));
        for (std::uint64_t& bits : plane) bits = stream.next();
    }

    // How many of so many units are exchanged, and how many lines that is.
    std::size_t toss(std::uint64_t units, std::uint64_t unit, std::uint64_t word, std::size_t line) {
        if (units == 1) {
            toss(lines_[line], unit, word);
            return 1;
        }
        const std::size_t levels = levels_of(units);
        std::array<Plane, together> tossed;
        std::array<const Plane*, together> pointers;
        for (std::size_t i = 0; i < together; ++i) pointers[i] = &tossed[i];
        Numbers<width> number(lines_.data() + line, tossed_waiting_.data(), tossed_waits_.data(), levels);
        number.clear();
        for (std::uint64_t done = 0; done < units;) {
            const std::uint64_t part = std::min<std::uint64_t>(together, units - done);
            for (std::size_t i = 0; i < part; ++i) toss(tossed[i], unit + done + i, word);
            if (part == together) {
                number.add(pointers, 0);
            } else {
                for (std::size_t i = 0; i < part; ++i) number.add(tossed[i], 0);
            }
            done += part;
        }
        number.settle();
        return levels;
    }

    // What kinds from begin to end, which have been tossed, add to a total.
    void gather(std::size_t i, std::int64_t begin, std::int64_t end) {
        std::int64_t at = next_[i];
        const std::int64_t stop = swaps_.totals.end(static_cast<std::int64_t>(i));
        for (; at < stop && swaps_.kind[at] < end; ++at) {
            const std::int32_t change = swaps_.change[at];
            const std::size_t down = change < 0 ? 1 : 0, kind = static_cast<std::size_t>(swaps_.kind[at]);
            const Plane* const lines = lines_.data() + place_[kind - static_cast<std::size_t>(begin)];
            const std::size_t count = levels_of(static_cast<std::uint64_t>(swaps_.units[kind]));
            for (std::uint32_t rest = size_of(change); rest != 0; rest &= rest - 1) {
                const auto times = static_cast<std::size_t>(std::countr_zero(rest));
                for (std::size_t level = 0; level < count && level + times < most_levels; ++level) {
                    gathered_[down].add(lines[level], level + times, numbers_[2 * i + down]);
                }
            }
        }
        next_[i] = at;
        for (std::size_t down = 0; down < 2; ++down) gathered_[down].finish(numbers_[2 * i + down]);
    }

    void write(std::size_t i, std::int32_t* result, std::size_t size) {
        std::array<std::uint32_t, 64 * width> sums{};
        for (std::size_t down = 0; down < 2; ++down) {
            Numbers<width>& numbers = numbers_[2 * i + down];
            numbers.settle();
            for (std::size_t level = 0; level < numbers.levels(); ++level) {
                const std::uint32_t one = (down ? 0 - std::uint32_t(1) : std::uint32_t(1)) << level;
                for (std::size_t draw = 0; draw < 64 * width; ++draw) {
                    const auto bit = static_cast<std::uint32_t>(numbers[level][draw / 64] >> draw % 64 & 1);
                    sums[draw] += (0 - bit) & one;
                }
            }
        }
        for (std::size_t draw = 0; draw < size; ++draw) result[draw] = static_cast<std::int32_t>(sums[draw]);
    }

    const Swaps swaps_;
    std::uint64_t seed_, words_;
    std::size_t totals_;
    std::vector<Plane> sum_, waiting_;
    std::vector<std::uint8_t> waits_;
    std::vector<Numbers<width>> numbers_;
    std::array<Gathered<width>, 2> gathered_;
    std::vector<std::int64_t> next_;
    std::vector<std::size_t> place_;
    std::array<Plane, chunk + most_levels + Numbers<width>::spare> lines_;
    std::array<Plane, most_levels> tossed_waiting_;
    std::array<std::uint8_t, most_levels> tossed_waits_;
};

template <std::size_t width>
void swap_all(const Swaps& swaps, std::uint64_t seed, std::size_t draws, std::int32_t* result) {
    const std::uint64_t words = (draws + 63) / 64;
    const auto made = std::make_unique<Draws<width>>(swaps, seed, words);
    for (std::size_t first = 0; first < draws; first += 64 * width) {
        made->add(first / 64, result + first, draws, std::min(64 * width, draws - first));
    }
}

}  // namespace

Column<std::int32_t> swapped_totals(const Swaps& swaps, std::uint64_t seed, std::int64_t draws) {
    const auto count = static_cast<std::size_t>(draws);
    Column<std::int32_t> result(static_cast<std::size_t>(swaps.totals.count) * count);
    if (count <= 64) {
        swap_all<1>(swaps, seed, count, result.data());
    } else {
        swap_all<16>(swaps, seed, count, result.data());
    }
    return result;
}

}  // namespace precall
