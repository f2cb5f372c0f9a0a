// Samples of cases by several threads: any strata, cells and lists, against the samples of one thread and what they must be.
//
// What they are to the last bit is compared with the twin by twins.py; this one needs no Python, and looks for races.
#include <algorithm>
#include <vector>

#include "laws.hpp"
#include "resampling.hpp"

namespace {

using namespace precall;

// As many as several threads are worth.
constexpr std::int64_t MANY = 12;

struct Given {
    std::vector<std::int32_t> place, least, owner;
    std::vector<std::uint64_t> below, seed;
    std::vector<std::int64_t> places{0}, belows{0}, parts{0}, owners{0}, target;
    std::vector<std::uint8_t> block;
    std::int64_t cells, most = 0;

    explicit Given(Input& input) {
        const std::size_t steps = 1 + input.take<std::uint8_t>() % 24;
        for (std::size_t i = 0; i < steps; ++i) block.push_back(input.take<std::uint8_t>() & 1);
        cells = static_cast<std::int64_t>(2 * steps + 2) + std::count(block.begin(), block.end(), 1);
        const std::int32_t strata = 1 + input.take<std::uint8_t>() % 2;
        for (std::int32_t s = 0; s < strata; ++s) add_stratum(input, s, strata);
        const std::int64_t samples = input.take<std::uint8_t>() % 4 == 0 ? MANY : 2;
        for (std::int64_t i = 0; i < samples; ++i) {
            seed.push_back(input.take<std::uint64_t>() + static_cast<std::uint64_t>(i));
            for (std::int32_t s = 0; s < strata; ++s) target.push_back(120 + input.take<std::uint8_t>());
            most = std::max(most, strata == 1 ? target.back() : target.back() + target[target.size() - 2]);
        }
    }

    // Strata do not share cells. What is drawn is more than the Poisson numbers of all its places.
    void add_stratum(Input& input, std::int32_t stratum, std::int32_t strata) {
        const auto any = [&] {
            const std::int32_t own = static_cast<std::int32_t>(cells - stratum + strata - 1) / strata;
            return stratum + strata * (input.take<std::uint16_t>() % own);
        };
        for (int part = input.take<std::uint8_t>() % 3; part > 0; --part) {
            for (int i = input.take<std::uint8_t>() % 10; i > 0; --i) place.push_back(any());
            places.push_back(static_cast<std::int64_t>(place.size()));
            least.push_back(input.take<std::uint8_t>() % 3);
            const auto first = below.end() - below.begin();
            for (int i = input.take<std::uint8_t>() % 5; i > 0; --i) below.push_back(input.take<std::uint64_t>());
            std::sort(below.begin() + first, below.end());
            belows.push_back(static_cast<std::int64_t>(below.size()));
        }
        parts.push_back(static_cast<std::int64_t>(least.size()));
        for (int i = 1 + input.take<std::uint8_t>() % 9; i > 0; --i) owner.push_back(any());
        owners.push_back(static_cast<std::int64_t>(owner.size()));
    }

    static Range range(const std::vector<std::int64_t>& start) { return {start.data(), static_cast<std::int64_t>(start.size()) - 1}; }

