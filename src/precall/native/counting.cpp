#include "counting.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "bucketed.hpp"
#include "sorted.hpp"
#include "sparse.hpp"

namespace precall {

namespace {

// Fuzzing goes every way with a few hundred cases.
#ifdef PRECALL_SMALL_LIMITS
constexpr int shorter = 10;
#else
constexpr int shorter = 0;
#endif
constexpr std::int64_t small = 1 << (17 - shorter);       // cases that are simply sorted
constexpr std::int64_t least = 1 << (16 - shorter);       // and in room that a thread keeps: to get it would take half of the time
constexpr std::int64_t worth_gaps = 1 << (15 - shorter);  // cases of which few are relevant: to divide scores into gaps takes a while
constexpr std::int64_t few = 40000 >> shorter;            // relevant cases that others are counted between, without buckets; of more, cells leave the cache
constexpr std::int64_t most_in_order = 1 << 22;           // cases of a path: of more, buckets take as long and give memory back as they are done
constexpr int most_sorting = 2;                           // threads: of more, all of them are faster than one that sorts

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
        return {hits, hit_count, others, count - hit_count, room_, false};
    }

    Path<Score> path;
    OrderedRoom<Score> ordered;

  private:
    std::vector<Key<Score>> keys_;
    Room<Key<Score>> room_;
};

// work(few) with the thread's own room, or with some that goes afterwards.
template <class Score, class Work>
auto with_room(std::int64_t count, const Work& work) {
    if (count > least) {
        Few<Score> own;
        return work(own);
    }
    thread_local Few<Score> kept;
    return work(kept);
}

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
bool use_sort(const Cases<Score>& cases, int threads, const Sort<Score>& sort) {
    return sort && threads <= most_sorting && cases.count >= least_sorted && cases.count < std::numeric_limits<std::uint32_t>::max();
}

