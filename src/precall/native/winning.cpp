#include "winning.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "parallel.hpp"

namespace precall {

namespace {

// Samples that are counted side by side.
constexpr std::size_t width = 64;

template <class Number>
using Line = std::array<Number, width>;

// Pairs of a relevant case and an other one of the same block.
template <class Count>
void add_level(const Ranking& ranking, std::int64_t stop, const Line<Count>* counts, Line<std::uint64_t>& level) {
    Line<std::uint64_t> hits{}, others{};
    for (std::int64_t at = ranking.first[stop]; at < ranking.last[stop]; ++at) {
        Line<std::uint64_t>& sums = at < ranking.middle[stop] ? hits : others;
        for (std::size_t k = 0; k < width; ++k) sums[k] += counts[ranking.unit[at]][k];
    }
    for (std::size_t k = 0; k < width; ++k) level[k] += hits[k] * others[k];
}

using Result = std::array<Line<std::int64_t>, 3>;

// `Sum` holds all cases of a sample.
template <class Count, class Sum>
Result count(const Ranking& ranking, const Line<Count>* counts) {
    Line<Sum> others{}, hits{};
    Line<std::uint64_t> lost{}, level{};
    std::int64_t at = 0;
    const auto pass = [&](std::int64_t end) {
        for (; at < end; ++at) {
            const Line<Count>& more = counts[ranking.unit[at]];
            for (std::size_t k = 0; k < width; ++k) others[k] += more[k];
        }
    };
    for (std::int64_t i = 0; i < ranking.stops; ++i) {
        pass(ranking.first[i]);
        for (; at < ranking.middle[i]; ++at) {
            const Line<Count>& more = counts[ranking.unit[at]];
            for (std::size_t k = 0; k < width; ++k) {
                hits[k] += more[k];
                lost[k] += std::uint64_t{more[k]} * others[k];
            }
        }
        if (ranking.last[i] > at) add_level(ranking, i, counts, level);
    }
    pass(ranking.cases);
    Result result;
    for (std::size_t k = 0; k < width; ++k) {
        result[0][k] = static_cast<std::int64_t>(2 * (std::uint64_t{hits[k]} * others[k] - lost[k]) - level[k]);
        result[1][k] = static_cast<std::int64_t>(hits[k]);
        result[2][k] = static_cast<std::int64_t>(others[k]);
    }
    return result;
}

// All samples, where no unit was drawn more often than `Count` can say.
template <class Count, class Sum>
void count_all(const Ranking& ranking, const std::int32_t* drawn, std::size_t units, int threads, Wins& wins) {
    const auto samples = static_cast<std::int64_t>(wins.hits.size());
    Batches batches(samples, width);
    in_parallel(threads_for((ranking.cases + static_cast<std::int64_t>(units)) * samples / 8, threads), [&] {
        std::vector<Line<Count>> counts(units);
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            const auto first = static_cast<std::size_t>(begin), part = static_cast<std::size_t>(end - begin);
            for (std::size_t unit = 0; unit < units; ++unit) {
                for (std::size_t k = 0; k < part; ++k) counts[unit][k] = static_cast<Count>(drawn[(first + k) * units + unit]);
            }
            const Result result = count<Count, Sum>(ranking, counts.data());
            std::copy_n(result[0].begin(), part, wins.twice.data() + first);
            std::copy_n(result[1].begin(), part, wins.hits.data() + first);
            std::copy_n(result[2].begin(), part, wins.others.data() + first);
        }
    });
}

}  // namespace

Wins counted_wins(const Ranking& ranking, const std::int32_t* drawn, std::int64_t samples, std::int64_t units, int threads) {
    const auto size = static_cast<std::size_t>(samples), each = static_cast<std::size_t>(units);
    Wins wins{Column<std::int64_t>(size), Column<std::int64_t>(size), Column<std::int64_t>(size)};
    const std::int64_t most = size * each == 0 ? 0 : *std::max_element(drawn, drawn + size * each);
    // Small numbers: more samples in the caches.
    const bool few = most < 256 && ranking.cases < (std::int64_t(1) << 32) / 256;
    (few ? count_all<std::uint8_t, std::uint32_t> : count_all<std::uint32_t, std::uint64_t>)(ranking, drawn, each, threads, wins);
    return wins;
}

}  // namespace precall
