// Counting as Python sees it; precall.native.twin says what each function does.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include "arrays.hpp"
#include "between.hpp"
#include "blocks.hpp"
#include "columns.hpp"
#include "counting.hpp"
#include "parallel.hpp"

namespace precall {

using namespace nb::literals;

namespace {

template <class Score>
Cases<Score> cases_of(const Array<bool>& relevant, const Array<Score>& score) {
    if (relevant.shape(0) != score.shape(0)) throw nb::value_error("columns differ in length");
    return {reinterpret_cast<const std::uint8_t*>(relevant.data()), score.data(), static_cast<std::int64_t>(score.shape(0))};
}

// Python's other threads may run meanwhile, but for calls.
class Released {
  public:
    Released() : state_(PyEval_SaveThread()) {}
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    ~Released() { PyEval_RestoreThread(state_); }

    template <class Call>
    void call(const Call& call) {
        PyEval_RestoreThread(state_);
        struct Again {
            PyThreadState*& state;
            ~Again() { state = PyEval_SaveThread(); }
        } again{state_};
        call();
    }

  private:
    PyThreadState* state_;
};

template <class Score>
void sort_by_numpy(Score* scores, std::size_t count) {
    nb::cast(nb::ndarray<nb::numpy, Score, nb::ndim<1>>(scores, {count}, nb::none())).attr("sort")();
}

// NumPy sorts several scores at a time on most processors, not on all: it is tried once. Nothing but time depends on that.
bool numpy_sorts_fast() {
    static std::atomic<int> known{0};
    if (known == 0) {
        constexpr std::size_t count = 4096;
        constexpr double most = 15e-9;  // seconds a score; one at a time they take 30 and more
        std::vector<double> scores(count);
        double least = 1;
        for (int trial = 0; trial < 3; ++trial) {
            std::uint64_t state = 1;
            for (double& score : scores) score = static_cast<double>((state = state * 6364136223846793005u + 1442695040888963407u) >> 11);
            const auto start = std::chrono::steady_clock::now();
            sort_by_numpy(scores.data(), count);
            least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        known = least < most * static_cast<double>(count) ? 1 : 2;
    }
    return known == 1;
}

// None for few cases, or where NumPy's is slow.
template <class Score>
Sort<Score> lent_sort(const Cases<Score>& cases, Released*& released) {
    if (cases.count < least_sorted || !numpy_sorts_fast()) return {};
    return [&released](Score* scores, std::size_t count) { released->call([&] { sort_by_numpy(scores, count); }); };
}

template <class Score>
nb::tuple areas(const Array<bool>& relevant, const Array<Score>& score, std::int64_t threads) {
    const Cases<Score> cases = cases_of(relevant, score);
    Areas areas;
    Released* released = nullptr;
    const Sort<Score> sort = lent_sort(cases, released);
    {
        Released others_may_run;
        released = &others_may_run;
        areas = areas_of(cases, threads_allowed(threads), sort);
    }
    return nb::make_tuple(areas.hits, areas.others, areas.step[0], areas.step[1], areas.step[2], areas.twice_above, areas.nan);
}

// How many rankings they are divided into.
template <class Score>
std::int64_t rankings_of(const Cases<Score>& cases, const Array<std::int64_t>& start) {
    const auto rankings = static_cast<std::int64_t>(start.shape(0)) - 1;
    const bool fits = divides(start.data(), start.shape(0), static_cast<std::size_t>(cases.count));
    if (!fits || start.data()[0] != 0 || start.data()[rankings] != cases.count) throw nb::value_error("start does not divide the cases");
    return rankings;
}

template <class Score>
nb::object areas_each(const Array<bool>& relevant, const Array<Score>& score, const Array<std::int64_t>& start, std::int64_t threads) {
    const Cases<Score> cases = cases_of(relevant, score);
    const std::int64_t rankings = rankings_of(cases, start);
    constexpr std::size_t parts = 7;
    Column<std::int64_t> table(parts * static_cast<std::size_t>(rankings));
    Released* released = nullptr;
    const Sort<Score> sort = lent_sort(cases, released);
    {
        Released others_may_run;
        released = &others_may_run;
        const std::vector<Areas> each = areas_of_each(cases, start.data(), rankings, threads_allowed(threads), sort);
        std::size_t at = 0;
        for (const Areas& areas : each) {
            for (const std::int64_t part : {areas.hits, areas.others, areas.step[0], areas.step[1], areas.step[2], areas.twice_above, areas.nan}) {
                table[at++] = part;
            }
        }
    }
    return array(std::move(table)).attr("reshape")(rankings, parts);
}

template <class Score>
nb::tuple path(const Array<bool>& relevant, const Array<Score>& score, std::int64_t threads) {
    const Cases<Score> cases = cases_of(relevant, score);
    Path<Score> path;
    Released* released = nullptr;
    const Sort<Score> sort = lent_sort(cases, released);
    {
        Released others_may_run;
        released = &others_may_run;
        path = path_of(cases, threads_allowed(threads), sort);
    }
    return nb::make_tuple(array(std::move(path.threshold)), array(std::move(path.hits)), array(std::move(path.others)), path.nan);
}

template <class Score>
nb::tuple path_each(const Array<bool>& relevant, const Array<Score>& score, const Array<std::int64_t>& start, std::int64_t threads) {
    const Cases<Score> cases = cases_of(relevant, score);
    const std::int64_t rankings = rankings_of(cases, start);
    Paths<Score> paths;
    {
        const nb::gil_scoped_release others_may_run;
        paths = path_of_each(cases, start.data(), rankings, threads_allowed(threads));
    }
    return nb::make_tuple(array(std::move(paths.threshold)), array(std::move(paths.hits)), array(std::move(paths.others)),
                          array(std::move(paths.first)), paths.nan);
}

template <class Score>
Cases<Score> numbered_cases_of(const Array<bool>& relevant, const Array<Score>& score) {
    const Cases<Score> cases = cases_of(relevant, score);
    if (cases.count > std::numeric_limits<std::uint32_t>::max()) throw nb::value_error("more cases than 2^32");
    return cases;
}

template <class Score>
nb::tuple blocks(const Array<bool>& relevant, const Array<Score>& score, std::int64_t threads) {
    const Cases<Score> cases = numbered_cases_of(relevant, score);
    Blocks blocks;
    {
        const nb::gil_scoped_release others_may_run;
        blocks = blocks_of(cases, threads_allowed(threads));
    }
    return nb::make_tuple(array(std::move(blocks.block)), array(std::move(blocks.hits)), array(std::move(blocks.others)), blocks.nan);
}

template <class Score>
nb::tuple weigh(const Array<bool>& relevant, const Array<Score>& score, const Array<double>& weight, std::int64_t threads, bool summed) {
    const Cases<Score> cases = numbered_cases_of(relevant, score);
    if (weight.shape(0) != score.shape(0)) throw nb::value_error("columns differ in length");
    Weighed<Score> sums;
    {
        const nb::gil_scoped_release others_may_run;
        sums = weighed(cases, weight.data(), summed, threads_allowed(threads));
    }
    return nb::make_tuple(array(std::move(sums.score)), array(std::move(sums.hits)), array(std::move(sums.others)), sums.nan);
}

template <class Score>
nb::tuple weigh_area(const Array<bool>& relevant, const Array<Score>& score, const Array<double>& weight, double missed, bool roc, std::int64_t threads) {
    const Cases<Score> cases = numbered_cases_of(relevant, score);
    if (weight.shape(0) != score.shape(0)) throw nb::value_error("columns differ in length");
    WeighedArea area;
    {
        const nb::gil_scoped_release others_may_run;
        area = weighed_area(cases, weight.data(), missed, roc, threads_allowed(threads));
    }
    return nb::make_tuple(area.hits, area.others, area.sum, area.nan);
}

template <class Score>
void between(const Array<double>& edges, const Array<Score>& ordered, Places<std::int64_t> equal, Places<std::int64_t> between, Places<double> least) {
    const std::size_t count = edges.shape(0);
    if (equal.shape(0) != count || between.shape(0) != count + 1 || least.shape(0) != count + 1) throw nb::value_error("columns differ in length");
    const Between known{edges.data(), static_cast<std::int64_t>(count), equal.data(), between.data(), least.data()};
    const nb::gil_scoped_release others_may_run;
    count_between(known, ordered.data(), static_cast<std::int64_t>(ordered.shape(0)));
}

template <class Score>
std::int64_t rows(const Array<double>& edges, const Array<std::int64_t>& hits, const Array<std::int64_t>& equal, const Array<std::int64_t>& between,
                  const Array<double>& least, const Array<std::int64_t>& gap, const Array<double>& inside, const Array<std::int64_t>& below,
                  Places<Score> threshold, Places<std::int64_t> tp, Places<std::int64_t> fp) {
    const std::size_t count = edges.shape(0);
    if (hits.shape(0) != count || equal.shape(0) != count || between.shape(0) != count + 1 || least.shape(0) != count + 1 ||
        inside.shape(0) != gap.shape(0) || below.shape(0) != gap.shape(0) || tp.shape(0) != threshold.shape(0) || fp.shape(0) != threshold.shape(0)) {
        throw nb::value_error("columns differ in length");
    }
    auto highest = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < gap.shape(0); ++i) {
        if (gap.data()[i] < 0 || gap.data()[i] > highest) throw nb::value_error("gaps are none of these, or do not descend");
        highest = gap.data()[i];
    }
    const Counts known{edges.data(), static_cast<std::int64_t>(count), hits.data(), equal.data(), between.data(), least.data()};
    const Inside some{gap.data(), inside.data(), below.data(), static_cast<std::int64_t>(gap.shape(0))};
    const Points<Score> points{threshold.data(), tp.data(), fp.data(), static_cast<std::int64_t>(threshold.shape(0))};
    std::int64_t end = 0;
    {
        const nb::gil_scoped_release others_may_run;
        end = rows_between(known, some, points);
    }
    if (end < 0) throw nb::value_error("the points do not fit");
    return end;
}

nb::tuple merged(const Array<double>& score, const Array<std::int64_t>& count, const Array<double>& other, const Array<std::int64_t>& other_count) {
    if (score.shape(0) != count.shape(0) || other.shape(0) != other_count.shape(0)) throw nb::value_error("columns differ in length");
    Counted all;
    {
        const nb::gil_scoped_release others_may_run;
        all = merge_counts(score.data(), count.data(), static_cast<std::int64_t>(score.shape(0)), other.data(), other_count.data(),
                           static_cast<std::int64_t>(other.shape(0)));
    }
    return nb::make_tuple(array(std::move(all.score)), array(std::move(all.count)));
}

}  // namespace

void add_counting(nb::module_& module) {
    module.def("areas", &areas<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "threads"_a);
    module.def("areas", &areas<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "threads"_a);
    module.def("areas_each", &areas_each<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "start"_a.noconvert(), "threads"_a);
    module.def("areas_each", &areas_each<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "start"_a.noconvert(), "threads"_a);
    module.def("blocks", &blocks<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "threads"_a);
    module.def("blocks", &blocks<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "threads"_a);
    module.def("path_each", &path_each<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "start"_a.noconvert(), "threads"_a);
    module.def("path_each", &path_each<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "start"_a.noconvert(), "threads"_a);
    module.def("weigh", &weigh<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "weight"_a.noconvert(), "threads"_a, "summed"_a = false);
    module.def("weigh", &weigh<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "weight"_a.noconvert(), "threads"_a, "summed"_a = false);
    module.def("weigh_area", &weigh_area<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "weight"_a.noconvert(), "missed"_a, "roc"_a, "threads"_a);
    module.def("weigh_area", &weigh_area<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "weight"_a.noconvert(), "missed"_a, "roc"_a, "threads"_a);
    module.def("count_between", &between<float>, "edges"_a.noconvert(), "ordered"_a.noconvert(), "equal"_a.noconvert(), "between"_a.noconvert(), "least"_a.noconvert());
    module.def("count_between", &between<double>, "edges"_a.noconvert(), "ordered"_a.noconvert(), "equal"_a.noconvert(), "between"_a.noconvert(), "least"_a.noconvert());
    module.def("rows_between", &rows<float>, "edges"_a.noconvert(), "hits"_a.noconvert(), "equal"_a.noconvert(), "between"_a.noconvert(),
               "least"_a.noconvert(), "gap"_a.noconvert(), "inside"_a.noconvert(), "below"_a.noconvert(), "threshold"_a.noconvert(), "tp"_a.noconvert(),
               "fp"_a.noconvert());
    module.def("rows_between", &rows<double>, "edges"_a.noconvert(), "hits"_a.noconvert(), "equal"_a.noconvert(), "between"_a.noconvert(),
               "least"_a.noconvert(), "gap"_a.noconvert(), "inside"_a.noconvert(), "below"_a.noconvert(), "threshold"_a.noconvert(), "tp"_a.noconvert(),
               "fp"_a.noconvert());
    module.def("merge_counts", &merged, "score"_a.noconvert(), "count"_a.noconvert(), "other"_a.noconvert(), "other_count"_a.noconvert());
    module.def("path", &path<float>, "relevant"_a.noconvert(), "score"_a.noconvert(), "threads"_a);
    module.def("path", &path<double>, "relevant"_a.noconvert(), "score"_a.noconvert(), "threads"_a);
}

}  // namespace precall
