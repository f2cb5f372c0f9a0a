// Cases thrown into buckets of neighbouring scores, each put in order where it lies in the cache.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "counting.hpp"
#include "ordering.hpp"
#include "parallel.hpp"

namespace precall {

// All cases by bucket: the keys of a bucket's relevant cases, then those of its other cases.
template <class Score>
class Bucketed {
  public:
    using K = Key<Score>;

    Bucketed(const Cases<Score>& cases, int threads)
        : buckets_(sampled_keys(cases.score, cases.count), std::clamp<std::int64_t>(cases.count / bucket_size, 1, most_buckets)),
          keys_(static_cast<std::size_t>(cases.count)) {
        // One range of cases per thread, so that each knows beforehand where its keys go.
        const std::int64_t parts = std::max<std::int64_t>(threads, 1);
        const auto range = [&](std::int64_t part) { return cases.count * part / parts; };
        const auto each = [&](const auto& work) {
            Batches batches(parts, 1);
            in_parallel(threads, [&] {
                std::int64_t part = 0, end = 0;
                while (batches.take(part, end)) work(place_[static_cast<std::size_t>(part)], range(part), range(part + 1));
            });
        };
        place_.resize(static_cast<std::size_t>(parts));
        each([&](Places& mine, std::int64_t begin, std::int64_t end) { count(cases, mine, begin, end); });
        assign_places();
        if (!nan_) each([&](Places& mine, std::int64_t begin, std::int64_t end) { scatter(cases, mine, begin, end); });
        place_.clear();
    }

    bool nan() const { return nan_; }
    std::uint32_t count() const { return buckets_.count(); }
    std::int64_t hits(std::uint32_t bucket) const { return size(2 * bucket); }
    std::int64_t others(std::uint32_t bucket) const { return size(2 * bucket + 1); }

    Bucket<K> bucket(std::uint32_t bucket, Room<K>& room) {
        K* const at = keys_.data();
        return {at + start_[std::size_t(2) * bucket], static_cast<std::size_t>(hits(bucket)),
                at + start_[std::size_t(2) * bucket + 1], static_cast<std::size_t>(others(bucket)), room, true};
    }

    // The keys of a bucket that is done take no memory any more.
    void forget(std::uint32_t bucket) {
        keys_.forget(start_[std::size_t(2) * bucket], static_cast<std::size_t>(hits(bucket) + others(bucket)));
    }

  private:
#ifdef PRECALL_SMALL_LIMITS
    static constexpr std::int64_t bucket_size = 32;
#else
    static constexpr std::int64_t bucket_size = 16384;  // keys that stay in the second cache while they are ordered
#endif
    static constexpr std::int64_t most_buckets = 1024;  // so that the line each is written at is in it, too
    using Places = std::vector<std::size_t>;

    void count(const Cases<Score>& cases, Places& mine, std::int64_t begin, std::int64_t end) {
        mine.assign(std::size_t(2) * buckets_.count(), 0);
        Keys<Score> keys;
        std::size_t* const at = mine.data();
        if (keys.each(cases.score, begin, end, [&](std::int64_t i, K key) { ++at[group(cases, i, key)]; })) nan_ = true;
    }

    // From counts of each group by thread to where each thread puts its keys of the group.
    void assign_places() {
        const std::size_t groups = std::size_t(2) * buckets_.count();
        start_.resize(groups + 1);
        std::size_t total = 0;
        for (std::size_t g = 0; g < groups; ++g) {
            start_[g] = total;
            for (Places& mine : place_) total += std::exchange(mine[g], total);
        }
        start_[groups] = total;
    }

    void scatter(const Cases<Score>& cases, Places& mine, std::int64_t begin, std::int64_t end) {
        Keys<Score> keys;
        K* const to = keys_.data();
        std::size_t* const at = mine.data();
        keys.each(cases.score, begin, end, [&](std::int64_t i, K key) { to[at[group(cases, i, key)]++] = key; });
    }

    std::size_t group(const Cases<Score>& cases, std::int64_t i, K key) const {
        return std::size_t(2) * buckets_.of(key) + (cases.is_relevant(i) ? 0 : 1);
    }

    std::int64_t size(std::size_t group) const { return static_cast<std::int64_t>(start_[group + 1] - start_[group]); }

    Buckets<K> buckets_;
    Column<K> keys_;
    std::atomic<bool> nan_{false};
    std::vector<std::size_t> start_;
    std::vector<Places> place_;
};

}  // namespace precall
