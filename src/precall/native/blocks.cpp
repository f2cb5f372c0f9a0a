#include "blocks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "ordering.hpp"
#include "parallel.hpp"

namespace precall {

namespace {

constexpr std::int64_t bucket_size = 8192;   // of keys and indices: stays in the second cache
constexpr std::int64_t most_buckets = 1024;  // the line that each is written at does so, too
constexpr std::int64_t few = 1 << 16;        // are one bucket

// A number in halves: beside a key of 32 bits it takes 12 bytes, not 16, of which most of the time goes by.
struct Halves {
    std::uint32_t half[2];

    Halves() = default;
    Halves(double value) { std::memcpy(half, &value, sizeof value); }
    operator double() const { return std::bit_cast<double>(*this); }
};

// A key, and what it takes along.
template <class K, class Load>
struct Carried {
    K key;
    Load load;
};

template <class K, class Load>
inline K key_in(const Carried<K, Load>& carried) {
    return carried.key;
}

// Cases in the order of their scores, those of equal score in their own; the best bucket is the last. `load(i)` is what
// case i takes along.
template <class Score, class LoadOf>
class Placed {
  public:
    using K = Key<Score>;
    using Case = Carried<K, std::invoke_result_t<LoadOf, std::int64_t>>;

    Placed(const Score* score, std::int64_t count, const LoadOf& load, int threads)
        : score_(score), load_(load), threads_(threads), cases_(static_cast<std::size_t>(count)), place_(static_cast<std::size_t>(threads)), ends_(place_.size() + 1) {
        if (count <= few) {
            nan_ = any_nan(score, count);
            for (std::int64_t i = 0; i < count; ++i) cases_[static_cast<std::size_t>(i)] = {key_of(score[i]), load(i)};
            start_ = {0, cases_.size()};
        } else {
            buckets_.emplace(sampled_keys(score, count), std::clamp<std::int64_t>(count / bucket_size, 1, most_buckets));
            for (std::size_t part = 0; part < ends_.size(); ++part) ends_[part] = count * static_cast<std::int64_t>(part) / threads;
            each(place_.size(), [&](std::size_t part) { count_keys(part); });
            assign_places();
            if (!nan_) each(place_.size(), [&](std::size_t part) { scatter(part); });
        }
    }

    bool nan() const { return nan_; }

    // Puts all in order; how many distinct scores there are.
    std::size_t order() {
        first_.resize(start_.size() - 1);
        Batches batches(static_cast<std::int64_t>(first_.size()), 1);
        in_parallel(threads_, [&] {
            std::vector<Case> room;
            std::int64_t b = 0, end = 0;
            while (batches.take(b, end)) first_[static_cast<std::size_t>(b)] = order(static_cast<std::size_t>(b), room);
        });
        std::size_t total = 0;
        for (std::size_t b = first_.size(); b-- > 0;) total += std::exchange(first_[b], total);
        return total;
    }

    // visit(block, cases, count) of the cases of every distinct score, in their order; the best block is 0.
    template <class Visit>
    void each_block(const Visit& visit) {
        each(first_.size(), [&](std::size_t b) {
            std::size_t at = first_[b];
            each_of(b, [&](const Case* equal, std::size_t size) { visit(at++, equal, size); });
        });
    }

