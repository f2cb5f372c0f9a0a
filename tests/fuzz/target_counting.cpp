// Scored cases: any scores, NaN and infinities among them, against sorting them all.
//
// The first bytes choose options; a few cases may be repeated until they are as many as are thrown into buckets, which run.sh
// makes a thousandth of what it is. They are counted without a sort from outside, or with one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "blocks.hpp"
#include "counting.hpp"
#include "laws.hpp"

namespace {

using namespace precall;

constexpr std::size_t MANY = 1'500, FEW = 150;

template <class Score>
struct Given {
    std::vector<std::uint8_t> relevant;
    std::vector<Score> score;

    Cases<Score> cases() const { return {relevant.data(), score.data(), static_cast<std::int64_t>(score.size())}; }
};

template <class Score>
Given<Score> given(Input& input, unsigned choice) {
    Given<Score> found;
    while (input.left() > 0 && found.score.size() < FEW) {
        const auto kind = input.take<std::uint8_t>();
        found.relevant.push_back(kind & 1);
        found.score.push_back(kind & 2 ? input.take<Score>() : static_cast<Score>(input.take<std::int8_t>()) / 8);
    }
    const std::size_t few = found.score.size();
    if (few == 0 || choice % 16 != 0) return found;
    for (std::size_t i = few; i < MANY; ++i) {
        found.relevant.push_back(choice & 64 ? found.relevant[i % few] : i % 1009 == 0);
        found.score.push_back(found.score[i % few] + static_cast<Score>(choice & 128 ? i / few : 0));
    }
    return found;
}

// As NumPy's: ascending, NaN above all.
template <class Score>
void sort_scores(Score* scores, std::size_t count) {
    std::sort(scores, scores + count, [](Score a, Score b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
}

template <class Score>
void check(const Given<Score>& given, int threads, const Sort<Score>& sort) {
    const Cases<Score> cases = given.cases();
    const Areas areas = areas_of(cases, threads, sort);
    const Path<Score> path = path_of(cases, threads, sort);
    const Blocks blocks = blocks_of(cases, threads);
    const auto nan = std::find_if(given.score.begin(), given.score.end(), [](Score one) { return std::isnan(one); });
    if (nan != given.score.end()) {
        const auto place = nan - given.score.begin();
        demand(areas.nan == place && path.nan == place && blocks.nan == place, "the first NaN is found");
        return;
    }
    std::vector<std::size_t> order(given.score.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return given.score[a] > given.score[b]; });
    std::int64_t hits = 0, others = 0, won = 0;
    Areas sorted;
    std::size_t point = 0;
    for (std::size_t i = 0; i < order.size();) {
        const Score score = given.score[order[i]];
        std::int64_t more[2] = {0, 0};
        for (; i < order.size() && given.score[order[i]] == score; ++i) ++more[given.relevant[order[i]]];
        hits += more[1];
        others += more[0];
        // Twice the others that the block's relevant cases leave behind, so far as those are known.
        won -= more[1] * (2 * others - more[0]);
        if (more[1] > 0) sorted.add(more[1], hits, others);
        ++point;
        demand(point < path.threshold.size() && path.threshold[point] == score, "every score is a threshold");
        demand(path.hits[point] == hits && path.others[point] == others, "cases at or above a threshold");
    }
    demand(path.threshold.size() == point + 1, "there are no other thresholds");
    demand(areas.hits == hits && areas.others == others, "all cases are counted");
    demand(areas.twice_above == won + 2 * hits * others, "pairs won");
    demand(std::equal(sorted.step, sorted.step + 3, areas.step), "the step area");
}

// What weights of one add up to is what is counted.
template <class Score>
void check_weights(const Given<Score>& given, int threads, bool summed, bool roc) {
    const Cases<Score> cases = given.cases();
    const std::vector<double> ones(given.score.size(), 1.0);
    const Weighed<Score> sums = weighed(cases, ones.data(), summed, threads);
    const Path<Score> path = path_of(cases, threads);
    if (path.nan >= 0) {
        demand(sums.nan == path.nan, "the first NaN is found where there are weights");
        return;
    }
    const std::size_t first = summed ? 0 : 1;
    demand(sums.score.size() + first == path.threshold.size(), "weights are of the same thresholds");
    for (std::size_t i = first; i < path.threshold.size(); ++i) {
        const std::int64_t before[] = {summed ? 0 : path.hits[i - 1], summed ? 0 : path.others[i - 1]};
        demand(sums.score[i - first] == path.threshold[i], "weights are of the same scores");
        demand(sums.hits[i - first] == static_cast<double>(path.hits[i] - before[0]) &&
                   sums.others[i - first] == static_cast<double>(path.others[i] - before[1]),
               "weights of one are counts");
    }
    const Areas areas = areas_of(cases, threads);
    const WeighedArea area = weighed_area(cases, ones.data(), 0, roc, threads);
    demand(area.hits == static_cast<double>(areas.hits) && area.others == static_cast<double>(areas.others), "weights of one add up to counts");
    if (areas.hits == 0 || areas.others == 0) return;
    const double whole = roc ? 0.5 * static_cast<double>(areas.twice_above) / area.hits / area.others : std::ldexp(static_cast<double>(areas.step[0]), -20);
    demand(std::abs(area.sum / 2 * (roc ? 1 : 2) - whole) <= 1e-3 * (1 + area.hits), "areas of weights of one are those of counts");
}

template <class Score>
void check_each(const Given<Score>& given, int threads, const Sort<Score>& sort) {
    const auto count = static_cast<std::int64_t>(given.score.size());
    const std::int64_t start[] = {0, count / 3, count / 3, count};
    const auto all = areas_of_each(given.cases(), start, 3, threads, sort);
    for (int i = 0; i < 3; ++i) {
        const Cases<Score> own{given.relevant.data() + start[i], given.score.data() + start[i], start[i + 1] - start[i]};
        const Areas alone = areas_of(own, 1);
        const Areas& found = all[static_cast<std::size_t>(i)];
        demand(found.hits == alone.hits && found.twice_above == alone.twice_above && found.nan == alone.nan,
               "a ranking among others is as alone");
    }
    const auto paths = path_of_each(given.cases(), start, 3, threads);
    for (std::size_t i = 0; i < 3 && paths.nan < 0; ++i) {
        const Cases<Score> own{given.relevant.data() + start[i], given.score.data() + start[i], start[i + 1] - start[i]};
        const auto alone = path_of(own, 1);
        const auto first = static_cast<std::size_t>(paths.first[i]);
        demand(static_cast<std::size_t>(paths.first[i + 1]) - first == alone.hits.size(), "a path among others is as long");
        demand(std::equal(alone.threshold.data(), alone.threshold.data() + alone.hits.size(), &paths.threshold[first]) &&
                   std::equal(alone.hits.data(), alone.hits.data() + alone.hits.size(), &paths.hits[first]) &&
                   std::equal(alone.others.data(), alone.others.data() + alone.hits.size(), &paths.others[first]),
               "a path among others is as alone");
    }
}

template <class Score>
void check_all(Input& input, unsigned choice) {
    const Given<Score> cases = given<Score>(input, choice);
    const int threads = 1 + static_cast<int>(choice >> 8 & 1);
    const Sort<Score> sort = (choice & 1024) != 0 ? Sort<Score>(sort_scores<Score>) : Sort<Score>();
    // One after the other would be half as many inputs a second, or fewer.
    if ((choice & 2048) != 0) {
        check_each(cases, threads, sort);
    } else if ((choice & 4096) != 0) {
        check_weights(cases, threads, (choice & 8192) != 0, (choice & 16384) != 0);
    } else {
        check(cases, threads, sort);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const unsigned choice = input.take<std::uint16_t>();
    choice & 512 ? check_all<float>(input, choice) : check_all<double>(input, choice);
    return 0;
}
