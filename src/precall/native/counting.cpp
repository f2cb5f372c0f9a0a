#include "counting.hpp"

#include <cmath>
#include <numeric>

#include "bucketed.hpp"
#include "sparse.hpp"

namespace precall {

namespace {

constexpr std::int64_t small = 4096;  // cases that are simply sorted

// Where NaN is, once it is known that there is one.
template <class Score>
std::int64_t first_nan(const Cases<Score>& cases) {
    for (std::int64_t i = 0; i < cases.count; ++i) {
        if (std::isnan(cases.score[i])) return i;
    }
    return -1;
}

struct Census {
    std::int64_t hits = 0;
    bool nan = false;
};

template <class Score>
Census census_of(const Cases<Score>& cases, int threads) {
    std::atomic<std::int64_t> hits{0};
    std::atomic<bool> nan{false};
    Batches batches(cases.count, 1 << 14);
    in_parallel(threads, [&] {
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            // Two loops, each of one width, which compilers turn into vector instructions.
            std::uint32_t found = 0, bad = 0;
            for (std::int64_t i = begin; i < end; ++i) found += cases.relevant[i];
            for (std::int64_t i = begin; i < end; ++i) bad |= cases.score[i] != cases.score[i] ? 1u : 0u;
            hits += found;
            if (bad != 0) nan = true;
        }
    });
    return {hits, nan};
}

// Ascending keys of both classes, merged from the best down: calls visit(key, hits, others) for every
// distinct key.
template <class K, class Visit>
void merge_down(const K* hits, std::size_t hit_count, const K* others, std::size_t other_count, const Visit& visit) {
    std::size_t h = hit_count, o = other_count;
    while (h > 0 || o > 0) {
        const K key = o == 0 || (h > 0 && hits[h - 1] >= others[o - 1]) ? hits[h - 1] : others[o - 1];
        const std::size_t h_before = h, o_before = o;
        while (h > 0 && hits[h - 1] == key) --h;
        while (o > 0 && others[o - 1] == key) --o;
        visit(key, static_cast<std::int64_t>(h_before - h), static_cast<std::int64_t>(o_before - o));
    }
}

// The same, only for keys that a relevant case has: visit(key, hits, others above the key, others of the key).
template <class K, class Visit>
void merge_hits_down(const K* hits, std::size_t hit_count, const K* others, std::size_t other_count, const Visit& visit) {
    std::size_t h = hit_count, o = other_count;
    while (h > 0) {
        const K key = hits[h - 1];
        const std::size_t h_before = h;
        while (h > 0 && hits[h - 1] == key) --h;
        while (o > 0 && others[o - 1] > key) --o;
        const std::size_t above = other_count - o;
        while (o > 0 && others[o - 1] == key) --o;
        visit(static_cast<std::int64_t>(h_before - h), static_cast<std::int64_t>(above),
              static_cast<std::int64_t>(other_count - o - above));
    }
}

template <class Score>
void split_and_sort(const Cases<Score>& cases, std::vector<Key<Score>>& hits, std::vector<Key<Score>>& others) {
    for (std::int64_t i = 0; i < cases.count; ++i) (cases.relevant[i] ? hits : others).push_back(key_of(cases.score[i]));
    std::sort(hits.begin(), hits.end());
    std::sort(others.begin(), others.end());
}

template <class Score>
void add_small(Areas& areas, const Cases<Score>& cases) {
    std::vector<Key<Score>> hits, others;
    split_and_sort(cases, hits, others);
    std::int64_t found = 0;
    merge_hits_down(hits.data(), hits.size(), others.data(), others.size(), [&](std::int64_t size, std::int64_t above, std::int64_t equal) {
        found += size;
        add_step(areas, size, found, above + equal);
        areas.twice_above += size * (2 * (areas.others - above) - equal);
    });
}

// Hits and others above each bucket, the best bucket being the last.
template <class Score>
std::vector<std::pair<std::int64_t, std::int64_t>> above_buckets(const Sorted<Score>& sorted) {
    std::vector<std::pair<std::int64_t, std::int64_t>> above(sorted.count());
    std::int64_t hits = 0, others = 0;
    for (std::uint32_t b = sorted.count(); b-- > 0;) {
        above[b] = {hits, others};
        hits += sorted.hits(b);
        others += sorted.others(b);
    }
    return above;
}

template <class Score>
void add_sorted(Areas& areas, const Cases<Score>& cases, int threads) {
    Sorted<Score> sorted(cases, threads);
    const auto above = above_buckets(sorted);
    std::mutex guard;
    Batches batches(sorted.count(), 64);
    in_parallel(threads, [&] {
        Areas mine;
        std::vector<Key<Score>> room;
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            for (auto b = static_cast<std::uint32_t>(begin); b < static_cast<std::uint32_t>(end); ++b) {
                if (sorted.hits(b) == 0) continue;
                sorted.order(b, room);
                std::int64_t found = above[b].first;
                const auto visit = [&](std::int64_t size, std::int64_t higher, std::int64_t equal) {
                    found += size;
                    higher += above[b].second;
                    add_step(mine, size, found, higher + equal);
                    mine.twice_above += size * (2 * (areas.others - higher) - equal);
                };
                merge_hits_down(sorted.hit_keys(b), static_cast<std::size_t>(sorted.hits(b)), sorted.other_keys(b),
                                static_cast<std::size_t>(sorted.others(b)), visit);
            }
        }
        const std::lock_guard lock(guard);
        for (int i = 0; i < 3; ++i) areas.step[i] += mine.step[i];
        areas.twice_above += mine.twice_above;
    });
}

}  // namespace

