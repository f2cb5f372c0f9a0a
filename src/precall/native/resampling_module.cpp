// Resampling as Python sees it; precall.native.twin says what each function does.
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "arrays.hpp"
#include "columns.hpp"
#include "exchanging.hpp"
#include "parallel.hpp"
#include "placing.hpp"
#include "redrawing.hpp"
#include "resampling.hpp"
#include "signs.hpp"
#include "swapping.hpp"
#include "winning.hpp"

namespace precall {

using namespace nb::literals;

namespace {

using Int32 = Array<std::int32_t>;
using Int64 = Array<std::int64_t>;
using Words = Array<std::uint64_t>;

constexpr std::int64_t most_cases = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t most_units = 4096;

template <class T>
std::int64_t size_of(const Array<T>& column) {
    return static_cast<std::int64_t>(column.shape(0));
}

Range range_of(const Int64& start, std::int64_t size) {
    const std::int64_t count = size_of(start) - 1;
    const bool fits = divides(start.data(), start.shape(0), static_cast<std::size_t>(size));
    if (!fits || start.data()[0] != 0 || start.data()[count] != size) throw nb::value_error("starts do not divide the column");
    return {start.data(), count};
}

void check_cells(const Int32& named, std::int64_t cells) {
    const bool fit = std::all_of(named.data(), named.data() + named.shape(0), [&](std::int32_t cell) { return cell >= 0 && cell < cells; });
    if (!fit) throw nb::value_error("there is no such cell");
}

Urns urns_of(const Int32& place, const Int64& place_start, const Int32& least, const Words& below, const Int64& below_start,
             const Int32& owner, const Int64& owner_start, const Int64& stratum, std::int64_t cells) {
    if (cells < 0 || cells > most_cases || size_of(owner) > most_cases || size_of(below) > most_cases) throw nb::value_error("cells: too many, or too few");
    Urns urns{place.data(), least.data(), below.data(), owner.data(), range_of(place_start, size_of(place)),
              range_of(below_start, size_of(below)), range_of(stratum, size_of(least)), range_of(owner_start, size_of(owner)), cells};
    if (urns.places.count != size_of(least) || urns.belows.count != size_of(least) || urns.owners.count != urns.parts.count) {
        throw nb::value_error("columns differ in length");
    }
    check_cells(place, cells);
    check_cells(owner, cells);
    if (std::any_of(least.data(), least.data() + least.shape(0), [](std::int32_t count) { return count < 0; })) {
        throw nb::value_error("counts: must be >= 0");
    }
    for (std::int64_t p = 0; p < urns.belows.count; ++p) {
        if (!std::is_sorted(below.data() + urns.belows.begin(p), below.data() + urns.belows.end(p))) {
            throw nb::value_error("thresholds: must ascend");
        }
    }
    return urns;
}

Samples samples_of(const Words& seed, const Int64& target, const Urns& urns) {
    Samples samples{seed.data(), target.data(), size_of(seed), 0};
    const std::int64_t strata = urns.owners.count;
    if (size_of(target) != samples.count * strata) throw nb::value_error("columns differ in length");
    for (std::int64_t i = 0; i < samples.count; ++i) {
        std::int64_t total = 0;
        for (std::int64_t s = 0; s < strata; ++s) {
            const std::int64_t draws = target.data()[i * strata + s];
            if (draws < 0 || draws > most_cases - total) throw nb::value_error("counts: must be >= 0, and below 2^31 together");
            total += draws;
        }
        samples.most = std::max(samples.most, total);
    }
    for (std::int64_t i = 0; i < samples.count * strata; ++i) {
        const std::int64_t s = i % strata;
        if (target.data()[i] > 0 && urns.owners.begin(s) == urns.owners.end(s)) throw nb::value_error("cells: there are none to draw from");
    }
    return samples;
}

nb::object draw_cells(const Words& seed, const Int64& target, const Int32& place, const Int64& place_start, const Int32& least,
                      const Words& below, const Int64& below_start, const Int32& owner, const Int64& owner_start,
                      const Int64& stratum, std::int64_t cells, std::int64_t threads) {
    const Urns urns = urns_of(place, place_start, least, below, below_start, owner, owner_start, stratum, cells);
    const Samples samples = samples_of(seed, target, urns);
    Column<std::int32_t> drawn;
    {
        const nb::gil_scoped_release others_may_run;
        drawn = drawn_cells(urns, samples, threads_allowed(threads));
    }
    return array(std::move(drawn)).attr("reshape")(samples.count, cells);
}

Walk walk_of(const Array<bool>& block) { return {reinterpret_cast<const std::uint8_t*>(block.data()), size_of(block)}; }

std::int64_t cells_of(const Walk& walk) {
    const std::int64_t blocks = walk.steps - std::count(walk.block, walk.block + walk.steps, std::uint8_t(0));
    return 2 * walk.steps + blocks + 2;
}

nb::object draw_precisions(const Words& seed, const Int64& target, const Int32& place, const Int64& place_start, const Int32& least,
                           const Words& below, const Int64& below_start, const Int32& owner, const Int64& owner_start,
                           const Int64& stratum, const Array<bool>& block, std::int64_t threads) {
    const Walk walk = walk_of(block);
    const Urns urns = urns_of(place, place_start, least, below, below_start, owner, owner_start, stratum, cells_of(walk));
    const Samples samples = samples_of(seed, target, urns);
    Column<double> precision;
    {
        const nb::gil_scoped_release others_may_run;
        precision = drawn_precisions(urns, samples, walk, threads_allowed(threads));
    }
    return array(std::move(precision));
}

nb::object draw_heights(const Words& seed, const Int64& target, const Int32& place, const Int64& place_start, const Int32& least,
                        const Words& below, const Int64& below_start, const Int32& owner, const Int64& owner_start,
                        const Int64& stratum, const Array<bool>& block, const Array<double>& share, bool of_others, std::int64_t threads) {
    const Walk walk = walk_of(block);
    const Urns urns = urns_of(place, place_start, least, below, below_start, owner, owner_start, stratum, cells_of(walk));
    const Shares shares{share.data(), size_of(share), of_others};
    for (std::int64_t i = 0; i < shares.count; ++i) {
        const double next = i + 1 < shares.count ? shares.share[i + 1] : 2;
        if (!(shares.share[i] >= 0) || !(shares.share[i] <= next)) throw nb::value_error("shares: must ascend, from 0 to 2");
    }
    const Samples samples = samples_of(seed, target, urns);
    Heights heights;
    {
        const nb::gil_scoped_release others_may_run;
        heights = drawn_heights(urns, samples, walk, shares, threads_allowed(threads));
    }
    const auto table = [&](Column<double>&& column) { return array(std::move(column)).attr("reshape")(samples.count, shares.count); };
    return nb::make_tuple(table(std::move(heights.hits)), table(std::move(heights.whole)));
}

// Stretches of one step or more; of several, those whose cells can be drawn have cases to give the draws to.
Ladder ladder_of(const Int64& start, const Int32& others, const Int32& hits, const Urns& urns) {
    const Ladder ladder{range_of(start, size_of(others)), others.data(), hits.data()};
    const Range& stretches = ladder.stretches;
    if (size_of(hits) != size_of(others)) throw nb::value_error("columns differ in length");
    for (const Int32& column : {others, hits}) {
        std::int64_t total = 0;
        for (std::int64_t i = 0; i < size_of(column); ++i) {
            const std::int64_t cases = column.data()[i];
            if (cases < 0 || cases > most_cases - total) throw nb::value_error("counts: must be >= 0, and below 2^31 together");
            total += cases;
        }
    }
    std::vector<std::uint8_t> empty(static_cast<std::size_t>(urns.cells), 0);
    for (std::int64_t k = 0; k < stretches.count; ++k) {
        const std::int64_t begin = stretches.begin(k), end = stretches.end(k);
        if (begin == end) throw nb::value_error("stretches: must have steps");
        if (end - begin == 1) continue;
        const auto none = [&](const Int32& column) { return std::count(column.data() + begin, column.data() + end, 0) == end - begin; };
        empty[static_cast<std::size_t>(k)] = none(others);
        empty[static_cast<std::size_t>(stretches.count + k)] = none(hits);
    }
    const auto cannot = [&](std::int32_t cell) { return empty[static_cast<std::size_t>(cell)] != 0; };
    if (std::any_of(urns.place, urns.place + urns.places.start[urns.places.count], cannot) ||
        std::any_of(urns.owner, urns.owner + urns.owners.start[urns.owners.count], cannot)) {
        throw nb::value_error("cells: there are none to draw from");
    }
    return ladder;
}

nb::object draw_best(const Words& seed, const Int64& target, const Int32& place, const Int64& place_start, const Int32& least,
                     const Words& below, const Int64& below_start, const Int32& owner, const Int64& owner_start,
                     const Int64& stratum, const Int64& start, const Int32& others, const Int32& hits, double square,
                     std::int64_t threads) {
    const Urns urns = urns_of(place, place_start, least, below, below_start, owner, owner_start, stratum, 2 * size_of(start));
    const Ladder ladder = ladder_of(start, others, hits, urns);
    const Samples samples = samples_of(seed, target, urns);
    Best best;
    {
        const nb::gil_scoped_release others_may_run;
        best = drawn_best(urns, samples, ladder, square, threads_allowed(threads));
    }
    return nb::make_tuple(array(std::move(best.step)), array(std::move(best.tp)), array(std::move(best.fp)), array(std::move(best.relevant)));
}

using Reals = Array<double>;

Weighed weighed_of(const Int32& cell, const Reals& positive, const Reals& negative, const Int64& first, const Int64& last, std::int64_t cells) {
    const Weighed list{cell.data(), positive.data(), negative.data(), size_of(cell), first.data(), last.data(), size_of(first)};
    if (size_of(positive) != list.cases || size_of(negative) != list.cases || size_of(last) != list.stops) {
        throw nb::value_error("columns differ in length");
    }
    check_cells(cell, cells);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < list.stops; ++i) {
        if (list.first[i] < at || list.last[i] < list.first[i]) throw nb::value_error("stops: must ascend");
        at = list.last[i];
    }
    if (at > list.cases) throw nb::value_error("stops: must ascend");
    return list;
}

nb::object draw_paths(const Words& seed, const Int64& target, const Int32& place, const Int64& place_start, const Int32& least,
                      const Words& below, const Int64& below_start, const Int32& owner, const Int64& owner_start,
                      const Int64& stratum, std::int64_t cells, const Int32& cell, const Reals& positive, const Reals& negative,
                      const Int64& first, const Int64& last, std::int64_t threads) {
    const Urns urns = urns_of(place, place_start, least, below, below_start, owner, owner_start, stratum, cells);
    const Weighed list = weighed_of(cell, positive, negative, first, last, cells);
    const Samples samples = samples_of(seed, target, urns);
    Paths paths;
    {
        const nb::gil_scoped_release others_may_run;
        paths = drawn_paths(urns, samples, list, threads_allowed(threads));
    }
    const auto table = [&](Column<double>&& column) { return array(std::move(column)).attr("reshape")(samples.count, list.stops); };
    return nb::make_tuple(table(std::move(paths.tp)), table(std::move(paths.fp)), table(std::move(paths.before)),
                          array(std::move(paths.hits)), array(std::move(paths.others)));
}

nb::object draw_gains(const Words& seed, const Int64& target, const Int32& place, const Int64& place_start, const Int32& least,
                      const Words& below, const Int64& below_start, const Int32& owner, const Int64& owner_start,
                      const Int64& stratum, std::int64_t cells, const Int32& cell, const Reals& positive, const Reals& negative,
                      const Int64& first, const Int64& last, bool apart, std::int64_t threads) {
    const Urns urns = urns_of(place, place_start, least, below, below_start, owner, owner_start, stratum, cells);
    const Weighed list = weighed_of(cell, positive, negative, first, last, cells);
    const Samples samples = samples_of(seed, target, urns);
    std::pair<Column<double>, Column<double>> gains;
    {
        const nb::gil_scoped_release others_may_run;
        gains = drawn_gains(urns, samples, list, apart, threads_allowed(threads));
    }
    return nb::make_tuple(array(std::move(gains.first)), array(std::move(gains.second)));
}

// The values of a call that makes so many sums.
Values values_of(const Int64& value, std::int64_t sums) {
    const Values values{value.data(), size_of(value)};
    if (values.count > most_cases || sums < 0 || sums > most_cases) throw nb::value_error("counts: must be >= 0, and below 2^31");
    return values;
}

nb::object redraw_sums(const Int64& value, std::uint64_t seed, std::int64_t samples) {
    const Values values = values_of(value, samples);
    Column<std::int64_t> sums;
    {
        const nb::gil_scoped_release others_may_run;
        sums = redrawn_sums(values, seed, samples);
    }
    return array(std::move(sums));
}

nb::object sum_subsets(const Reals& value, std::int64_t columns, const Array<std::uint8_t>& subset) {
    const std::int64_t count = size_of(value);
    if (columns < 1 || count < columns || count > most_cases || count % columns != 0) throw nb::value_error("columns: too many, or not of one length");
    const Matrix values{value.data(), count / columns, columns};
    const std::int64_t groups = (values.rows + 7) / 8, draws = size_of(subset) / groups;
    if (size_of(subset) % groups != 0 || draws > most_cases / columns) throw nb::value_error("subsets: too many, or not of one length");
    Column<double> sums;
    {
        const nb::gil_scoped_release others_may_run;
        sums = subset_sums(values, subset.data(), draws);
    }
    return array(std::move(sums));
}

Sums sums_of(const Reals& sum, std::int64_t columns, const Int32& first, const Int32& second) {
    if (columns < 1 || size_of(sum) % columns != 0) throw nb::value_error("columns: too many, or not of one length");
    if (first.shape(0) != second.shape(0)) throw nb::value_error("columns differ in length");
    check_cells(first, columns);
    check_cells(second, columns);
    return {sum.data(), size_of(sum) / columns, columns, first.data(), second.data(), size_of(first)};
}

nb::object greatest_gaps(const Reals& sum, std::int64_t columns, const Int32& first, const Int32& second, const Reals& weight) {
    const Sums sums = sums_of(sum, columns, first, second);
    if (size_of(weight) != sums.pairs) throw nb::value_error("columns differ in length");
    Column<double> most;
    {
        const nb::gil_scoped_release others_may_run;
        most = weighed_gaps(sums, weight.data());
    }
    return array(std::move(most));
}

nb::object rank_means(const Reals& sum, std::int64_t columns, const Int32& first, const Int32& second, const Reals& size, std::int64_t rows,
                      const Reals& total, const Reals& near, std::int64_t rank, std::int64_t threads) {
    const Sums sums = sums_of(sum, columns, first, second);
    if (size_of(size) != sums.draws || size_of(total) != sums.pairs || size_of(near) != sums.pairs) throw nb::value_error("columns differ in length");
    const Rows of_all{size.data(), rows, total.data(), near.data()};
    Ranked found;
    {
        const nb::gil_scoped_release others_may_run;
        found = ranked_means(sums, of_all, rank, threads_allowed(threads));
    }
    if (!found.finite) throw nb::value_error("sums: must be finite, and at most 1e300");
    return nb::make_tuple(array(std::move(found.reached)), array(std::move(found.low)), array(std::move(found.high)));
}

nb::object exchange_differences(const Int32& moved, const Int64& start, const Int32& base, const Int32& every, const Int32& slot, const Int32& coin,
                                std::int64_t coins, bool area) {
    const Range pairs = range_of(start, size_of(base));
    const Exchanges lists{pairs.start, pairs.count, base.data(), every.data(), size_of(base), slot.data(), coin.data(), size_of(slot), coins};
    if (size_of(every) != lists.slots || size_of(coin) != lists.changes) throw nb::value_error("columns differ in length");
    for (std::int64_t i = 0; i < pairs.count; ++i) {
        if ((pairs.end(i) - pairs.begin(i)) % 4 != 2) throw nb::value_error("slots: must be two for each of an odd number of places");
    }
    if (coins < 1 || coins > most_cases || size_of(moved) % coins != 0) throw nb::value_error("coins: too many, or not of one length");
    check_cells(slot, lists.slots);
    for (std::int64_t i = 0; i < lists.changes; ++i) {
        if (coin.data()[i] >= coins || coin.data()[i] < -coins) throw nb::value_error("there is no such coin");
    }
    Column<double> differences;
    {
        const nb::gil_scoped_release others_may_run;
        differences = exchanged_differences(lists, moved.data(), size_of(moved) / coins, area);
    }
    return array(std::move(differences));
}

nb::object exchange_weights(const Int32& moved, const Array<double>& base, const Int32& slot, const Int32& coin, const Array<double>& weight, const Int32& units,
                            bool area) {
    const Weights lists{base.data(), size_of(base), slot.data(), coin.data(), weight.data(), size_of(slot), units.data(), size_of(units)};
    if (lists.slots % 4 != 2) throw nb::value_error("slots: must be two for each of an odd number of places");
    if (size_of(coin) != lists.changes || size_of(weight) != lists.changes) throw nb::value_error("columns differ in length");
    if (lists.coins < 1 || size_of(moved) % lists.coins != 0) throw nb::value_error("coins: too many, or not of one length");
    check_cells(slot, lists.slots);
    for (std::int64_t i = 0; i < lists.changes; ++i) {
        if (coin.data()[i] >= lists.coins || coin.data()[i] < -lists.coins) throw nb::value_error("there is no such coin");
    }
    Column<double> differences;
    {
        const nb::gil_scoped_release others_may_run;
        differences = exchanged_weights(lists, moved.data(), size_of(moved) / lists.coins, area);
    }
    return array(std::move(differences));
}

nb::object exchange_totals(const Int64& start, const Int32& kind, const Int32& change, const Int32& units, std::uint64_t seed, std::int64_t draws) {
    const Swaps swaps{range_of(start, size_of(kind)), kind.data(), change.data(), units.data(), size_of(units)};
    if (change.shape(0) != kind.shape(0)) throw nb::value_error("columns differ in length");
    check_cells(kind, swaps.kinds);
    for (std::int64_t i = 0; i < swaps.totals.count; ++i) {
        const std::int32_t *const first = kind.data() + swaps.totals.begin(i), *const last = kind.data() + swaps.totals.end(i);
        if (std::adjacent_find(first, last, std::greater_equal<>()) != last) throw nb::value_error("kinds: must ascend");
    }
    const bool fit = std::all_of(units.data(), units.data() + swaps.kinds, [](std::int32_t count) { return count >= 1 && count <= most_units; });
    if (!fit) throw nb::value_error("units: must be 1 to 4096");
    if (draws < 0 || draws > most_cases) throw nb::value_error("counts: must be >= 0, and below 2^31");
    Column<std::int32_t> totals;
    {
        const nb::gil_scoped_release others_may_run;
        totals = swapped_totals(swaps, seed, draws);
    }
    return array(std::move(totals)).attr("reshape")(swaps.totals.count, draws);
}

nb::object count_wins(const Int32& drawn, std::int64_t units, const Int32& unit, const Int64& first, const Int64& middle, const Int64& last,
                      std::int64_t threads) {
    if (units < 1 || units > most_cases || size_of(drawn) % units != 0) throw nb::value_error("units: too many, or not of one length");
    const Ranking ranking{unit.data(), size_of(unit), first.data(), middle.data(), last.data(), size_of(first)};
    if (size_of(middle) != ranking.stops || size_of(last) != ranking.stops) throw nb::value_error("columns differ in length");
    if (std::any_of(drawn.data(), drawn.data() + drawn.shape(0), [](std::int32_t count) { return count < 0; })) {
        throw nb::value_error("counts: must be >= 0");
    }
    check_cells(unit, units);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < ranking.stops; ++i) {
        if (ranking.first[i] < at || ranking.middle[i] < ranking.first[i] || ranking.last[i] < ranking.middle[i]) {
            throw nb::value_error("stops: must ascend");
        }
        at = ranking.last[i];
    }
    if (at > ranking.cases) throw nb::value_error("stops: must ascend");
    Wins wins;
    {
        const nb::gil_scoped_release others_may_run;
        wins = counted_wins(ranking, drawn.data(), size_of(drawn) / units, units, threads_allowed(threads));
    }
    return nb::make_tuple(array(std::move(wins.twice)), array(std::move(wins.hits)), array(std::move(wins.others)));
}

