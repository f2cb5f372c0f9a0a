#include "blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "ordering.hpp"
#include "parallel.hpp"

namespace precall {

namespace {

constexpr std::int64_t bucket_size = 8192;   // of keys and indices: stays in the second cache
constexpr std::int64_t most_buckets = 1024;  // the line that each is written at does so, too

template <class K>
struct Indexed {
    K key;
    std::uint32_t index;
};

template <class K>
inline K key_in(const Indexed<K>& indexed) {
    return indexed.key;
}

template <class Score>
class Placed {
  public:
    using K = Key<Score>;

    Placed(const Score* score, std::int64_t count, int threads)
        : score_(score), threads_(threads), buckets_(sampled_keys(score, count), std::clamp<std::int64_t>(count / bucket_size, 1, most_buckets)),
          cases_(static_cast<std::size_t>(count)), place_(static_cast<std::size_t>(threads)), ends_(place_.size() + 1) {
        for (std::size_t part = 0; part < ends_.size(); ++part) ends_[part] = count * static_cast<std::int64_t>(part) / threads;
        each(place_.size(), [&](std::size_t part) { count_keys(part); });
        assign_places();
        if (!nan_) each(place_.size(), [&](std::size_t part) { scatter(part); });
    }

    bool nan() const { return nan_; }

    // The best bucket is the last.
    Blocks number(const std::uint8_t* relevant) {
        std::vector<std::size_t> first(buckets_.count());
        each(first.size(), [&](std::size_t b) { first[b] = order(b); });
        std::size_t total = 0;
        for (std::size_t b = first.size(); b-- > 0;) total += std::exchange(first[b], total);
        Blocks blocks{Column<std::int64_t>(cases_.size()), Column<std::int64_t>(total), Column<std::int64_t>(total)};
        each(first.size(), [&](std::size_t b) {
            std::size_t at = first[b];
            for (std::size_t i = start_[b + 1]; i > start_[b]; ++at) {
                const std::size_t last = i;
                std::int64_t hits = 0;
                for (const K key = cases_[i - 1].key; i > start_[b] && cases_[i - 1].key == key; --i) {
                    const std::uint32_t index = cases_[i - 1].index;
                    blocks.block[index] = static_cast<std::int64_t>(at);
                    hits += relevant[index] != 0 ? 1 : 0;
                }
                blocks.hits[at] = hits;
                blocks.others[at] = static_cast<std::int64_t>(last - i) - hits;
            }
        });
        return blocks;
    }

  private:
    // work(i) for every i, by whoever is free.
    template <class Work>
    void each(std::size_t count, const Work& work) {
        Batches batches(static_cast<std::int64_t>(count), 1);
        in_parallel(threads_, [&] {
            std::int64_t i = 0, end = 0;
            while (batches.take(i, end)) work(static_cast<std::size_t>(i));
        });
    }

    void count_keys(std::size_t part) {
        std::vector<std::size_t>& mine = place_[part];
        mine.assign(buckets_.count(), 0);
        Keys<Score> keys;
        if (keys.each(score_, ends_[part], ends_[part + 1], [&](std::int64_t, K key) { ++mine[buckets_.of(key)]; })) nan_ = true;
    }

    void assign_places() {
        start_.resize(buckets_.count() + 1);
        std::size_t total = 0;
        for (std::size_t b = 0; b < buckets_.count(); ++b) {
            start_[b] = total;
            for (auto& mine : place_) total += std::exchange(mine[b], total);
        }
        start_[buckets_.count()] = total;
    }

    void scatter(std::size_t part) {
        std::size_t* const at = place_[part].data();
        Keys<Score> keys;
        keys.each(score_, ends_[part], ends_[part + 1], [&](std::int64_t i, K key) {
            cases_[at[buckets_.of(key)]++] = {key, static_cast<std::uint32_t>(i)};
        });
    }

    // Puts a bucket in order; how many distinct keys it has.
    std::size_t order(std::size_t b) {
        Indexed<K>* const cases = cases_.data() + start_[b];
        const std::size_t size = start_[b + 1] - start_[b];
        Span<K> range;
        for (std::size_t i = 0; i < size; ++i) range.widen(&cases[i].key, 1);
        if (range.high > range.low) {
            std::vector<Indexed<K>> room;
            order_even(cases, size, range, room);
        }
        std::size_t distinct = size > 0 ? 1 : 0;
        for (std::size_t i = 1; i < size; ++i) distinct += cases[i].key != cases[i - 1].key ? 1 : 0;
        return distinct;
    }

    const Score* score_;
    int threads_;
    Buckets<K> buckets_;
    Column<Indexed<K>> cases_;
    std::atomic<bool> nan_{false};
    std::vector<std::vector<std::size_t>> place_;  // by part of the cases: where its keys of each bucket go
    std::vector<std::int64_t> ends_;
    std::vector<std::size_t> start_;
};

}  // namespace

template <class Score>
Blocks blocks_of(const Cases<Score>& cases, int threads) {
    Placed<Score> placed(cases.score, cases.count, threads_for(cases.count, threads));
    if (!placed.nan()) return placed.number(cases.relevant);
    Blocks blocks;
    blocks.nan = std::find_if(cases.score, cases.score + cases.count, [](Score score) { return score != score; }) - cases.score;
    return blocks;
}

template Blocks blocks_of(const Cases<float>&, int);
template Blocks blocks_of(const Cases<double>&, int);

}  // namespace precall