    // visit(cases, count) of the same, one after the other, best first.
    template <class Visit>
    void each_down(const Visit& visit) const {
        for (std::size_t b = start_.size() - 1; b-- > 0;) each_of(b, visit);
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

    // The cases of every distinct score of a bucket, best first.
    template <class Visit>
    void each_of(std::size_t b, const Visit& visit) const {
        for (std::size_t i = start_[b + 1]; i > start_[b];) {
            const std::size_t last = i;
            for (const K key = cases_[i - 1].key; i > start_[b] && cases_[i - 1].key == key;) --i;
            visit(&cases_[i], last - i);
        }
    }

    void count_keys(std::size_t part) {
        std::vector<std::size_t>& mine = place_[part];
        mine.assign(buckets_->count(), 0);
        Keys<Score> keys;
        if (keys.each(score_, ends_[part], ends_[part + 1], [&](std::int64_t, K key) { ++mine[buckets_->of(key)]; })) nan_ = true;
    }

    void assign_places() {
        start_.resize(buckets_->count() + 1);
        std::size_t total = 0;
        for (std::size_t b = 0; b < buckets_->count(); ++b) {
            start_[b] = total;
            for (auto& mine : place_) total += std::exchange(mine[b], total);
        }
        start_[buckets_->count()] = total;
    }

    void scatter(std::size_t part) {
        std::size_t* const at = place_[part].data();
        Keys<Score> keys;
        keys.each(score_, ends_[part], ends_[part + 1], [&](std::int64_t i, K key) {
            cases_[at[buckets_->of(key)]++] = {key, load_(i)};
        });
    }

    // Puts a bucket in order; how many distinct keys it has.
    std::size_t order(std::size_t b, std::vector<Case>& room) {
        Case* const cases = cases_.data() + start_[b];
        const std::size_t size = start_[b + 1] - start_[b];
        buckets_ ? order_even(cases, size, room) : order_few(cases, size, room);
        std::size_t distinct = size > 0 ? 1 : 0;
        for (std::size_t i = 1; i < size; ++i) distinct += cases[i].key != cases[i - 1].key ? 1 : 0;
        return distinct;
    }

    const Score* score_;
    const LoadOf& load_;
    int threads_;
    std::optional<Buckets<K>> buckets_;
    Column<Case> cases_;
    std::atomic<bool> nan_{false};
    std::vector<std::vector<std::size_t>> place_;  // by part of the cases: where its keys of each bucket go
    std::vector<std::int64_t> ends_;
    std::vector<std::size_t> start_, first_;       // by bucket: its first case, and the number of its best block
};

template <class Score>
std::int64_t first_nan(const Cases<Score>& cases) {
    return std::find_if(cases.score, cases.score + cases.count, [](Score score) { return score != score; }) - cases.score;
}

// As NumPy adds them, digit by digit: by halves, and those in eight columns.
double pairwise(const double* values, std::size_t count) {
    if (count > 128) {
        const std::size_t half = count / 2 / 8 * 8;
        return pairwise(values, half) + pairwise(values + half, count - half);
    }
    double sum = 0;
    std::size_t i = 0;
    if (count >= 8) {
        double r[8];
        std::copy_n(values, 8, r);
        for (i = 8; i + 8 <= count; i += 8) {
            for (std::size_t j = 0; j < 8; ++j) r[j] += values[i + j];
        }
        sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    }
    for (; i < count; ++i) sum += values[i];
    return sum;
}

// Weights are not negative: the sign says which kind a case is of, relevant or other.
template <class Score>
auto signed_weights(const Cases<Score>& cases, const double* weight) {
    return [=](std::int64_t i) { return Halves(weight[i] * (cases.is_relevant(i) * 2.0 - 1.0)); };
}

// What cases of one score weigh that are of the kind of a sign: two or more.
template <class Case>
double sum_of_several(const Case* equal, std::size_t count, double sign) {
    const auto of_kind = [&](std::size_t i) { return std::max(0.0, sign * static_cast<double>(equal[i].load)); };
    double some[64];
    std::vector<double> many(count > 64 ? count : 0);
    double* const values = count > 64 ? many.data() : some;
    for (std::size_t i = 1; i < count; ++i) values[i] = of_kind(i);
    return of_kind(0) + pairwise(values + 1, count - 1);
}

// The same of any: nearly always it is one.
template <class Case>
inline double sum_of(const Case* equal, std::size_t count, double sign) {
    if (count > 1) [[unlikely]] return sum_of_several(equal, count, sign);
    return std::max(0.0, sign * static_cast<double>(equal->load));
}

// Scores, best first, by what their cases weigh, and what those at or above them do.
struct Sums {
    double hits = 0, others = 0;

    template <class Case>
    void add(const Case* equal, std::size_t count) {
        hits += sum_of(equal, count, 1);
        others += sum_of(equal, count, -1);
    }
};

// The terms of an area, a row each that accepts relevant cases which the row above did not. Which do is hard to foresee: all
// are written, and those kept that do. What makes a term of them is done with many at a time.
class Terms {
  public:
    explicit Terms(std::size_t most) : term_(most) {}

    template <class TermOf>
    void add(const Sums& before, const Sums& at, const TermOf& term_of) {
        before_[held_] = before;
        at_[held_] = at;
        held_ += at.hits != before.hits ? 1 : 0;
        if (held_ == most) flush(term_of);
    }

    template <class TermOf>
    double sum(const TermOf& term_of) {
        flush(term_of);
        return pairwise(term_.data(), count_);
    }

  private:
    static constexpr std::size_t most = 256;

