#include "counting.hpp"

#include <cmath>
#include <limits>

#include "bucketed.hpp"
#include "sparse.hpp"

namespace precall {

namespace {

constexpr std::int64_t small = 1 << 17;       // cases that are simply sorted for areas
constexpr std::int64_t few_points = 1 << 14;  // and for all their points

// So many relevant cases are found a place among, not thrown into buckets: more of them where there are more cases.
std::int64_t few(std::int64_t count) { return std::clamp<std::int64_t>(count / 400, 8192, 32768); }

// Where NaN is, once it is known that there is one.
template <class Score>
std::int64_t first_nan(const Cases<Score>& cases) {
    for (std::int64_t i = 0; i < cases.count; ++i) {
        if (std::isnan(cases.score[i])) return i;
    }
    return -1;
}

template <class Score>
std::int64_t hits_of(const Cases<Score>& cases, int threads) {
    std::atomic<std::int64_t> hits{0};
    Batches batches(cases.count, 1 << 16);
    in_parallel(threads, [&] {
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            std::uint32_t inside = 0;
            for (std::int64_t i = begin; i < end; ++i) inside += cases.is_relevant(i) ? 1 : 0;
            hits += inside;
        }
    });
    return hits;
}

// Takes blocks of equal scores that have a relevant case, best first, below some that are known.
class Adder {
  public:
    Adder(Areas& areas, std::int64_t all_others, std::int64_t hits_above = 0, std::int64_t others_above = 0)
        : areas_(areas), all_others_(all_others), found_(hits_above), passed_(others_above) {}

    void operator()(std::int64_t size, std::int64_t above, std::int64_t equal) {
        found_ += size;
        areas_.add(size, found_, passed_ + above + equal);
        areas_.twice_above += size * (2 * (all_others_ - passed_ - above) - equal);
    }

  private:
    Areas& areas_;
    std::int64_t all_others_, found_, passed_;
};

// Few cases are one bucket.
template <class Score>
class Few {
  public:
    Bucket<Key<Score>> bucket(const Cases<Score>& cases) {
        const auto count = static_cast<std::size_t>(cases.count);
        if (keys_.size() < 2 * count) keys_.resize(2 * count);
        // Both kinds' next places are written, and one of them kept: a branch would often be guessed wrongly.
        Key<Score>* const hits = keys_.data();
        Key<Score>* const others = hits + count;
        std::size_t hit_count = 0;
        for (std::size_t i = 0; i < count; ++i) {
            hits[hit_count] = others[i - hit_count] = key_of(cases.score[i]);
            hit_count += cases.is_relevant(static_cast<std::int64_t>(i)) ? 1 : 0;
        }
        return {hits, hit_count, others, count - hit_count, room_, Lie::few};
    }

  private:
    std::vector<Key<Score>> keys_;
    Room<Key<Score>> room_;
};

// Hits and others above each bucket, the best bucket being the last.
template <class Score>
std::vector<std::pair<std::int64_t, std::int64_t>> above_buckets(const Bucketed<Score>& bucketed) {
    std::vector<std::pair<std::int64_t, std::int64_t>> above(bucketed.count());
    std::int64_t hits = 0, others = 0;
    for (std::uint32_t b = bucketed.count(); b-- > 0;) {
        above[b] = {hits, others};
        hits += bucketed.hits(b);
        others += bucketed.others(b);
    }
    return above;
}

// Every bucket is done once, by whoever is free, with the thread's own scratch.
template <class Score, class Work>
void each_bucket(const Bucketed<Score>& bucketed, int threads, const Work& work) {
    Batches batches(bucketed.count(), 4);
    in_parallel(threads, [&] {
        Room<Key<Score>> room;
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            for (auto b = static_cast<std::uint32_t>(begin); b < static_cast<std::uint32_t>(end); ++b) work(b, room);
        }
    });
}

template <class Score>
void add_bucketed(Areas& areas, Bucketed<Score>& bucketed, int threads) {
    const auto above = above_buckets(bucketed);
    std::mutex guard;
    each_bucket(bucketed, threads, [&](std::uint32_t b, Room<Key<Score>>& room) {
        if (bucketed.hits(b) == 0) return;
        Areas mine;
        bucketed.bucket(b, room).each_hit(Adder(mine, areas.others, above[b].first, above[b].second));
        const std::lock_guard lock(guard);
        areas.merge(mine);
    });
}

template <class Score>
Areas areas_with(const Cases<Score>& cases, int threads, Few<Score>& few_cases) {
    Areas areas;
    areas.hits = hits_of(cases, threads);
    areas.others = cases.count - areas.hits;
    bool nan = false;
    if (cases.count > small / 2 && areas.hits <= std::min(cases.count / (cases.count > small ? 16 : 256), few(cases.count))) {
        const Sparse<Score> sparse(cases, areas.hits, threads);
        nan = sparse.nan();
        if (!nan) sparse.each(Adder(areas, areas.others));
    } else if (cases.count <= small) {
        nan = any_nan(cases.score, cases.count);
        if (!nan) few_cases.bucket(cases).each_hit(Adder(areas, areas.others));
    } else {
        Bucketed<Score> bucketed(cases, threads);
        nan = bucketed.nan();
        if (!nan) add_bucketed(areas, bucketed, threads);
    }
    if (nan) areas.nan = first_nan(cases);
    return areas;
}

}  // namespace

