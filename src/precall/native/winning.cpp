#include "winning.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "parallel.hpp"

namespace precall {

namespace {

// Samples that are counted side by side: one cache line.
constexpr std::size_t width = 16;

template <class Number>
using Line = std::array<Number, width>;

// Where numbers are not what they should be, they wrap around.
using Counts = Line<std::uint32_t>;

// `Sum` holds all cases of a sample.
template <class Sum>
class Walk {
  public:
    Walk(const Ranking& ranking, const std::vector<Counts>& counts) : ranking_(ranking), counts_(counts) {}

    void go() {
        for (std::int64_t i = 0; i < ranking_.stops; ++i) {
            add(ranking_.first[i], others_);
            const Line<Sum> before = others_;
            Line<Sum> relevant{};
            add(ranking_.middle[i], relevant);
            add(ranking_.last[i], others_);
            for (std::size_t k = 0; k < width; ++k) {
                hits_[k] += relevant[k];
                lost_[k] += std::uint64_t{relevant[k]} * (std::uint64_t{before[k]} + others_[k]);
            }
        }
        add(ranking_.cases, others_);
    }

    void write(Wins& wins, std::size_t first, std::size_t size) const {
        for (std::size_t k = 0; k < size; ++k) {
            wins.twice[first + k] = static_cast<std::int64_t>(2 * std::uint64_t{hits_[k]} * others_[k] - lost_[k]);
            wins.hits[first + k] = static_cast<std::int64_t>(hits_[k]);
            wins.others[first + k] = static_cast<std::int64_t>(others_[k]);
        }
    }

  private:
    // How often the cases up to the end were drawn.
    void add(std::int64_t end, Line<Sum>& sums) {
        for (; at_ < end; ++at_) {
            const Counts& counts = counts_[static_cast<std::size_t>(ranking_.unit[at_])];
            for (std::size_t k = 0; k < width; ++k) sums[k] += counts[k];
        }
    }

    const Ranking ranking_;
    const std::vector<Counts>& counts_;
    std::int64_t at_ = 0;
    Line<Sum> others_{}, hits_{};
    Line<std::uint64_t> lost_{};
};

template <class Sum>
void count(const Ranking& ranking, const std::vector<Counts>& counts, Wins& wins, std::size_t first, std::size_t size) {
    Walk<Sum> walk(ranking, counts);
    walk.go();
    walk.write(wins, first, size);
}

}  // namespace

Wins counted_wins(const Ranking& ranking, const std::int32_t* drawn, std::int64_t samples, std::int64_t units, int threads) {
    const auto size = static_cast<std::size_t>(samples), each = static_cast<std::size_t>(units);
    Wins wins{Column<std::int64_t>(size), Column<std::int64_t>(size), Column<std::int64_t>(size)};
    const std::int64_t most = size * each == 0 ? 0 : *std::max_element(drawn, drawn + size * each);
    const bool few = ranking.cases < (std::int64_t(1) << 32) / std::max<std::int64_t>(most, 1);
    Batches batches(samples, width);
    in_parallel(threads_for((ranking.cases + units) * samples / 4, threads), [&] {
        std::vector<Counts> counts(each);
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            const auto first = static_cast<std::size_t>(begin), part = static_cast<std::size_t>(end - begin);
            for (std::size_t unit = 0; unit < each; ++unit) {
                for (std::size_t k = 0; k < part; ++k) counts[unit][k] = static_cast<std::uint32_t>(drawn[(first + k) * each + unit]);
            }
            (few ? count<std::uint32_t> : count<std::uint64_t>)(ranking, counts, wins, first, part);
        }
    });
    return wins;
}

}  // namespace precall
