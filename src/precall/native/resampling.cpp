#include "resampling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "greatest_f.hpp"
#include "sampling.hpp"

namespace precall {

namespace {

// What precision loses at a step of untied relevant cases, drawn w times, is others (H(t + w) - H(t)), H the sums
// of 1 / i; in a block every one of them has the precision at its end. Losses are added up in whole numbers of 1 / unit,
// so that the sum does not depend on the order.
class Measure {
  public:
    Measure(const Walk& walk, std::int64_t most)
        : walk_(walk), harmonic_(static_cast<std::size_t>(most) + 1),
          unit_(static_cast<double>(std::int64_t(1) << (62 - std::bit_width(static_cast<std::uint64_t>(most))))) {
        harmonic_[0] = 0;
        for (std::size_t i = 1; i < harmonic_.size(); ++i) harmonic_[i] = harmonic_[i - 1] + 1 / static_cast<double>(i);
    }

    double precision(const std::uint32_t* counts) const;

  private:
    const Walk& walk_;
    std::vector<double> harmonic_;
    double unit_;
};

double Measure::precision(const std::uint32_t* counts) const {
    const Walk walk = walk_;
    const double* const harmonic = harmonic_.data();
    const std::uint32_t* const gap = counts;
    const std::uint32_t* const hits = counts + walk.steps;
    const std::uint32_t* tied = hits + walk.steps;
    std::uint64_t hits_above = 0, others = 0;
    std::int64_t lost = 0;
    for (std::int64_t i = 0; i < walk.steps; ++i) {
        const std::uint64_t above = hits_above + (others += gap[i]);
        hits_above += hits[i];
        double loss = 0;
        if (walk.block[i] == 0) {
            loss = static_cast<double>(static_cast<std::int64_t>(others)) * (harmonic[above + hits[i]] - harmonic[above]);
        } else {
            others += *tied++;
            loss = static_cast<double>(hits[i]) * static_cast<double>(others) / static_cast<double>(std::max<std::uint64_t>(hits_above + others, 1));
        }
        lost += static_cast<std::int64_t>(loss * unit_);
    }
    const std::uint64_t relevant = hits_above + tied[1];
    if (relevant == 0) return std::numeric_limits<double>::quiet_NaN();
    return (static_cast<double>(hits_above) - static_cast<double>(lost) / unit_) / static_cast<double>(relevant);
}

// What a sample accepts, step by step.
class Descent {
  public:
    Descent(const Walk& walk, const std::uint32_t* counts)
        : block_(walk.block), steps_(walk.steps), gap_(counts), hits_(counts + walk.steps), tied_(hits_ + walk.steps) {}

    bool next() {
        if (at_ == steps_) return false;
        above = tp;
        before = fp += gap_[at_];
        tp += hits_[at_];
        if (block_[at_++] != 0) fp += *tied_++;
        return true;
    }
    // Others and relevant cases below the last step, once it is reached.
    const std::uint32_t* rest() const { return tied_; }

    std::int64_t above = 0, tp = 0, before = 0, fp = 0;

  private:
    const std::uint8_t* block_;
    std::int64_t steps_, at_ = 0;
    const std::uint32_t *gap_, *hits_, *tied_;
};

class Reach {
  public:
    Reach(const Walk& walk, const Shares& shares) : walk_(walk), shares_(shares) {}

    void operator()(const std::uint32_t* counts, double* hits, double* whole) const {
        Descent all(walk_, counts);
        while (all.next()) {}
        const std::int64_t relevant = all.tp + all.rest()[1], other = all.fp + all.rest()[0];
        Descent at(walk_, counts);
        std::int64_t i = 0;
        const auto number = [&] {
            if (i == shares_.count) return std::numeric_limits<std::int64_t>::max();
            return shares_.of_others ? more_than(shares_.share[i], other) : at_least(shares_.share[i], relevant);
        };
        std::int64_t wanted = number();
        while (at.next()) {
            for (; wanted <= (shares_.of_others ? at.fp : at.tp); wanted = number(), ++hits, ++whole) {
                put(at, shares_.share[i++] * static_cast<double>(other), relevant, *hits, *whole);
            }
        }
        // Behind the last step nothing relevant is left.
        for (at.above = at.tp; i < shares_.count; ++i) put(at, 0, relevant, *hits++, *whole++);
    }