    Urns urns() const {
        return {place.data(), least.data(), below.data(), owner.data(), range(places), range(belows), range(parts), range(owners), cells};
    }
    Samples samples() const { return {seed.data(), target.data(), static_cast<std::int64_t>(seed.size()), most}; }
    Walk walk() const { return {block.data(), static_cast<std::int64_t>(block.size())}; }
};

// A list whose cases are those of the cells, one by one; every third of them is a stop.
void check_weighed(const Given& given, int threads) {
    std::vector<std::int32_t> cell;
    std::vector<double> positive, negative;
    std::vector<std::int64_t> first, last;
    for (std::int32_t i = 0; i < given.cells; ++i) {
        cell.push_back(i);
        positive.push_back(i % 3 == 0 ? 0.25 * i : 0);
        negative.push_back(i % 3 == 0 ? 0 : 1);
        if (i % 3 != 0) continue;
        first.push_back(i);
        last.push_back(i + 1);
    }
    const Weighed list{cell.data(), positive.data(), negative.data(), given.cells, first.data(), last.data(), static_cast<std::int64_t>(first.size())};
    const Paths one = drawn_paths(given.urns(), given.samples(), list, 1), many = drawn_paths(given.urns(), given.samples(), list, threads);
    demand(same(one.tp, many.tp) && same(one.fp, many.fp) && same(one.before, many.before) && same(one.hits, many.hits) &&
               same(one.others, many.others),
           "paths are those of one thread");
    for (const bool apart : {false, true}) {
        const auto gains = drawn_gains(given.urns(), given.samples(), list, apart, threads);
        const auto alone = drawn_gains(given.urns(), given.samples(), list, apart, 1);
        demand(same(gains.first, alone.first) && same(gains.second, alone.second), "gains are those of one thread");
    }
}

// Shares from none to all.
void check_heights(const Given& given, bool of_others, int threads) {
    const std::vector<double> share{0, 0.125, 0.5, 0.9, 1, 2};
    const Walk walk = given.walk();
    const Shares shares{share.data(), static_cast<std::int64_t>(share.size()), of_others};
    const Heights heights = drawn_heights(given.urns(), given.samples(), walk, shares, threads);
    const Heights alone = drawn_heights(given.urns(), given.samples(), walk, shares, 1);
    demand(same(heights.hits, alone.hits) && same(heights.whole, alone.whole), "heights are those of one thread");
    for (std::size_t i = 0; i < heights.hits.size(); ++i) demand(heights.hits[i] <= heights.whole[i], "no more is found than there is");
}

// The same cells as those of stretches, the first of so many steps, with one case of each kind at each: the greatest F is that of one thread.
void check_best(const Given& given, std::int64_t length, int threads) {
    std::vector<std::int64_t> start{0};
    while (static_cast<std::int64_t>(2 * start.size()) < given.cells) start.push_back(start.back() + (start.size() == 1 ? length : 3));
    const std::vector<std::int32_t> cases(static_cast<std::size_t>(start.back()), 1);
    const Ladder ladder{Given::range(start), cases.data(), cases.data()};
    Urns urns = given.urns();
    urns.cells = static_cast<std::int64_t>(2 * start.size());
    const Best best = drawn_best(urns, given.samples(), ladder, 1, threads), alone = drawn_best(urns, given.samples(), ladder, 1, 1);
    demand(same(best.step, alone.step) && same(best.tp, alone.tp) && same(best.fp, alone.fp) && same(best.relevant, alone.relevant),
           "the greatest F is that of one thread");
    for (std::size_t i = 0; i < best.tp.size(); ++i) demand(best.tp[i] <= best.relevant[i], "no more is found than there is");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const int threads = 2 + input.take<std::uint8_t>() % 2;
    const Given given(input);
    const Urns urns = given.urns();
    const Samples samples = given.samples();
    const Column<std::int32_t> drawn = drawn_cells(urns, samples, threads);
    demand(same(drawn, drawn_cells(urns, samples, 1)), "cells are those of one thread");
    const auto strata = static_cast<std::size_t>(urns.parts.count), cells = static_cast<std::size_t>(given.cells);
    const Column<double> precision = drawn_precisions(urns, samples, given.walk(), threads);
    demand(same(precision, drawn_precisions(urns, samples, given.walk(), 1)), "precisions are those of one thread");
    for (std::size_t i = 0; i < precision.size(); ++i) {
        std::int64_t total = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) total += drawn[i * cells + cell];
        for (std::size_t s = 0; s < strata; ++s) total -= given.target[i * strata + s];
        demand(total == 0, "as many are drawn as were asked for");
        demand(!(precision[i] < -1e-9) && !(precision[i] > 1 + 1e-9), "precision is a share");
    }
    for (const bool of_others : {false, true}) check_heights(given, of_others, threads);
    // Steps of short stretches have a byte each.
    for (const std::int64_t length : {3, 300}) check_best(given, length, threads);
    check_weighed(given, threads);
    return 0;
}
