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
std::vector<std::int64_t> hits_at(const Cases<Score>& cases, std::int64_t hits) {
    std::vector<std::int64_t> places;
    places.reserve(static_cast<std::size_t>(hits));
    for (std::int64_t i = 0; i < cases.count;) {
        // Eight cases at a time are passed over when none is relevant.
        std::uint64_t eight = 1;
        if (i + 8 <= cases.count) std::memcpy(&eight, cases.relevant + i, 8);
        if (eight == 0) {
            i += 8;
            continue;
        }
        if (cases.is_relevant(i)) places.push_back(i);
        ++i;
    }
    return places;
}

// Bins of scores by the leading bits of their keys as 32-bit floats: so many that most have no relevant case, if there are
// few of these. Counting is all there is to do in such a bin. Rounding to such a float changes no order, it only joins neighbours.
template <class Score>
class Bins {
  public:
    Bins(const Cases<Score>& cases, const std::vector<std::int64_t>& hits) {
        for (const std::int64_t i : hits) mixed_.push_back(bin(cases.score[i]));
        std::sort(mixed_.begin(), mixed_.end());
        mixed_.erase(std::unique(mixed_.begin(), mixed_.end()), mixed_.end());
    }

    // How many cases each bin holds, of those that one thread saw. Mixed bins count from half of what fits, so that one
    // look says both. Memory becomes real only where scores are.
    class Counts {
      public:
        explicit Counts(const Bins& bins)
            : of_(std::size_t(1) << (32 - shift)), lowest_(bins.mixed_.empty() ? 0 : bins.mixed_.front()),
              highest_(bins.mixed_.empty() ? -1 : bins.mixed_.back()) {
            for (const std::int32_t at : bins.mixed_) of_[static_cast<std::size_t>(at)] = mixed;
        }

        // Counts a batch; moves the keys of mixed bins to `kept` and returns how many there are.
        std::int64_t take(const Score* score, const Keys<Score>& keys, std::int64_t size, Key<Score>* kept) {
            if constexpr (sizeof(Score) == 4) {
                return count(keys, size, kept, [&](std::int64_t i) { return static_cast<std::int32_t>(keys[i] >> shift); });
            } else {
                // Rounding is left to vector instructions.
                std::int32_t bins[Keys<Score>::most];
                for (std::int64_t i = 0; i < size; ++i) bins[i] = bin(score[i]);
                return count(keys, size, kept, [&](std::int64_t i) { return bins[i]; });
            }
        }

        // visit(bin, cases) for every bin between mixed ones that holds any, ascending; at last for all bins above those.
        template <class Visit>
        void each(const Visit& visit) const {
            for (std::int32_t at = lowest_; at < highest_; ++at) {
                const std::uint32_t held = of_[static_cast<std::size_t>(at)];
                if (held > 0 && held < mixed) visit(at, held);
            }
            visit(highest_ + 1, above_);
        }

      private:
        static constexpr std::uint32_t mixed = std::uint32_t(1) << 31;

        template <class Place>
        std::int64_t count(const Keys<Score>& keys, std::int64_t size, Key<Score>* kept, const Place& place) {
            std::uint32_t above = 0;
            for (std::int64_t i = 0; i < size; ++i) above += place(i) > highest_ ? 1u : 0u;
            above_ += above;
            std::uint32_t* const of = of_.data();
            std::int64_t held = 0;
            for (std::int64_t i = 0; i < size; ++i) {
                const std::uint32_t counted = ++of[place(i)];
                kept[held] = keys[i];
                held += counted / mixed;
            }
            return held;
        }

        Column<std::uint32_t> of_;
        std::int32_t lowest_, highest_;
        std::uint32_t above_ = 0;
    };

    static std::int32_t bin(Score score) { return static_cast<std::int32_t>(key_of(static_cast<float>(score)) >> shift); }

  private:
    static constexpr int shift = 10;

    std::vector<std::int32_t> mixed_;
};

// Every case is counted in a bin, or finds its place among the relevant ones of its bin.
template <class Score>
class Sparse {
  public:
    using K = Key<Score>;

    Sparse(const Cases<Score>& cases, std::int64_t hits, int threads) : Sparse(cases, hits_at(cases, hits), threads) {}

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

    Sparse(const Cases<Score>& cases, const std::vector<std::int64_t>& hits, int threads)
        : bins_(cases, hits), known_(keys(cases, hits)), gaps_(places(known_)) {
        std::mutex guard;
        Batches batches(cases.count, 1 << 15);
        in_parallel(threads, [&] {
            auto mine = gaps_.counts();
            typename Bins<Score>::Counts counts(bins_);
            bool bad = false;
            std::int64_t begin = 0, end = 0, since = 0;
            const auto collect = [&] {
                const std::lock_guard lock(guard);
                gaps_.collect(mine);
                add_pure(counts);
                nan_ |= bad;
            };
            while (batches.take(begin, end)) {
                bad |= count(cases, begin, end, counts, mine);
                since += end - begin;
                if (since >= std::numeric_limits<std::int32_t>::max() / 2) {
                    // Before 31 bits are too few.
                    collect();
                    mine = gaps_.counts();
                    counts = typename Bins<Score>::Counts(bins_);
                    since = 0;
                }
            }
            collect();
        });
    }

    static std::vector<K> keys(const Cases<Score>& cases, const std::vector<std::int64_t>& hits) {
        std::vector<K> keys;
        keys.reserve(hits.size());
        for (const std::int64_t i : hits) keys.push_back(key_of(cases.score[i]));
        std::sort(keys.begin(), keys.end());
        return keys;
    }

    static Places places(const std::vector<K>& keys) {
        Index index{Buckets<K>(keys, Places::slots_per_key * static_cast<std::int64_t>(keys.size()))};
        const std::size_t slots = index.buckets.count();
        return Places(keys, std::move(index), slots);
    }

    bool count(const Cases<Score>& cases, std::int64_t begin, std::int64_t end, typename Bins<Score>::Counts& counts, typename Places::Counts& mine) {
        Keys<Score> several;
        K kept[Keys<Score>::most];
        bool bad = false;
        for (std::int64_t from = begin; from < end; from += Keys<Score>::most) {
            const std::int64_t size = std::min(Keys<Score>::most, end - from);
            bad |= several.fill(cases.score + from, size);
            const std::int64_t held = counts.take(cases.score + from, several, size, kept);
            for (std::int64_t i = 0; i < held; ++i) gaps_.place(kept[i], mine);
        }
        return bad;
    }

    // What bins without a relevant case hold lies between the relevant ones of the bins around.
    void add_pure(const typename Bins<Score>::Counts& counts) {
        std::size_t below = 0;
        counts.each([&](std::int32_t bin, std::uint32_t held) {
            while (below < known_.size() && bins_.bin(score_of<Score>(known_[below])) < bin) ++below;
            gaps_.add_beyond(below == 0 ? 0 : gaps_.upto(known_[below - 1]), held);
        });
    }

    Bins<Score> bins_;
    std::vector<K> known_;
    Places gaps_;
    bool nan_ = false;
};

}  // namespace precall
