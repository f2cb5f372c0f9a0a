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
    std::vector<std::int64_t> found;
    found.reserve(static_cast<std::size_t>(hits));
    for (std::int64_t i = 0; i < cases.count;) {
        // Eight cases at a time are passed over when none is relevant.
        std::uint64_t eight = 1;
        if (i + 8 <= cases.count) std::memcpy(&eight, cases.relevant + i, 8);
        if (eight == 0) {
            i += 8;
            continue;
        }
        if (cases.relevant[i]) found.push_back(i);
        ++i;
    }
    return found;
}

// Bins of scores by the leading bits of their keys as 32-bit floats. Where no relevant case is in a bin, counting it
// is all there is to do. Rounding to such a float changes no order, it only joins neighbours.
template <class Score>
class Bins {
  public:
    // So many that most have no relevant case, if there are few of these.
    Bins(const Cases<Score>& cases, const std::vector<std::int64_t>& hits)
        : shift_(hits.size() < 2048 ? 12 : 10), mixed_(std::size_t(1) << (32 - shift_), 0) {
        for (const std::int64_t i : hits) mixed_[bin(cases.score[i])] = 1;
    }

    std::size_t count() const { return mixed_.size(); }
    std::uint32_t bin(Score score) const { return key_of(static_cast<float>(score)) >> shift_; }
    bool mixed(std::size_t bin) const { return mixed_[bin] != 0; }

    // Counts a batch; moves the keys of mixed bins to `kept` and returns how many there are.
    std::int64_t take(const Score* score, const Keys<Score>& keys, std::int64_t size, std::uint32_t* counts, Key<Score>* kept) const {
        std::uint32_t bins[Keys<Score>::most];
        for (std::int64_t i = 0; i < size; ++i) bins[i] = bin(score[i]);
        std::int64_t held = 0;
        for (std::int64_t i = 0; i < size; ++i) {
            ++counts[bins[i]];
            kept[held] = keys[i];
            held += mixed_[bins[i]];
        }
        return held;
    }

  private:
    int shift_;
    std::vector<std::uint8_t> mixed_;
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
    void each(const Visit& visit) const {
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
        std::vector<std::int64_t> pure(bins_.count(), 0);
        std::mutex guard;
        Batches batches(cases.count, 1 << 15);
        in_parallel(threads, [&] {
            auto mine = gaps_.counts();
            std::vector<std::uint32_t> counts(bins_.count(), 0);
            bool bad = false;
            std::int64_t begin = 0, end = 0, since = 0;
            const auto collect = [&] {
                const std::lock_guard lock(guard);
                gaps_.collect(mine);
                for (std::size_t bin = 0; bin < pure.size(); ++bin) pure[bin] += counts[bin];
                nan_ |= bad;
            };
            while (batches.take(begin, end)) {
                bad |= count(cases, begin, end, counts.data(), mine);
                since += end - begin;
                if (since >= std::numeric_limits<std::int32_t>::max() / 2) {
                    // Before 31 bits are too few.
                    collect();
                    mine = gaps_.counts();
                    counts.assign(counts.size(), 0);
                    since = 0;
                }
            }
            collect();
        });
        add_pure(cases, hits, pure);
    }

    static std::vector<K> keys(const Cases<Score>& cases, const std::vector<std::int64_t>& hits) {
        std::vector<K> found;
        found.reserve(hits.size());
        for (const std::int64_t i : hits) found.push_back(key_of(cases.score[i]));
        std::sort(found.begin(), found.end());
        return found;
    }

    static Places places(const std::vector<K>& keys) {
        Index index{Buckets<K>(keys, Places::slots_per_key * static_cast<std::int64_t>(keys.size()))};
        const std::size_t slots = index.buckets.count();
        return Places(keys, std::move(index), slots);
    }

    bool count(const Cases<Score>& cases, std::int64_t begin, std::int64_t end, std::uint32_t* counts, typename Places::Counts& mine) {
        Keys<Score> several;
        K kept[Keys<Score>::most];
        bool bad = false;
        for (std::int64_t from = begin; from < end; from += Keys<Score>::most) {
            const std::int64_t size = std::min(Keys<Score>::most, end - from);
            bad |= several.fill(cases.score + from, size);
            const std::int64_t held = bins_.take(cases.score + from, several, size, counts, kept);
            for (std::int64_t i = 0; i < held; ++i) gaps_.place(kept[i], mine);
        }
        return bad;
    }

    // What bins without a relevant case hold lies between the relevant ones of the bins around.
    void add_pure(const Cases<Score>& cases, const std::vector<std::int64_t>& hits, const std::vector<std::int64_t>& pure) {
        std::vector<std::uint32_t> above;
        above.reserve(hits.size());
        for (const std::int64_t i : hits) above.push_back(bins_.bin(cases.score[i]));
        std::sort(above.begin(), above.end());
        std::size_t below = 0;
        for (std::size_t bin = 0; bin < pure.size(); ++bin) {
            while (below < above.size() && above[below] < bin) ++below;
            if (!bins_.mixed(bin) && pure[bin] > 0) gaps_.add_beyond(below == 0 ? 0 : gaps_.upto(known_[below - 1]), pure[bin]);
        }
    }

    Bins<Score> bins_;
    std::vector<K> known_;
    Places gaps_;
    bool nan_ = false;
};

}  // namespace precall