    template <class TermOf>
    void flush(const TermOf& term_of) {
        for (std::size_t i = 0; i < held_; ++i) term_[count_ + i] = term_of(before_[i], at_[i]);
        count_ += std::exchange(held_, 0);
    }

    Column<double> term_;
    Sums before_[most], at_[most];
    std::size_t held_ = 0, count_ = 0;
};

}  // namespace

template <class Score>
Blocks blocks_of(const Cases<Score>& cases, int threads) {
    const auto index = [](std::int64_t i) { return static_cast<std::uint32_t>(i); };
    Placed placed(cases.score, cases.count, index, threads_for(cases.count, threads));
    Blocks blocks;
    if (placed.nan()) {
        blocks.nan = first_nan(cases);
        return blocks;
    }
    const std::size_t total = placed.order();
    blocks.block.resize(static_cast<std::size_t>(cases.count));
    blocks.hits.resize(total);
    blocks.others.resize(total);
    placed.each_block([&](std::size_t block, const auto* equal, std::size_t count) {
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < count; ++i) {
            blocks.block[equal[i].load] = static_cast<std::int64_t>(block);
            hits += cases.is_relevant(equal[i].load) ? 1 : 0;
        }
        blocks.hits[block] = hits;
        blocks.others[block] = static_cast<std::int64_t>(count) - hits;
    });
    return blocks;
}

template <class Score>
Weighed<Score> weighed(const Cases<Score>& cases, const double* weight, bool summed, int threads) {
    const auto load = signed_weights(cases, weight);
    Placed placed(cases.score, cases.count, load, threads_for(cases.count, threads));
    Weighed<Score> sums;
    if (placed.nan()) {
        sums.nan = first_nan(cases);
        return sums;
    }
    const std::size_t total = placed.order();
    const std::size_t first = summed ? 1 : 0;
    sums.score.resize(total + first);
    sums.hits.resize(total + first);
    sums.others.resize(total + first);
    if (summed) {
        sums.score[0] = std::numeric_limits<Score>::infinity();
        sums.hits[0] = sums.others[0] = 0;
    }
    placed.each_block([&](std::size_t number, const auto* equal, std::size_t count) {
        const std::size_t block = first + number;
        sums.score[block] = score_of<Score>(equal->key);
        sums.hits[block] = sum_of(equal, count, 1);
        sums.others[block] = sum_of(equal, count, -1);
    });
    // One by one, as in the twin.
    for (std::size_t i = 2; i < total + first && summed; ++i) {
        sums.hits[i] += sums.hits[i - 1];
        sums.others[i] += sums.others[i - 1];
    }
    return sums;
}

template <class Score>
WeighedArea weighed_area(const Cases<Score>& cases, const double* weight, double missed, bool roc, int threads) {
    const auto load = signed_weights(cases, weight);
    Placed placed(cases.score, cases.count, load, threads_for(cases.count, threads));
    WeighedArea area;
    if (placed.nan()) {
        area.nan = first_nan(cases);
        return area;
    }
    placed.order();
    Sums all;
    const auto add_up = [&](const auto& term_of) {
        Terms terms(static_cast<std::size_t>(cases.count));
        Sums sums;
        placed.each_down([&](const auto* equal, std::size_t count) {
            const Sums before = sums;
            sums.add(equal, count);
            terms.add(before, sums, term_of);
        });
        all = sums;
        return terms.sum(term_of);
    };
    if (roc) {
        placed.each_down([&](const auto* equal, std::size_t count) { all.add(equal, count); });
        const double relevant = all.hits + missed, others = all.others;
        area.sum = add_up([=](const Sums& before, const Sums& at) {
            return (at.hits - before.hits) / relevant * (((others - at.others) + (others - before.others)) / others);
        });
    } else {
        area.sum = add_up([](const Sums& before, const Sums& at) {
            return (at.hits - before.hits) * (at.hits / (at.hits + at.others));
        });
    }
    area.hits = all.hits;
    area.others = all.others;
    return area;
}

template Blocks blocks_of(const Cases<float>&, int);
template Blocks blocks_of(const Cases<double>&, int);
template Weighed<float> weighed(const Cases<float>&, const double*, bool, int);
template Weighed<double> weighed(const Cases<double>&, const double*, bool, int);
template WeighedArea weighed_area(const Cases<float>&, const double*, double, bool, int);
template WeighedArea weighed_area(const Cases<double>&, const double*, double, bool, int);

}  // namespace precall