template <class Score>
Areas areas_of(const Cases<Score>& cases, int threads) {
    threads = threads_for(cases.count, threads);
    const Census census = census_of(cases, threads);
    Areas areas;
    areas.hits = census.hits;
    areas.others = cases.count - census.hits;
    if (census.nan) {
        areas.nan = first_nan(cases);
    } else if (cases.count <= small) {
        add_small(areas, cases);
    } else if (census.hits <= std::min<std::int64_t>(cases.count / 16, 1 << 18)) {
        Sparse<Score>(cases, census.hits, threads).add(areas);
    } else {
        add_sorted(areas, cases, threads);
    }
    return areas;
}

template <class Score>
Tally<Score> tally_of(const Cases<Score>& cases, int threads) {
    using K = Key<Score>;
    threads = threads_for(cases.count, threads);
    Tally<Score> tally;
    if (census_of(cases, threads).nan) {
        tally.nan = first_nan(cases);
        return tally;
    }
    Sorted<Score> sorted(cases, threads);
    // First how many distinct scores each bucket has, then, knowing where they go, what they are.
    std::vector<std::int64_t> first(std::size_t(sorted.count()) + 1, 0);
    const auto each = [&](const auto& work) {
        Batches batches(sorted.count(), 64);
        in_parallel(threads, [&] {
            std::vector<K> room;
            std::int64_t begin = 0, end = 0;
            while (batches.take(begin, end)) {
                for (auto b = static_cast<std::uint32_t>(begin); b < static_cast<std::uint32_t>(end); ++b) work(b, room);
            }
        });
    };
    const auto merge = [&](std::uint32_t b, const auto& visit) {
        merge_down(sorted.hit_keys(b), static_cast<std::size_t>(sorted.hits(b)), sorted.other_keys(b),
                   static_cast<std::size_t>(sorted.others(b)), visit);
    };
    each([&](std::uint32_t b, std::vector<K>& room) {
        sorted.order(b, room);
        merge(b, [&](K, std::int64_t, std::int64_t) { ++first[b]; });
    });
    std::int64_t total = 0;
    for (std::uint32_t b = sorted.count(); b-- > 0;) total += std::exchange(first[b], total);
    const auto size = static_cast<std::size_t>(total);
    tally.value = Column<Score>(size);
    tally.hits = Column<std::int64_t>(size);
    tally.others = Column<std::int64_t>(size);
    each([&](std::uint32_t b, std::vector<K>&) {
        auto at = static_cast<std::size_t>(first[b]);
        merge(b, [&](K key, std::int64_t hits, std::int64_t others) {
            tally.value[at] = score_of<Score>(key);
            tally.hits[at] = hits;
            tally.others[at++] = others;
        });
    });
    return tally;
}

template Areas areas_of(const Cases<float>&, int);
template Areas areas_of(const Cases<double>&, int);
template Tally<float> tally_of(const Cases<float>&, int);
template Tally<double> tally_of(const Cases<double>&, int);

}  // namespace precall
