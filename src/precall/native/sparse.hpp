// Few relevant cases among many others: only the former are sorted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "buckets.hpp"
#include "counting.hpp"
#include "parallel.hpp"

namespace precall {

// One relevant block's part of the step area; see Areas.
inline void add_step(Areas& areas, std::int64_t size, std::int64_t hits, std::int64_t others) {
    const double term = static_cast<double>(size) * (static_cast<double>(hits) / static_cast<double>(hits + others));
    double rest = term * 0x1p20;
    for (std::int64_t& part : areas.step) {
        const double whole = std::floor(rest);
        part += static_cast<std::int64_t>(whole);
        rest = (rest - whole) * 0x1p30;
    }
}

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

}  // namespace precall