  private:
    static double of(std::int64_t number, std::int64_t size) {
        return static_cast<double>(number) / std::max(static_cast<double>(size), least_weight);
    }
    // Products are rounded: perhaps one less does, or one more is needed.
    static std::int64_t at_least(double share, std::int64_t size) {
        auto number = static_cast<std::int64_t>(std::ceil(share * std::max(static_cast<double>(size), least_weight)));
        if (number > 0 && !(of(number - 1, size) < share)) --number;
        return number + (of(number, size) < share);
    }
    static std::int64_t more_than(double share, std::int64_t size) {
        auto number = static_cast<std::int64_t>(std::floor(share * std::max(static_cast<double>(size), least_weight)));
        if (number > 0 && of(number - 1, size) > share) --number;
        return number + !(of(number, size) > share);
    }

    void put(const Descent& at, double reached, std::int64_t relevant, double& hits, double& whole) const {
        const auto tp = static_cast<double>(at.tp), above = static_cast<double>(at.above);
        if (!shares_.of_others) {
            hits = tp;
            whole = tp + static_cast<double>(at.fp);
            return;
        }
        const auto size = static_cast<double>(at.fp - at.before);
        const double inside = size > 0 ? std::max(reached - static_cast<double>(at.before), 0.0) / size : 0;
        hits = above + inside * (tp - above);
        whole = static_cast<double>(relevant);
    }