template <class Score>
Areas areas_with(const Cases<Score>& cases, int threads, const Sort<Score>& sort, Few<Score>& few_cases) {
    Areas areas;
    // To start a thread takes longer than to count so few bytes.
    areas.hits = hits_of(cases, threads_for(cases.count / 64, threads));
    areas.others = cases.count - areas.hits;
    bool nan = false;
    if (areas.hits > 0 && use_sort(cases, threads, sort)) {
        Ordered<Score> ordered(cases, areas.hits, threads_for(cases.count / 8, threads), sort, few_cases.ordered);
        nan = ordered.nan();
        if (!nan) ordered.add(areas, few_cases.ordered);
    } else if (cases.count > worth_gaps && areas.hits <= std::min(cases.count / 16, few)) {
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
Areas areas_of(const Cases<Score>& cases, int threads, const Sort<Score>& sort) {
    return with_room<Score>(cases.count, [&](Few<Score>& few_cases) {
        return areas_with(cases, threads_for(cases.count, threads), sort, few_cases);
    });
}

template <class Score>
std::vector<Areas> areas_of_each(const Cases<Score>& cases, const std::int64_t* start, std::int64_t rankings, int threads,
                                 const Sort<Score>& sort) {
    std::vector<Areas> areas(static_cast<std::size_t>(rankings));
    // Several rankings by each thread; a single large one by all of them.
    const int inner = rankings < threads ? threads : 1;
    const int outer = inner > 1 ? 1 : threads_for(cases.count, threads);
    const Sort<Score> own_sort = outer == 1 ? sort : Sort<Score>();
    Batches batches(rankings, 1);
    in_parallel(outer, [&] {
        Few<Score> few_cases;
        std::int64_t at = 0, end = 0;
        while (batches.take(at, end)) {
            const Cases<Score> own{cases.relevant + start[at], cases.score + start[at], start[at + 1] - start[at]};
            areas[static_cast<std::size_t>(at)] = areas_with(own, threads_for(own.count, inner), own_sort, few_cases);
        }
    });
    return areas;
}

namespace {

// Rows of a path, from one place on.
template <class Score>
class Rows {
  public:
    Rows(Path<Score>& path, std::size_t first, std::int64_t hits = 0, std::int64_t others = 0)
        : threshold_(path.threshold.data() + first), hit_(path.hits.data() + first), other_(path.others.data() + first),
          hits_(hits), others_(others) {}

    // What accepts nothing.
    void open() {
        threshold_[size_] = std::numeric_limits<Score>::infinity();
        hit_[size_] = hits_;
        other_[size_++] = others_;
    }

    // Cases of one key come one after the other, and are one row. No score has the key that is `last_` at first.
    void operator()(Key<Score> key, std::int64_t hits, std::int64_t others) {
        size_ += key != last_ ? 1 : 0;
        last_ = key;
        threshold_[size_ - 1] = score_of<Score>(key);
        hit_[size_ - 1] = hits_ += hits;
        other_[size_ - 1] = others_ += others;
    }

    std::size_t size() const { return size_; }

  private:
    Score* threshold_;
    std::int64_t* hit_;
    std::int64_t* other_;
    std::int64_t hits_, others_;
    std::size_t size_ = 0;
    Key<Score> last_ = ~Key<Score>(0);
};

template <class Score>
void resize(Path<Score>& path, std::size_t rows) {
    path.threshold.resize(rows);
    path.hits.resize(rows);
    path.others.resize(rows);
}

// Parts of a path that begin where they would if there were no equal scores, closed up: `first` becomes where they do.
template <class Score, class Place>
void close_up(Path<Score>& path, Place* first, const std::vector<std::size_t>& sizes) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto from = static_cast<std::size_t>(std::exchange(first[i], static_cast<Place>(total)));
        if (from != total) {
            std::memmove(&path.threshold[total], &path.threshold[from], sizes[i] * sizeof(Score));
            std::memmove(&path.hits[total], &path.hits[from], sizes[i] * sizeof(std::int64_t));
            std::memmove(&path.others[total], &path.others[from], sizes[i] * sizeof(std::int64_t));
        }
        total += sizes[i];
    }
    resize(path, total);
}

template <class Score>
Path<Score> path_of_many(const Cases<Score>& cases, int threads) {
    Path<Score> path;
    Bucketed<Score> bucketed(cases, threads);
    if (bucketed.nan()) {
        path.nan = first_nan(cases);
        return path;
    }
    resize(path, static_cast<std::size_t>(cases.count) + 1);
    Rows<Score>(path, 0).open();
    const auto above = above_buckets(bucketed);
    // The best bucket is the last, and its rows come first, but for the one that accepts nothing.
    std::vector<std::size_t> first(above.size() + 1, 0), sizes(above.size() + 1, 1);
    each_bucket(bucketed, threads, [&](std::uint32_t b, Room<Key<Score>>& room) {
        const std::size_t place = above.size() - b;
        first[place] = static_cast<std::size_t>(above[b].first + above[b].second) + 1;
        Rows<Score> rows(path, first[place], above[b].first, above[b].second);
        bucketed.bucket(b, room).each(rows);
        bucketed.forget(b);
        sizes[place] = rows.size();
    });
    close_up(path, first.data(), sizes);
    return path;
}

template <class Score>
Path<Score> path_by_sort(const Cases<Score>& cases, const Sort<Score>& sort) {
    Path<Score> path;
    OrderedRoom<Score> room;
    const Ordered<Score> ordered(cases, hits_of(cases, 1), 1, sort, room, true);
    if (ordered.nan()) {
        path.nan = first_nan(cases);
        return path;
    }
    resize(path, static_cast<std::size_t>(cases.count) + 1);
    Rows<Score> rows(path, 0);
    rows.open();
    ordered.each(rows);
    resize(path, rows.size());
    return path;
}

// Puts the path of few cases there; how many rows it has.
template <class Score>
std::size_t put_path(const Cases<Score>& cases, Few<Score>& few_cases, Path<Score>& path, std::size_t first) {
    Rows<Score> rows(path, first);
    rows.open();
    few_cases.bucket(cases).each(rows);
    return rows.size();
}

}  // namespace

