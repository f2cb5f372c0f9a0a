#include "placing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "parallel.hpp"
#include "resampling.hpp"
#include "wide.hpp"

namespace precall {

namespace {

// Sums side by side, which vector instructions add to at once; the twin has as many.
constexpr std::size_t lanes = 4;

// The hits of one list after the other.
class Placement {
  public:
    explicit Placement(const Placing& placing)
        : placing_(placing), fewer_(std::min(placing.relevant, placing.items - placing.relevant)),
          marked_(static_cast<std::size_t>((placing.items + 63) / 64)) {}

    double sum(std::uint64_t seed) {
        Stream stream(seed);
        settle(stream, draw(stream));
        if (fewer_ != placing_.relevant) turn();
        return precisions();
    }

  private:
    // Marks each item by itself, and counts.
    std::int64_t draw(Stream& stream) {
        Stream on = stream;
        std::int64_t count = 0;
        for (std::uint64_t& word : marked_) {
            // Of 64 numbers of eight bits, lowest first, whether each is below the bound. Its lowest zeros change nothing.
            std::uint64_t below = 0;
            for (std::uint32_t rest = placing_.bound == 0 ? 1u : (256u | placing_.bound) >> std::countr_zero(placing_.bound); rest > 1; rest >>= 1) {
                const std::uint64_t bits = ~on.next();
                below = (rest & 1) != 0 ? bits | below : bits & below;
            }
            word = below;
        }
        marked_.back() &= ends();
        for (const std::uint64_t word : marked_) count += std::popcount(word);
        stream = on;
        return count;
    }

    // So many are too many or too few: items are drawn until enough have changed. The set stays one of all that are as large.
    void settle(Stream& stream, std::int64_t count) {
        while (count != fewer_) {
            const auto item = static_cast<std::size_t>(stream.below(static_cast<std::uint64_t>(placing_.items)));
            const std::uint64_t bit = std::uint64_t(1) << item % 64;
            const bool marked = (marked_[item / 64] & bit) != 0;
            if (marked != (count > fewer_)) continue;
            marked_[item / 64] ^= bit;
            count += marked ? -1 : 1;
        }
    }

    void turn() {
        for (std::uint64_t& word : marked_) word = ~word;
        marked_.back() &= ends();
    }

    // The bits of the last word that are items.
    std::uint64_t ends() const { return ~std::uint64_t(0) >> (64 * marked_.size() - static_cast<std::size_t>(placing_.items)); }

    double precisions() const {
        std::array<std::int32_t, 1024 + 64> rank;
        std::array<double, lanes> order{1, 2, 3, 4}, sum{};
        std::size_t held = 0;
        const auto add = [&](std::size_t count) {
            for (std::size_t i = 0; i < count; i += lanes) {
                for (std::size_t k = 0; k < lanes; ++k) {
                    sum[k] += order[k] / static_cast<double>(rank[i + k]);
                    order[k] += lanes;
                }
            }
        };
        for (std::size_t at = 0; at < marked_.size(); ++at) {
            for (std::uint64_t word = marked_[at]; word != 0; word &= word - 1) {
                rank[held++] = static_cast<std::int32_t>(64 * at) + std::countr_zero(word) + 1;
            }
            if (held >= 1024) {
                add(1024);
                std::copy(rank.begin() + 1024, rank.begin() + static_cast<std::ptrdiff_t>(held), rank.begin());
                held -= 1024;
            }
        }
        const std::size_t whole = held / lanes * lanes;
        add(whole);
        for (std::size_t i = whole; i < held; ++i) sum[i - whole] += order[i - whole] / static_cast<double>(rank[i]);
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    Placing placing_;
    std::int64_t fewer_;
    std::vector<std::uint64_t> marked_;
};

void sum_all(Placement& placement, const std::uint64_t* seed, std::int64_t count, double* sum) {
    for (std::int64_t i = 0; i < count; ++i) sum[i] = placement.sum(seed[i]);
}

PRECALL_ALL_WIDE void sum_wide(Placement& placement, const std::uint64_t* seed, std::int64_t count, double* sum) {
    sum_all(placement, seed, count, sum);
}

}  // namespace

Column<double> placed_sums(const Placing& placing, const std::uint64_t* seed, std::int64_t draws, int threads) {
    Column<double> sums(static_cast<std::size_t>(draws));
    Batches batches(draws, 1);
    in_parallel(static_cast<int>(std::min<std::int64_t>(draws, threads_for(draws * (placing.items / 8), threads))), [&] {
        Placement placement(placing);
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            (has_wide() ? sum_wide : sum_all)(placement, seed + begin, end - begin, sums.data() + begin);
        }
    });
    return sums;
}

}  // namespace precall
