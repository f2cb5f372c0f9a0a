#include "counting.hpp"

#include <cmath>
#include <numeric>

#include "buckets.hpp"
#include "parallel.hpp"

namespace precall {

namespace {

constexpr std::int64_t small = 4096;       // cases that are simply sorted
constexpr std::int64_t bucket_size = 2048;  // cases that stay in the first cache while they are ordered

// One relevant block's part of the step area; see Areas.
void add_step(Areas& areas, std::int64_t size, std::int64_t hits, std::int64_t others) {
    const double term = static_cast<double>(size) * (static_cast<double>(hits) / static_cast<double>(hits + others));
    const double scaled = term * 0x1p20;
    const double whole = std::floor(scaled);
    areas.step_high += static_cast<std::int64_t>(whole);
    areas.step_low += static_cast<std::int64_t>((scaled - whole) * 0x1p30);
}

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
    Batches batches(cases.count, 1 << 16);
    in_parallel(threads, [&] {
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            std::int64_t found = 0;
            bool bad = false;
            for (std::int64_t i = begin; i < end; ++i) {
                found += cases.relevant[i];
                bad |= cases.score[i] != cases.score[i];
            }
            hits += found;
            if (bad) nan = true;
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

// All cases by bucket: the keys of a bucket's relevant cases, then those of its other cases.
template <class Score>
class Sorted {
  public:
    using K = Key<Score>;

    Sorted(const Cases<Score>& cases, int threads)
        : buckets_(sample(cases), cases.count / bucket_size + 1), keys_(static_cast<std::size_t>(cases.count)) {
        const std::size_t groups = std::size_t(2) * buckets_.count();
        // One range of cases per thread, so that each knows beforehand where its keys go.
        const std::int64_t parts = std::max<std::int64_t>(threads, 1);
        std::vector<std::vector<std::uint32_t>> place(static_cast<std::size_t>(parts));
        const auto range = [&](std::int64_t part) { return cases.count * part / parts; };
        Batches counting(parts, 1);
        in_parallel(threads, [&] {
            std::int64_t part = 0, end = 0;
            while (counting.take(part, end)) {
                auto& mine = place[static_cast<std::size_t>(part)];
                mine.assign(groups, 0);
                for (std::int64_t i = range(part); i < range(part + 1); ++i) ++mine[group(cases, i)];
            }
        });
        start_.resize(groups + 1);
        std::size_t total = 0;
        for (std::size_t g = 0; g < groups; ++g) {
            start_[g] = total;
            for (auto& mine : place) {
                const std::uint32_t size = mine[g];
                mine[g] = static_cast<std::uint32_t>(total - start_[g]);
                total += size;
            }
        }
        start_[groups] = total;
        Batches scattering(parts, 1);
        in_parallel(threads, [&] {
            std::int64_t part = 0, end = 0;
            while (scattering.take(part, end)) {
                auto& mine = place[static_cast<std::size_t>(part)];
                for (std::int64_t i = range(part); i < range(part + 1); ++i) {
                    const std::size_t g = group(cases, i);
                    keys_[start_[g] + mine[g]++] = key_of(cases.score[i]);
                }
            }
        });
    }

    std::uint32_t count() const { return buckets_.count(); }
    std::int64_t hits(std::uint32_t bucket) const { return size(2 * bucket); }
    std::int64_t others(std::uint32_t bucket) const { return size(2 * bucket + 1); }

    // Both halves of a bucket in ascending order.
    void order(std::uint32_t bucket, std::vector<K>& room) {
        for (std::size_t g : {std::size_t(2) * bucket, std::size_t(2) * bucket + 1}) {
            order_bucket(keys_.data() + start_[g], start_[g + 1] - start_[g], room);
        }
    }

    const K* hit_keys(std::uint32_t bucket) const { return keys_.data() + start_[std::size_t(2) * bucket]; }
    const K* other_keys(std::uint32_t bucket) const { return keys_.data() + start_[std::size_t(2) * bucket + 1]; }

  private:
    static std::vector<K> sample(const Cases<Score>& cases) {
        constexpr std::int64_t size = 1 << 15;
        const std::int64_t step = std::max<std::int64_t>(cases.count / size, 1);
        std::vector<K> found;
        std::uint64_t state = 0x9e3779b97f4a7c15u;
        for (std::int64_t i = 0; i < cases.count; i += step) {
            // A little jitter, so that periodic input is not sampled at one phase.
            state = state * 6364136223846793005u + 1442695040888963407u;
            const std::int64_t j = i + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(step));
            found.push_back(key_of(cases.score[std::min(j, cases.count - 1)]));
        }
        return found;
    }

    std::size_t group(const Cases<Score>& cases, std::int64_t i) const {
        return std::size_t(2) * buckets_.of(key_of(cases.score[i])) + (cases.relevant[i] ? 0 : 1);
    }

    std::int64_t size(std::size_t group) const { return static_cast<std::int64_t>(start_[group + 1] - start_[group]); }

    Buckets<K> buckets_;
    Column<K> keys_;
    std::vector<std::size_t> start_;
};

// Few relevant cases: their distinct keys are sorted, and every other case finds its place among them.
template <class Score>
class Sparse {
  public:
    using K = Key<Score>;

    Sparse(const Cases<Score>& cases, std::int64_t hits, int threads)
        : keys_(hit_keys(cases, hits)), buckets_(keys_, 4 * hits), total_(cases.count - hits) {
        for (const K key : keys_) {
            if (known_.empty() || known_.back() != key) {
                known_.push_back(key);
                size_.push_back(0);
            }
            ++size_.back();
        }
        index();
        count(cases, threads);
    }

    void add(Areas& areas) const {
        std::int64_t hits = 0, others = 0;
        for (std::size_t i = known_.size(); i-- > 0;) {
            // Others strictly above the key: those placed beyond it.
            others += beyond_[i + 1];
            const std::int64_t above = others;
            others += equal_[i];
            hits += size_[i];
            add_step(areas, size_[i], hits, others);
            areas.twice_above += size_[i] * (2 * (total_ - above) - equal_[i]);
        }
    }

  private:
    static std::vector<K> hit_keys(const Cases<Score>& cases, std::int64_t hits) {
        std::vector<K> found;
        found.reserve(static_cast<std::size_t>(hits));
        for (std::int64_t i = 0; i < cases.count; ++i) {
            if (cases.relevant[i]) found.push_back(key_of(cases.score[i]));
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    // first_[b]: the first known key in bucket b or later.
    void index() {
        first_.assign(std::size_t(buckets_.count()) + 1, static_cast<std::uint32_t>(known_.size()));
        for (std::size_t i = known_.size(); i-- > 0;) first_[buckets_.of(known_[i])] = static_cast<std::uint32_t>(i);
        for (std::size_t b = buckets_.count(); b-- > 0;) first_[b] = std::min(first_[b], first_[b + 1]);
    }

    void count(const Cases<Score>& cases, int threads) {
        const std::size_t places = known_.size() + 1;
        beyond_.assign(places, 0);
        equal_.assign(places, 0);
        std::mutex guard;
        Batches batches(cases.count, 1 << 17);
        in_parallel(threads, [&] {
            std::vector<std::int64_t> beyond(places, 0), equal(places, 0);
            std::int64_t begin = 0, end = 0;
            while (batches.take(begin, end)) {
                for (std::int64_t i = begin; i < end; ++i) {
                    if (!cases.relevant[i]) place(key_of(cases.score[i]), beyond, equal);
                }
            }
            const std::lock_guard lock(guard);
            for (std::size_t i = 0; i < places; ++i) {
                beyond_[i] += beyond[i];
                equal_[i] += equal[i];
            }
        });
    }

    void place(K key, std::vector<std::int64_t>& beyond, std::vector<std::int64_t>& equal) const {
        const std::uint32_t bucket = buckets_.of(key);
        std::uint32_t at = first_[bucket];
        const std::uint32_t end = first_[bucket + 1];
        if (end - at > 8) {
            at = static_cast<std::uint32_t>(std::upper_bound(known_.begin() + at, known_.begin() + end, key) - known_.begin());
        } else {
            while (at < end && known_[at] <= key) ++at;
        }
        // `at` known keys are not above it.
        if (at > 0 && known_[at - 1] == key) {
            ++equal[at - 1];
        } else {
            ++beyond[at];
        }
    }

    std::vector<K> keys_;
    Buckets<K> buckets_;
    std::int64_t total_;
    std::vector<K> known_;
    std::vector<std::int64_t> size_, beyond_, equal_;
    std::vector<std::uint32_t> first_;
};

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
        areas.step_high += mine.step_high;
        areas.step_low += mine.step_low;
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