    const Walk& walk_;
    const Shares& shares_;
};

// So many samples walk down a list side by side: one alone waits for each of its sums before the next.
constexpr std::size_t abreast = 4;
using Each = std::array<double, abreast>;

// A list from the top: at each stop what is accepted, relevant and other, and the others before it; both in all are left.
// The counts of a sample follow those of the one before.
template <class Stop>
std::pair<Each, Each> walk(const Weighed& list, const std::uint32_t* counts, std::int64_t cells, const Stop& stop) {
    Each tp{}, fp{};
    std::int64_t at = 0;
    const auto go_to = [&](std::int64_t end) {
        for (; at < end; ++at) {
            const std::uint32_t* const count = counts + list.cell[at];
            const double positive = list.positive[at], negative = list.negative[at];
            for (std::size_t s = 0; s < abreast; ++s) {
                const double copies = count[static_cast<std::int64_t>(s) * cells];
                tp[s] += positive * copies;
                fp[s] += negative * copies;
            }
        }
    };
    for (std::int64_t i = 0; i < list.stops; ++i) {
        go_to(list.first[i]);
        const Each before = fp;
        go_to(list.last[i]);
        stop(i, tp, fp, before);
    }
    go_to(list.cases);
    return {tp, fp};
}

// Weight times precision of so many copies of a relevant case, one below the other.
double copies(double weight, std::uint32_t count, double above, double others) {
    double gain = 0;
    for (std::uint32_t copy = 1; copy <= count; ++copy) {
        const double hits = above + copy * weight;
        gain += weight * (hits / std::max(hits + others, least_weight));
    }
    return gain;
}

}  // namespace

Column<std::int32_t> drawn_cells(const Urns& urns, const Samples& samples, int threads) {
    Column<std::int32_t> drawn(static_cast<std::size_t>(samples.count * urns.cells));
    each_sample(urns, samples, 0, threads, [&](std::int64_t i, const std::uint32_t* counts, const Stream&) {
        std::copy_n(counts, urns.cells, drawn.data() + i * urns.cells);
    });
    return drawn;
}

Column<double> drawn_precisions(const Urns& urns, const Samples& samples, const Walk& walk, int threads) {
    Column<double> precision(static_cast<std::size_t>(samples.count));
    const Measure measure(walk, samples.most);
    each_sample(urns, samples, 0, threads, [&](std::int64_t i, const std::uint32_t* counts, const Stream&) {
        precision[static_cast<std::size_t>(i)] = measure.precision(counts);
    });
    return precision;
}

Best drawn_best(const Urns& urns, const Samples& samples, const Ladder& ladder, double square, int threads) {
    const auto count = static_cast<std::size_t>(samples.count);
    Best best{Column<std::int64_t>(count), Column<std::int64_t>(count), Column<std::int64_t>(count), Column<std::int64_t>(count)};
    const auto draw = [&](const auto& search) {
        each_sample(urns, samples, ladder.stretches.count, threads, [&](std::int64_t i, const std::uint32_t* counts, const Stream& stream) {
            const auto sample = static_cast<std::size_t>(i);
            const auto found = search.greatest(counts, stream);
            best.step[sample] = found.step;
            best.tp[sample] = found.tp;
            best.fp[sample] = found.fp;
            best.relevant[sample] = found.relevant;
        });
    };
    const std::int64_t longest = longest_of(ladder.stretches);
    if (longest <= std::numeric_limits<std::uint8_t>::max()) {
        draw(Search<std::uint8_t>(ladder, square, longest));
    } else {
        draw(Search<std::int32_t>(ladder, square, longest));
    }
    return best;
}

Heights drawn_heights(const Urns& urns, const Samples& samples, const Walk& walk, const Shares& shares, int threads) {
    const auto size = static_cast<std::size_t>(samples.count * shares.count);
    Heights heights{Column<double>(size), Column<double>(size)};
    const Reach reach(walk, shares);
    each_sample(urns, samples, walk.steps, threads, [&](std::int64_t i, const std::uint32_t* counts, const Stream&) {
        reach(counts, heights.hits.data() + i * shares.count, heights.whole.data() + i * shares.count);
    });
    return heights;
}

Paths drawn_paths(const Urns& urns, const Samples& samples, const Weighed& list, int threads) {
    const auto count = static_cast<std::size_t>(samples.count), stops = static_cast<std::size_t>(list.stops);
    Paths paths{Column<double>(count * stops), Column<double>(count * stops), Column<double>(count * stops), Column<double>(count),
                Column<double>(count)};
    each_few<abreast>(urns, samples, list.cases, threads, [&](std::int64_t begin, std::int64_t end, const std::uint32_t* counts, const Stream&) {
        const auto first = static_cast<std::size_t>(begin), size = static_cast<std::size_t>(end - begin);
        const auto [hits, others] = walk(list, counts, urns.cells, [&](std::int64_t stop, const Each& tp, const Each& fp, const Each& before) {
            for (std::size_t s = 0; s < size; ++s) {
                const std::size_t at = (first + s) * stops + static_cast<std::size_t>(stop);
                paths.tp[at] = tp[s];
                paths.fp[at] = fp[s];
                paths.before[at] = before[s];
            }
        });
        std::copy_n(hits.begin(), size, paths.hits.data() + first);
        std::copy_n(others.begin(), size, paths.others.data() + first);
    });
    return paths;
}

std::pair<Column<double>, Column<double>> drawn_gains(const Urns& urns, const Samples& samples, const Weighed& list, bool apart,
                                                      int threads) {
    const auto count = static_cast<std::size_t>(samples.count);
    std::pair<Column<double>, Column<double>> gains{Column<double>(count), Column<double>(count)};
    each_few<abreast>(urns, samples, list.cases, threads, [&](std::int64_t begin, std::int64_t end, const std::uint32_t* counts, const Stream&) {
        const auto first = static_cast<std::size_t>(begin), size = static_cast<std::size_t>(end - begin);
        Each gain{}, above{};
        const auto [hits, others] = walk(list, counts, urns.cells, [&](std::int64_t stop, const Each& tp, const Each& fp, const Each&) {
            const std::int64_t row = list.first[stop];
            if (apart && list.last[stop] - row == 1) {
                const std::uint32_t* const count = counts + list.cell[row];
                for (std::size_t s = 0; s < abreast; ++s) {
                    gain[s] += copies(list.positive[row], count[static_cast<std::int64_t>(s) * urns.cells], above[s], fp[s]);
                }
            } else {
                for (std::size_t s = 0; s < abreast; ++s) {
                    gain[s] += (tp[s] - above[s]) * (tp[s] / std::max(tp[s] + fp[s], least_weight));
                }
            }
            above = tp;
        });
        std::copy_n(gain.begin(), size, gains.first.data() + first);
        std::copy_n(hits.begin(), size, gains.second.data() + first);
    });
    return gains;
}

}  // namespace precall
