#include "shuffling.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "resampling.hpp"
#include "wide.hpp"

namespace precall {

namespace {

// Shuffles that stand side by side, one cache line for each column.
constexpr std::size_t width = 8;
using Line = std::array<std::uint64_t, width>;

std::size_t die(std::uint64_t half, std::uint64_t sides) {
    return static_cast<std::size_t>((half * sides) >> 32);
}

// Fisher and Yates, from the last place down; two places a word. What comes to a place is handed over and stays there, so that
// of the values only those that are left are kept.
template <class Value, class Put>
void shuffle(std::vector<Value>& values, Stream stream, Put put) {
    const auto draw = [&values, &put](std::size_t last, std::size_t drawn) {
        put(last, values[drawn]);
        values[drawn] = values[last];
    };
    std::size_t left = values.size();
    for (; left > 2; left -= 2) {
        const std::uint64_t word = stream.next();
        draw(left - 1, die(word & 0xffffffffu, left));
        draw(left - 2, die(word >> 32, left - 1));
    }
    if (left == 2) draw(1, die(stream.next() & 0xffffffffu, 2));
    if (left > 0) put(0, values[0]);
}

// Of so many values two draws a word are even but for 2^-20.
constexpr std::uint64_t most_of_two = std::uint64_t(1) << 22;

// So many draws a word, one or two: the second is of what the upper half of word x count leaves below it. A function of its own,
// since compilers that see where the count comes from multiply by both halves of it.
template <std::uint64_t each>
[[gnu::noinline]] std::uint64_t redrawn_sum(const std::int64_t* value, std::uint64_t count, Stream stream) {
    std::uint64_t sum = 0, left = count;
    for (; left >= each; left -= each) {
        const std::uint64_t word = stream.next();
        sum += static_cast<std::uint64_t>(value[Stream::upper(word, count)]);
        if constexpr (each == 2) sum += static_cast<std::uint64_t>(value[Stream::upper(word * count, count)]);
    }
    if (left > 0) sum += static_cast<std::uint64_t>(value[Stream::upper(stream.next(), count)]);
    return sum;
}

class Shuffles {
  public:
    Shuffles(Values table, std::size_t columns, std::uint64_t seed, std::size_t shuffles, std::size_t again)
        : table_(table), columns_(columns), again_(again), each_(shuffles + again), seed_(seed), rows_(static_cast<std::size_t>(table.count) / columns),
          order_(rows_ * again * columns) {
        std::vector<std::uint16_t> order(columns);
        for (std::size_t i = 0; i < rows_ * again; ++i) {
            for (std::size_t c = 0; c < columns; ++c) order[c] = static_cast<std::uint16_t>(c);
            std::uint16_t* const shuffled = order_.data() + i * columns;
            shuffle(order, stream(i / again, i % again), [shuffled](std::size_t c, std::uint16_t value) { shuffled[c] = value; });
        }
    }

    // Column sums of shuffles first .. first + count - 1, at most `width`: `again` + 1 times as many lines as columns.
    void add(std::size_t first, std::size_t count, std::vector<Line>& sums) const {
        std::vector<Line> shuffled(together * columns_, Line{});
        std::vector<std::uint64_t> values(columns_);
        for (std::size_t begin = 0; begin < rows_; begin += together) {
            const std::size_t rows = std::min(together, rows_ - begin);
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t i = 0; i < count; ++i) {
                    std::copy_n(table_.value + (begin + row) * columns_, columns_, values.begin());
                    Line* const lines = shuffled.data() + row * columns_;
                    shuffle(values, stream(begin + row, again_ + first + i), [lines, i](std::size_t c, std::uint64_t value) { lines[c][i] = value; });
                }
            if (rows == together)
                add_rows<together>(shuffled.data(), begin, sums.data());
            else
                for (std::size_t row = 0; row < rows; ++row) add_rows<1>(shuffled.data() + row * columns_, begin + row, sums.data());
        }
    }

  private:
    // The sums are more than a processor's nearest memory holds, and so are met once for so many rows.
    static constexpr std::size_t together = 4;

    // Of rows side by side, each as it is and as it is shuffled once more.
    template <std::size_t rows>
    void add_rows(const Line* shuffled, std::size_t first, Line* sums) const {
        for (std::size_t c = 0; c < columns_; ++c)
            for (std::size_t row = 0; row < rows; ++row) add(shuffled[row * columns_ + c], sums[c]);
        const std::size_t each = again_ * columns_;
        const std::uint16_t* const order = order_.data() + first * each;
        for (std::size_t i = 0; i < each; ++i) {
            Line sum = sums[columns_ + i];
            for (std::size_t row = 0; row < rows; ++row) add(shuffled[row * columns_ + order[row * each + i]], sum);
            sums[columns_ + i] = sum;
        }
    }

    static void add(const Line& values, Line& sums) {
        for (std::size_t i = 0; i < width; ++i) sums[i] += values[i];
    }

    // Every shuffle has words of its own, as many as there are pairs of columns.
    Stream stream(std::size_t row, std::size_t number) const {
        return Stream(seed_ + Stream::step * ((row * each_ + number) * (columns_ / 2)));
    }

    Values table_;
    std::size_t columns_, again_, each_;
    std::uint64_t seed_;
    std::size_t rows_;
    std::vector<std::uint16_t> order_;
};

PRECALL_ALL_WIDE void add_wide(const Shuffles& shuffles, std::size_t first, std::size_t count, std::vector<Line>& sums) {
    shuffles.add(first, count, sums);
}

}  // namespace

Column<std::int64_t> redrawn_sums(Values values, std::uint64_t seed, std::int64_t samples) {
    Column<std::int64_t> sums(static_cast<std::size_t>(samples));
    const auto count = static_cast<std::uint64_t>(values.count);
    const bool two = count <= most_of_two;
    const std::uint64_t words = two ? (count + 1) / 2 : count;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Stream stream(seed + Stream::step * (words * i));
        const std::uint64_t sum = two ? redrawn_sum<2>(values.value, count, stream) : redrawn_sum<1>(values.value, count, stream);
        sums[i] = static_cast<std::int64_t>(sum);
    }
    return sums;
}

Column<std::int64_t> shuffled_ranges(Values table, std::int64_t columns, std::uint64_t seed, std::int64_t shuffles, std::int64_t again) {
    const auto size = static_cast<std::size_t>(columns), count = static_cast<std::size_t>(shuffles), more = static_cast<std::size_t>(again);
    const Shuffles all(table, size, seed, count, more);
    Column<std::int64_t> ranges(count * (more + 1));
    std::vector<Line> sums;
    for (std::size_t first = 0; first < count; first += width) {
        const std::size_t part = std::min(width, count - first);
        sums.assign(size * (more + 1), Line{});
        if (has_wide())
            add_wide(all, first, part, sums);
        else
            all.add(first, part, sums);
        for (std::size_t i = 0; i < part * (more + 1); ++i) {
            const Line* const column = sums.data() + i / part * size;
            auto least = static_cast<std::int64_t>(column[0][i % part]), most = least;
            for (std::size_t c = 1; c < size; ++c) {
                const auto sum = static_cast<std::int64_t>(column[c][i % part]);
                least = std::min(least, sum);
                most = std::max(most, sum);
            }
            ranges[i / part * count + first + i % part] =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least));
        }
    }
    return ranges;
}

}  // namespace precall
