// Few relevant cases among many others: only the former are sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

#include "buckets.hpp"
#include "counting.hpp"
#include "gaps.hpp"
#include "parallel.hpp"

namespace precall {

template <class Score>
std::vector<Key<Score>> hit_keys(const Cases<Score>& cases, std::int64_t hits) {
    std::vector<Key<Score>> found;
    found.reserve(static_cast<std::size_t>(hits));
    for (std::int64_t i = 0; i < cases.count;) {
        // Eight cases at a time are passed over when none is relevant.
        std::uint64_t eight = 1;
        if (i + 8 <= cases.count) std::memcpy(&eight, cases.relevant + i, 8);
        if (eight == 0) {
            i += 8;
            continue;
        }
        if (cases.relevant[i]) found.push_back(key_of(cases.score[i]));
        ++i;
    }
    std::sort(found.begin(), found.end());
    return found;
}

// Every case finds its place among the relevant ones. Nothing is added if a score is NaN: then false.
template <class Score>
bool add_sparse(Areas& areas, const Cases<Score>& cases, int threads) {
    using K = Key<Score>;
    struct Index {
        Buckets<K> buckets;
        std::size_t operator()(K key) const { return buckets.of(key); }
    };
    using Found = Gaps<K, Index>;
    const std::vector<K> keys = hit_keys(cases, areas.hits);
    Index index{Buckets<K>(keys, Found::slots_per_key * areas.hits)};
    const std::size_t slots = index.buckets.count();
    Found gaps(keys, std::move(index), slots);
    bool nan = false;
    std::mutex guard;
    Batches batches(cases.count, 1 << 15);
    in_parallel(threads, [&] {
        auto mine = gaps.counts();
        Keys<Score> several;
        bool bad = false;
        std::int64_t begin = 0, end = 0, since = 0;
        while (batches.take(begin, end)) {
            bad |= several.each(cases.score, begin, end, [&](std::int64_t, K key) { gaps.place(key, mine); });
            since += end - begin;
            if (since >= std::numeric_limits<std::int32_t>::max() / 2) {
                // Before 31 bits are too few.
                const std::lock_guard lock(guard);
                gaps.collect(mine);
                mine = gaps.counts();
                since = 0;
            }
        }
        const std::lock_guard lock(guard);
        gaps.collect(mine);
        nan |= bad;
    });
    if (nan) return false;
    std::int64_t hits = 0;
    gaps.each([&](std::int64_t size, std::int64_t above, std::int64_t equal) {
        hits += size;
        areas.add(size, hits, above + equal);
        areas.twice_above += size * (2 * (areas.others - above) - equal);
    });
    return true;
}

}  // namespace precall
