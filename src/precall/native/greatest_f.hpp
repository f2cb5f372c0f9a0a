// The step of a list where a sample of its cases has the greatest F.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "resampling.hpp"
#include "sampling.hpp"

namespace precall {

struct Accepted {
    std::int64_t tp, fp;
};

// The step of every case of a kind, counted from the first of its stretch, and where those of each stretch begin. A stretch of one
// step needs none. Most stretches are short, and `Step` is narrow: of a long list these take much of the memory.
template <class Step>
struct Dealer {
    std::vector<Step> step;
    std::vector<std::size_t> start{0};

    Dealer(const Ladder& ladder, const std::int32_t* cases) {
        const auto each_cell = [&](const auto& visit) {
            for (std::int64_t k = 0; k < ladder.stretches.count; ++k) {
                const std::int64_t begin = ladder.stretches.begin(k), end = ladder.stretches.end(k);
                visit(begin, end - begin > 1 ? end : begin);
            }
        };
        std::size_t size = 0;
        each_cell([&](std::int64_t begin, std::int64_t end) { size += std::accumulate(cases + begin, cases + end, std::size_t{0}); });
        step.reserve(size);
        each_cell([&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) step.insert(step.end(), static_cast<std::size_t>(cases[i]), static_cast<Step>(i - begin));
            start.push_back(step.size());
        });
    }

    // Gives so many draws of a stretch to its steps.
    void deal(std::size_t stretch, std::uint32_t draws, Stream& stream, std::uint32_t* counts) const {
        const Step* const own = step.data() + start[stretch];
        const std::size_t size = start[stretch + 1] - start[stretch];
        Stream on = stream;
        for (; draws > 0; --draws) ++counts[own[on.below(size)]];
        stream = on;
    }
};

// The first step of greatest F. At none of a stretch is F greater than with the relevant cases up to its end and the others up to
// its beginning, so that most stretches need no look, and their draws are not given to steps.
template <class Step>
class Search {
  public:
    Search(const Ladder& ladder, double square, std::int64_t longest)
        : ladder_(ladder), square_(square), others_(ladder, ladder.others), hits_(ladder, ladder.hits), longest_(longest) {}

    struct Found {
        std::int64_t step, tp, fp, relevant;
    };

    // `stream` goes on where the sample's ended.
    Found greatest(const std::uint32_t* counts, Stream stream) const {
        const std::int64_t size = ladder_.stretches.count;
        // No more than a sample draws, below 2^31.
        const std::uint32_t relevant = std::accumulate(counts + size, counts + 2 * size, counts[2 * size + 1]);
        const double all = square_ * relevant;
        const double reached = longest_ > 1 ? at_ends(counts, all) : -1;
        Found found{0, 0, 0, relevant};
        double greatest = -1;
        Accepted before{0, 0};
        // None where every stretch is one step.
        std::vector<std::uint32_t> dealt(longest_ > 1 ? static_cast<std::size_t>(2 * longest_) : 0);
        for (std::int64_t k = 0; k < size; ++k) {
            const Accepted end{before.tp + counts[size + k], before.fp + counts[k]};
            if (length(k) == 1) {
                take(ladder_.stretches.begin(k), end, all, greatest, found);
            } else {
                const double most = above(end.tp), whole = below({end.tp, before.fp}, all);
                // Both are rounded, by far less than this.
                if (!far(most, whole, reached) && !(most / whole * (1 + 1e-12) < reached)) {
                    look(k, before, counts, stream, all, dealt, greatest, found);
                }
            }
            before = end;
        }
        return found;
    }

  private:
    std::int64_t length(std::int64_t stretch) const { return ladder_.stretches.end(stretch) - ladder_.stretches.begin(stretch); }

    // F is one divided by the other.
    double above(std::int64_t tp) const { return (1 + square_) * static_cast<double>(tp); }
    static double below(Accepted at, double all) {
        return std::max(all + static_cast<double>(at.tp) + static_cast<double>(at.fp), least_weight);
    }
    // A quotient that is less than `reached` by far more than rounding, told without a division, which takes longer than the rest.
    static bool far(double above, double below, double reached) { return above < below * reached * (1 - 1e-11); }

    // The greatest F at the end of a stretch.
    double at_ends(const std::uint32_t* counts, double all) const {
        double reached = -1;
        Accepted at{0, 0};
        for (std::int64_t k = 0; k < ladder_.stretches.count; ++k) {
            at.tp += counts[ladder_.stretches.count + k];
            at.fp += counts[k];
            const double most = above(at.tp), whole = below(at, all);
            if (!far(most, whole, reached)) reached = std::max(reached, most / whole);
        }
        return reached;
    }

    void take(std::int64_t step, Accepted at, double all, double& greatest, Found& found) const {
        const double most = above(at.tp), whole = below(at, all);
        if (far(most, whole, greatest) || most / whole <= greatest) return;
        greatest = most / whole;
        found = {step, at.tp, at.fp, found.relevant};
    }

    void look(std::int64_t k, Accepted at, const std::uint32_t* counts, Stream& stream, double all, std::vector<std::uint32_t>& dealt,
              double& greatest, Found& found) const {
        const auto stretch = static_cast<std::size_t>(k);
        std::uint32_t *const others = dealt.data(), *const hits = others + longest_;
        std::fill(dealt.begin(), dealt.end(), 0u);
        others_.deal(stretch, counts[k], stream, others);
        hits_.deal(stretch, counts[ladder_.stretches.count + k], stream, hits);
        for (std::int64_t i = 0; i < length(k); ++i) {
            at.tp += hits[i];
            at.fp += others[i];
            take(ladder_.stretches.begin(k) + i, at, all, greatest, found);
        }
    }

    const Ladder& ladder_;
    double square_;
    Dealer<Step> others_, hits_;
    std::int64_t longest_;
};

// The steps of the longest stretch.
inline std::int64_t longest_of(const Range& stretches) {
    std::int64_t longest = 0;
    for (std::int64_t k = 0; k < stretches.count; ++k) longest = std::max(longest, stretches.end(k) - stretches.begin(k));
    return longest;
}

}  // namespace precall