nb::object place_sums(const Words& seed, std::int64_t items, std::int64_t relevant, std::int64_t bound, std::int64_t threads) {
    if (items < 1 || items > most_cases || relevant < 0 || relevant > items) throw nb::value_error("counts: must be of a list below 2^31");
    if (bound < 0 || bound > 255) throw nb::value_error("bound: must be 0 to 255");
    const Placing placing{items, relevant, static_cast<std::uint32_t>(bound)};
    Column<double> sums;
    {
        const nb::gil_scoped_release others_may_run;
        sums = placed_sums(placing, seed.data(), size_of(seed), threads_allowed(threads));
    }
    return array(std::move(sums));
}

}  // namespace

void add_resampling(nb::module_& module) {
    module.def("draw_cells", &draw_cells, "seed"_a.noconvert(), "target"_a.noconvert(), "place"_a.noconvert(),
               "place_start"_a.noconvert(), "least"_a.noconvert(), "below"_a.noconvert(), "below_start"_a.noconvert(),
               "owner"_a.noconvert(), "owner_start"_a.noconvert(), "stratum"_a.noconvert(), "cells"_a, "threads"_a);
    module.def("draw_precisions", &draw_precisions, "seed"_a.noconvert(), "target"_a.noconvert(), "place"_a.noconvert(),
               "place_start"_a.noconvert(), "least"_a.noconvert(), "below"_a.noconvert(), "below_start"_a.noconvert(),
               "owner"_a.noconvert(), "owner_start"_a.noconvert(), "stratum"_a.noconvert(), "block"_a.noconvert(), "threads"_a);
    module.def("draw_heights", &draw_heights, "seed"_a.noconvert(), "target"_a.noconvert(), "place"_a.noconvert(),
               "place_start"_a.noconvert(), "least"_a.noconvert(), "below"_a.noconvert(), "below_start"_a.noconvert(),
               "owner"_a.noconvert(), "owner_start"_a.noconvert(), "stratum"_a.noconvert(), "block"_a.noconvert(), "share"_a.noconvert(),
               "of_others"_a, "threads"_a);
    module.def("draw_best", &draw_best, "seed"_a.noconvert(), "target"_a.noconvert(), "place"_a.noconvert(),
               "place_start"_a.noconvert(), "least"_a.noconvert(), "below"_a.noconvert(), "below_start"_a.noconvert(),
               "owner"_a.noconvert(), "owner_start"_a.noconvert(), "stratum"_a.noconvert(), "start"_a.noconvert(), "others"_a.noconvert(),
               "hits"_a.noconvert(), "square"_a, "threads"_a);
    const auto with_list = [&](const char* name, auto function, auto... more) {
        module.def(name, function, "seed"_a.noconvert(), "target"_a.noconvert(), "place"_a.noconvert(), "place_start"_a.noconvert(),
                   "least"_a.noconvert(), "below"_a.noconvert(), "below_start"_a.noconvert(), "owner"_a.noconvert(),
                   "owner_start"_a.noconvert(), "stratum"_a.noconvert(), "cells"_a, "cell"_a.noconvert(), "positive"_a.noconvert(),
                   "negative"_a.noconvert(), "first"_a.noconvert(), "last"_a.noconvert(), more..., "threads"_a);
    };
    with_list("draw_paths", &draw_paths);
    with_list("draw_gains", &draw_gains, "apart"_a);
    module.def("exchange_differences", &exchange_differences, "moved"_a.noconvert(), "start"_a.noconvert(), "base"_a.noconvert(), "every"_a.noconvert(),
               "slot"_a.noconvert(), "coin"_a.noconvert(), "coins"_a, "area"_a);
    module.def("exchange_weights", &exchange_weights, "moved"_a.noconvert(), "base"_a.noconvert(), "slot"_a.noconvert(), "coin"_a.noconvert(),
               "weight"_a.noconvert(), "units"_a.noconvert(), "area"_a);
    module.def("exchange_totals", &exchange_totals, "start"_a.noconvert(), "kind"_a.noconvert(), "change"_a.noconvert(), "units"_a.noconvert(), "seed"_a,
               "draws"_a);
    module.def("count_wins", &count_wins, "drawn"_a.noconvert(), "units"_a, "unit"_a.noconvert(), "first"_a.noconvert(), "middle"_a.noconvert(),
               "last"_a.noconvert(), "threads"_a);
    module.def("place_sums", &place_sums, "seed"_a.noconvert(), "items"_a, "relevant"_a, "bound"_a, "threads"_a);
    module.def("redraw_sums", &redraw_sums, "value"_a.noconvert(), "seed"_a, "samples"_a);
    module.def("sum_subsets", &sum_subsets, "value"_a.noconvert(), "columns"_a, "subset"_a.noconvert());
    module.def("greatest_gaps", &greatest_gaps, "sum"_a.noconvert(), "columns"_a, "first"_a.noconvert(), "second"_a.noconvert(),
               "weight"_a.noconvert());
    module.def("rank_means", &rank_means, "sum"_a.noconvert(), "columns"_a, "first"_a.noconvert(), "second"_a.noconvert(), "size"_a.noconvert(),
               "rows"_a, "total"_a.noconvert(), "near"_a.noconvert(), "rank"_a, "threads"_a);
}

}  // namespace precall