template <class Score>
Path<Score> path_of(const Cases<Score>& cases, int threads, const Sort<Score>& sort) {
    if (cases.count <= most_in_order && use_sort(cases, threads_for(cases.count, threads), sort)) return path_by_sort(cases, sort);
    if (cases.count > small) return path_of_many(cases, threads_for(cases.count, threads));
    Path<Score> path;
    if (any_nan(cases.score, cases.count)) {
        path.nan = first_nan(cases);
        return path;
    }
    const auto most = static_cast<std::size_t>(cases.count) + 1;
    with_room<Score>(cases.count, [&](Few<Score>& few_cases) {
        if (cases.count > least) {
            resize(path, most);
            resize(path, put_path(cases, few_cases, path, 0));
        } else {
            few_cases.path.threshold.ensure(most);
            few_cases.path.hits.ensure(most);
            few_cases.path.others.ensure(most);
            const std::size_t rows = put_path(cases, few_cases, few_cases.path, 0);
            resize(path, rows);
            std::copy_n(few_cases.path.threshold.data(), rows, path.threshold.data());
            std::copy_n(few_cases.path.hits.data(), rows, path.hits.data());
            std::copy_n(few_cases.path.others.data(), rows, path.others.data());
        }
    });
    return path;
}

template <class Score>
Paths<Score> path_of_each(const Cases<Score>& cases, const std::int64_t* start, std::int64_t rankings, int threads) {
    Paths<Score> paths;
    if (any_nan(cases.score, cases.count)) {
        paths.nan = first_nan(cases);
        return paths;
    }
    const auto count = static_cast<std::size_t>(rankings);
    resize(paths, static_cast<std::size_t>(cases.count) + count);
    paths.first.resize(count + 1);
    std::vector<std::size_t> sizes(count);
    const int inner = rankings < threads ? threads : 1;
    Batches batches(rankings, 16);
    in_parallel(inner > 1 ? 1 : threads_for(cases.count, threads), [&] {
        Few<Score> few_cases;
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            for (std::int64_t r = begin; r < end; ++r) {
                const Cases<Score> own{cases.relevant + start[r], cases.score + start[r], start[r + 1] - start[r]};
                const auto first = static_cast<std::size_t>(paths.first[static_cast<std::size_t>(r)] = start[r] + r);
                std::size_t& size = sizes[static_cast<std::size_t>(r)];
                if (own.count <= small) {
                    size = put_path(own, few_cases, paths, first);
                } else {
                    const Path<Score> path = path_of_many(own, threads_for(own.count, inner));
                    size = path.threshold.size();
                    std::copy_n(path.threshold.data(), size, &paths.threshold[first]);
                    std::copy_n(path.hits.data(), size, &paths.hits[first]);
                    std::copy_n(path.others.data(), size, &paths.others[first]);
                }
            }
        }
    });
    close_up(paths, paths.first.data(), sizes);
    paths.first[count] = static_cast<std::int64_t>(paths.threshold.size());
    return paths;
}

template Areas areas_of(const Cases<float>&, int, const Sort<float>&);
template Areas areas_of(const Cases<double>&, int, const Sort<double>&);
template std::vector<Areas> areas_of_each(const Cases<float>&, const std::int64_t*, std::int64_t, int, const Sort<float>&);
template std::vector<Areas> areas_of_each(const Cases<double>&, const std::int64_t*, std::int64_t, int, const Sort<double>&);
template Path<float> path_of(const Cases<float>&, int, const Sort<float>&);
template Path<double> path_of(const Cases<double>&, int, const Sort<double>&);
template Paths<float> path_of_each(const Cases<float>&, const std::int64_t*, std::int64_t, int);
template Paths<double> path_of_each(const Cases<double>&, const std::int64_t*, std::int64_t, int);

}  // namespace precall
