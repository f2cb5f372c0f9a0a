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
#include "ordering.hpp"
#include "parallel.hpp"

namespace precall {

// Keys of the relevant cases, ascending.
template <class Score>
std::vector<Key<Score>> hit_keys(const Cases<Score>& cases, std::int64_t hits) {
    std::vector<Key<Score>> keys;
    keys.reserve(static_cast<std::size_t>(hits));
    for (std::int64_t i = 0; i < cases.count;) {
        // Eight cases at a time are passed over when none is relevant.
        std::uint64_t eight = 1;
        if (i + 8 <= cases.count) std::memcpy(&eight, cases.relevant + i, 8);
        if (eight == 0) {
            i += 8;
            continue;
        }
        if (cases.is_relevant(i)) keys.push_back(key_of(cases.score[i]));
        ++i;
    }
    std::vector<Key<Score>> room;
    order_few(keys.data(), keys.size(), room);
    return keys;
}

// Every case is counted in a cell of neighbouring scores, or finds its place among the relevant ones there.
template <class Score>
class Sparse {
  public:
    using K = Key<Score>;

    Sparse(const Cases<Score>& cases, std::int64_t hits, int threads) : gaps_(places(hit_keys(cases, hits))) {
        std::mutex guard;
        Batches batches(cases.count, 1 << 15);
        in_parallel(threads, [&] {
            auto mine = gaps_.counts();
            bool bad = false;
            std::int64_t begin = 0, end = 0, since = 0;
            const auto collect = [&] {
                const std::lock_guard lock(guard);
                gaps_.collect(mine);
                nan_ |= bad;
            };
            while (batches.take(begin, end)) {
                bad |= count(cases, begin, end, mine);
                since += end - begin;
                if (since >= std::numeric_limits<std::int32_t>::max() / 2) {
                    // Before 31 bits are too few.
                    collect();
                    mine = gaps_.counts();
                    since = 0;
                }
            }
            collect();
        });
    }

    bool nan() const { return nan_; }

    // visit(hits, others above, others of the score) for every score of a relevant case, best first.
    template <class Visit>
    void each(Visit&& visit) const {
        gaps_.each(visit);
    }

  private:
    struct Index {
        Buckets<K> buckets;
        std::size_t operator()(K key) const { return buckets.of(key); }
    };
    using Places = Gaps<K, Index>;

    static Places places(const std::vector<K>& keys) {
        constexpr std::int64_t least_cells = 1 << 14;  // and their slots stay in the second cache
        Index index{Buckets<K>(keys, std::max(Places::cells_per_key * static_cast<std::int64_t>(keys.size()), least_cells))};
        const std::size_t cells = index.buckets.count();
        return Places(keys, std::move(index), cells);
    }

    bool count(const Cases<Score>& cases, std::int64_t begin, std::int64_t end, typename Places::Counts& mine) {
        Keys<Score> several;
        bool bad = false;
        for (std::int64_t from = begin; from < end; from += Keys<Score>::most) {
            const std::int64_t size = std::min(Keys<Score>::most, end - from);
            bad |= several.fill(cases.score + from, size);
            gaps_.place(several, size, mine);
        }
        return bad;
    }

    Places gaps_;
    bool nan_ = false;
};

}  // namespace precall