template <class Score>
Areas areas_of(const Cases<Score>& cases, int threads) {
    Few<Score> few_cases;
    return areas_with(cases, threads_for(cases.count, threads), few_cases);
}

template <class Score>
std::vector<Areas> areas_of_each(const Cases<Score>& cases, const std::int64_t* start, std::int64_t rankings, int threads) {
    std::vector<Areas> areas(static_cast<std::size_t>(rankings));
    // Several rankings by each thread; a single large one by all of them.
    const int inner = rankings < threads ? threads : 1;
    Batches batches(rankings, 1);
    in_parallel(inner > 1 ? 1 : threads_for(cases.count, threads), [&] {
        Few<Score> few_cases;
        std::int64_t at = 0, end = 0;
        while (batches.take(at, end)) {
            const Cases<Score> own{cases.relevant + start[at], cases.score + start[at], start[at + 1] - start[at]};
            areas[static_cast<std::size_t>(at)] = areas_with(own, threads_for(own.count, inner), few_cases);
        }
    });
    return areas;
}

namespace {

// Rows of the path of few cases, written from `at` on; how many there are.
template <class Score>
std::size_t put_path(const Cases<Score>& cases, Few<Score>& few_cases, Path<Score>& path, std::size_t at) {
    const std::size_t first = at;
    std::int64_t hits = 0, others = 0;
    const auto put = [&](Score threshold) {
        path.threshold[at] = threshold;
        path.hits[at] = hits;
        path.others[at++] = others;
    };
    put(std::numeric_limits<Score>::infinity());
    few_cases.bucket(cases).each([&](Key<Score> key, std::int64_t more_hits, std::int64_t more_others) {
        hits += more_hits;
        others += more_others;
        put(score_of<Score>(key));
    });
    return at - first;
}

template <class Score>
void resize(Path<Score>& path, std::size_t rows) {
    path.threshold.resize(rows);
    path.hits.resize(rows);
    path.others.resize(rows);
}

template <class Score>
Path<Score> path_of_many(const Cases<Score>& cases, int threads) {
    Path<Score> path;
    Bucketed<Score> bucketed(cases, threads);
    if (bucketed.nan()) {
        path.nan = first_nan(cases);
        return path;
    }
    // First how many distinct scores each bucket has, then, knowing where they go, what they are.
    std::vector<std::int64_t> first(bucketed.count(), 0);
    each_bucket(bucketed, threads, [&](std::uint32_t b, Room<Key<Score>>& room) {
        first[b] = static_cast<std::int64_t>(bucketed.bucket(b, room).distinct());
    });
    std::int64_t total = 1;
    for (std::uint32_t b = bucketed.count(); b-- > 0;) total += std::exchange(first[b], total);
    resize(path, static_cast<std::size_t>(total));
    path.threshold[0] = std::numeric_limits<Score>::infinity();
    path.hits[0] = path.others[0] = 0;
    const auto above = above_buckets(bucketed);
    each_bucket(bucketed, threads, [&](std::uint32_t b, Room<Key<Score>>& room) {
        auto at = static_cast<std::size_t>(first[b]);
        std::int64_t hits = above[b].first, others = above[b].second;
        bucketed.bucket(b, room, true).each([&](Key<Score> key, std::int64_t more_hits, std::int64_t more_others) {
            path.threshold[at] = score_of<Score>(key);
            path.hits[at] = hits += more_hits;
            path.others[at++] = others += more_others;
        });
    });
    return path;
}

}  // namespace

template <class Score>
Path<Score> path_of(const Cases<Score>& cases, int threads) {
    if (cases.count > few_points) return path_of_many(cases, threads_for(cases.count, threads));
    Path<Score> path;
    if (any_nan(cases.score, cases.count)) {
        path.nan = first_nan(cases);
        return path;
    }
    Few<Score> few_cases;
    resize(path, static_cast<std::size_t>(cases.count) + 1);
    resize(path, put_path(cases, few_cases, path, 0));
    return path;
}

template Areas areas_of(const Cases<float>&, int);
template Areas areas_of(const Cases<double>&, int);
template std::vector<Areas> areas_of_each(const Cases<float>&, const std::int64_t*, std::int64_t, int);
template std::vector<Areas> areas_of_each(const Cases<double>&, const std::int64_t*, std::int64_t, int);
template Path<float> path_of(const Cases<float>&, int);
template Path<double> path_of(const Cases<double>&, int);

}  // namespace precall
