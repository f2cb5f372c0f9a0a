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
#include "parallel.hpp"

namespace precall {

// Few relevant cases: their distinct keys are sorted, and every case finds its place among them. There are many more
// buckets than keys, so that most have no key or one, and comparing with that one says where a case belongs:
// no branch that a processor could guess wrongly, whatever the scores.
template <class Score>
class Sparse {
  public:
    using K = Key<Score>;

    Sparse(const Cases<Score>& cases, std::int64_t hits, int threads)
        : keys_(hit_keys(cases, hits)), buckets_(keys_, buckets_per_key * hits), total_(cases.count - hits) {
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

    bool nan() const { return nan_; }

    void add(Areas& areas) const {
        std::int64_t hits = 0, others = 0;
        for (std::size_t i = known_.size(); i-- > 0;) {
            // Others strictly above the key: those placed beyond it. The relevant cases found themselves.
            others += beyond_[i + 1];
            const std::int64_t above = others, equal = equal_[i] - size_[i];
            others += equal;
            hits += size_[i];
            areas.add(size_[i], hits, others);
            areas.twice_above += size_[i] * (2 * (total_ - above) - equal);
        }
    }

  private:
    static constexpr std::int64_t buckets_per_key = 8;
    static constexpr std::uint32_t crowded = std::uint32_t(1) << 31;

    // A bucket: its only key, and how many cases are below it, equal to it and above it. They lie
    // together, so that a case touches one place. Buckets of several keys are `crowded` in the first.
    struct Slot {
        K key;
        std::uint32_t count[3];
    };

    // What one thread has counted; `beyond` and `equal` of crowded buckets only.
    struct Counts {
        std::vector<Slot> slots;
        std::vector<std::uint32_t> beyond, equal;
    };

    static std::vector<K> hit_keys(const Cases<Score>& cases, std::int64_t hits) {
        std::vector<K> found;
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

    // first_[b]: the first known key in bucket b or later.
    void index() {
        const std::size_t count = buckets_.count();
        first_.assign(count + 1, static_cast<std::uint32_t>(known_.size()));
        for (std::size_t i = known_.size(); i-- > 0;) first_[buckets_.of(known_[i])] = static_cast<std::uint32_t>(i);
        for (std::size_t b = count; b-- > 0;) first_[b] = std::min(first_[b], first_[b + 1]);
    }

    void count(const Cases<Score>& cases, int threads) {
        beyond_.assign(known_.size() + 1, 0);
        equal_.assign(known_.size() + 1, 0);
        std::mutex guard;
        Batches batches(cases.count, 1 << 15);
        in_parallel(threads, [&] {
            Counts mine = counters();
            Keys<Score> keys;
            bool bad = false;
            std::int64_t begin = 0, end = 0, since = 0;
            while (batches.take(begin, end)) {
                bad |= keys.each(cases.score, begin, end, [&](std::int64_t, K key) { place(key, mine); });
                since += end - begin;
                if (since >= std::numeric_limits<std::int32_t>::max()) {
                    // Before 32 bits are too few.
                    const std::lock_guard lock(guard);
                    collect(mine);
                    mine = counters();
                    since = 0;
                }
            }
            const std::lock_guard lock(guard);
            collect(mine);
            nan_ |= bad;
        });
    }

    Counts counters() const {
        Counts empty;
        empty.slots.resize(buckets_.count());
        for (std::size_t b = 0; b < empty.slots.size(); ++b) {
            const std::uint32_t held = first_[b + 1] - first_[b];
            empty.slots[b] = {held == 1 ? known_[first_[b]] : 0, {held > 1 ? crowded : 0, 0, 0}};
        }
        empty.beyond.assign(known_.size() + 1, 0);
        empty.equal.assign(known_.size() + 1, 0);
        return empty;
    }

    void place(K key, Counts& mine) const {
        const std::uint32_t bucket = buckets_.of(key);
        Slot& slot = mine.slots[bucket];
        if (slot.count[0] >= crowded) [[unlikely]] {
            const auto from = known_.begin() + first_[bucket], to = known_.begin() + first_[bucket + 1];
            const auto at = static_cast<std::size_t>(std::upper_bound(from, to, key) - known_.begin());
            // `at` known keys are not above it.
            ++(at > 0 && known_[at - 1] == key ? mine.equal[at - 1] : mine.beyond[at]);
        } else {
            ++slot.count[(key >= slot.key ? 1 : 0) + (key > slot.key ? 1 : 0)];
        }
    }

    void collect(const Counts& mine) {
        for (std::size_t i = 0; i < beyond_.size(); ++i) {
            beyond_[i] += mine.beyond[i];
            equal_[i] += mine.equal[i];
        }
        for (std::size_t b = 0; b < mine.slots.size(); ++b) {
            const std::uint32_t first = first_[b], held = first_[b + 1] - first;
            const std::uint32_t* const three = mine.slots[b].count;
            beyond_[first] += three[0] & ~crowded;
            (held == 1 ? equal_ : beyond_)[first] += three[1];
            beyond_[first + held] += three[2];
        }
    }

    std::vector<K> keys_;
    Buckets<K> buckets_;
    std::int64_t total_;
    bool nan_ = false;
    std::vector<K> known_;
    std::vector<std::int64_t> size_, beyond_, equal_;
    std::vector<std::uint32_t> first_;
};

}  // namespace precall
