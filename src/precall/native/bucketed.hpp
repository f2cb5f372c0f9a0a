// Cases thrown into buckets of neighbouring scores, each put in order where it lies in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "buckets.hpp"
#include "counting.hpp"
#include "parallel.hpp"

namespace precall {

constexpr std::int64_t bucket_size = 2048;  // keys that stay in the first cache while they are ordered

// All cases by bucket: the keys of a bucket's relevant cases, then those of its other cases.
template <class Score>
class Sorted {
  public:
    using K = Key<Score>;

    Sorted(const Cases<Score>& cases, int threads)
        : buckets_(sample(cases), cases.count / bucket_size + 1), keys_(static_cast<std::size_t>(cases.count)) {
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
        each([&](auto& mine, std::int64_t begin, std::int64_t end) {
            mine.assign(std::size_t(2) * buckets_.count(), 0);
            for (std::int64_t i = begin; i < end; ++i) ++mine[group(cases, i)];
        });
        assign_places();
        each([&](auto& mine, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::size_t g = group(cases, i);
                keys_[start_[g] + mine[g]++] = key_of(cases.score[i]);
            }
        });
        place_.clear();
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

    // From counts of each group by thread to where each thread puts its keys of the group.
    void assign_places() {
        const std::size_t groups = std::size_t(2) * buckets_.count();
        start_.resize(groups + 1);
        std::size_t total = 0;
        for (std::size_t g = 0; g < groups; ++g) {
            start_[g] = total;
            for (auto& mine : place_) {
                const std::uint32_t size = mine[g];
                mine[g] = static_cast<std::uint32_t>(total - start_[g]);
                total += size;
            }
        }
        start_[groups] = total;
    }

    std::size_t group(const Cases<Score>& cases, std::int64_t i) const {
        return std::size_t(2) * buckets_.of(key_of(cases.score[i])) + (cases.relevant[i] ? 0 : 1);
    }

    std::int64_t size(std::size_t group) const { return static_cast<std::int64_t>(start_[group + 1] - start_[group]); }

    Buckets<K> buckets_;
    Column<K> keys_;
    std::vector<std::size_t> start_;
    std::vector<std::vector<std::uint32_t>> place_;
};

}  // namespace precall
