// Distinct scores of a bucket, best first, with how many cases of each kind have them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "gaps.hpp"

namespace precall {

// Scratch of one thread, used for one bucket after the other.
template <class K>
struct Room {
    std::vector<K> keys;
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint64_t> wide;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> above;
};

template <class K>
struct Span {
    K low = ~K(0);
    K high = 0;

    void widen(const K* keys, std::size_t count) {
        // As signed numbers, which baseline processors compare four at a time.
        using Signed = std::make_signed_t<K>;
        constexpr K top = K(1) << (8 * sizeof(K) - 1);
        auto least = static_cast<Signed>(low ^ top), most = static_cast<Signed>(high ^ top);
        for (std::size_t i = 0; i < count; ++i) {
            const auto key = static_cast<Signed>(keys[i] ^ top);
            least = std::min(least, key);
            most = std::max(most, key);
        }
        low = static_cast<K>(least) ^ top;
        high = static_cast<K>(most) ^ top;
    }
};

// What is put in order is a key, or has one.
template <class K>
    requires std::is_integral_v<K>
inline K key_in(K key) {
    return key;
}

// Keys are as good as equal ones; what has keys stays in its order where they are equal.
template <class T>
void sort_by_key(T* begin, T* end) {
    if constexpr (std::is_integral_v<T>) {
        std::sort(begin, end);
    } else {
        const auto before = [](const T& a, const T& b) { return key_in(a) < key_in(b); };
        // Those of one key, which is what is often left to be put in order, are so already.
        if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
    }
}

template <class T>
auto span_of(const T* cases, std::size_t count) {
    Span<decltype(key_in(*cases))> range;
    if constexpr (std::is_integral_v<T>) {
        range.widen(cases, count);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const auto key = key_in(cases[i]);
            range.widen(&key, 1);
        }
    }
    return range;
}

// Few keys: each is moved down to its place.
template <class T>
inline void insert_in_order(T* begin, T* end) {
    for (T* next = begin + 1; next < end; ++next) {
        const T moved = *next;
        T* at = next;
        for (; at > begin && key_in(at[-1]) > key_in(moved); --at) *at = at[-1];
        *at = moved;
    }
}

// One pass by cell, which ascends with the key, brings all near their places; `crowded` puts those of a full cell in order.
template <class T, class Cell, class Crowded>
void order_by_cell(T* cases, std::size_t count, std::size_t cells, std::vector<T>& room, const Cell& cell, const Crowded& crowded) {
    constexpr std::uint32_t few = 16;
    std::uint32_t start[(std::size_t(1) << 15) + 2], most = 0;
    std::fill_n(start, cells + 2, 0u);
    for (std::size_t i = 0; i < count; ++i) ++start[cell(key_in(cases[i])) + 2];
    for (std::size_t c = 2; c <= cells + 1; ++c) {
        most = std::max(most, start[c]);
        start[c] += start[c - 1];
    }
    if (room.size() < count) room.resize(count);
    for (std::size_t i = 0; i < count; ++i) room[start[cell(key_in(cases[i])) + 1]++] = cases[i];
    std::memcpy(cases, room.data(), count * sizeof(T));
    for (std::size_t c = 0; most > few && c < cells; ++c) {
        if (start[c + 1] - start[c] > few) crowded(cases + start[c], start[c + 1] - start[c]);
    }
    // All at once: where a cell ends would be hard to foresee.
    insert_in_order(cases, cases + count);
}

// Ascending order of what has keys, spread evenly.
template <class T>
void order_even(T* cases, std::size_t count, std::vector<T>& room) {
    if (count < 64) return sort_by_key(cases, cases + count);
    const auto range = span_of(cases, count);
    const auto low = range.low, span = range.high - range.low;
    if (span == 0) return;
    const int bits = std::clamp(static_cast<int>(std::bit_width(count)), 6, 15);
    const int shift = std::max(static_cast<int>(std::bit_width(span)) - bits, 0);
    order_by_cell(
        cases, count, static_cast<std::size_t>(span >> shift) + 1, room, [=](auto key) { return static_cast<std::size_t>((key - low) >> shift); },
        [](T* begin, std::size_t size) { sort_by_key(begin, begin + size); });
}

// The same of few, whatever neighbours they are. Scores spread more evenly than their keys, which are half as many for each
// power of two; where scores are crowded, because they differ by powers, they go by keys.
template <class T>
void order_few(T* cases, std::size_t count, std::vector<T>& room) {
    if (count < 128) return sort_by_key(cases, cases + count);
    const auto range = span_of(cases, count);
    using Score = std::conditional_t<sizeof(range.low) == 4, float, double>;
    const auto value = [](auto key) { return static_cast<double>(score_of<Score>(key)); };
    const std::size_t cells = std::min(count, std::size_t(1) << 15);
    const double low = value(range.low), factor = static_cast<double>(cells - 1) / (value(range.high) - low);
    if (!(factor > 0 && std::isfinite(factor))) return order_even(cases, count, room);
    order_by_cell(
        cases, count, cells, room, [=](auto key) { return static_cast<std::size_t>((value(key) - low) * factor); },
        [&](T* begin, std::size_t size) { order_even(begin, size, room); });
}

// Ascending keys of both kinds, merged from the best down: visit(key, hits, others), once or more for a key. Which kind comes
// next is hard to foresee, so that it is counted, not asked.
template <class K, class Visit>
void merge_down(const K* hits, std::size_t hit_count, const K* others, std::size_t other_count, Visit& visit) {
    std::size_t h = hit_count, o = other_count;
    while (h > 0 && o > 0) {
        const K hit = hits[h - 1], other = others[o - 1];
        const std::size_t is_hit = hit >= other ? 1 : 0, is_other = other >= hit ? 1 : 0;
        visit(std::max(hit, other), static_cast<std::int64_t>(is_hit), static_cast<std::int64_t>(is_other));
        h -= is_hit;
        o -= is_other;
    }
    while (h > 0) visit(hits[--h], 1, 0);
    while (o > 0) visit(others[--o], 0, 1);
}

// Keys that a relevant case has, from the best down: visit(hits, others above the key, others of the key).
template <class K, class Visit>
void merge_hits_down(const K* hits, std::size_t hit_count, const K* others, std::size_t other_count, Visit&& visit) {
    std::size_t h = hit_count, o = other_count;
    while (h > 0) {
        const K key = hits[h - 1];
        const std::size_t h_before = h;
        while (h > 0 && hits[h - 1] == key) --h;
        while (o > 0 && others[o - 1] > key) --o;
        const std::size_t above = other_count - o;
        while (o > 0 && others[o - 1] == key) --o;
        visit(static_cast<std::int64_t>(h_before - h), static_cast<std::int64_t>(above),
              static_cast<std::int64_t>(other_count - o - above));
    }
}

// The keys of a bucket: hits, then others. They may be put in another order. Whether neighbours among many are `even`ly
// spread decides how that is done.
template <class K>
class Bucket {
  public:
    Bucket(K* hits, std::size_t hit_count, K* others, std::size_t other_count, Room<K>& room, bool even)
        : hits_(hits), others_(others), hit_count_(hit_count), other_count_(other_count), room_(room), even_(even) {
        range_.widen(hits, hit_count);
        range_.widen(others, other_count);
    }

    // visit(key, hits, others) of all keys, best first, once or more for each.
    template <class Visit>
    void each(Visit& visit) {
        if (size() == 0) return;
        if (!dense()) {
            sort();
            merge_down(hits_, hit_count_, others_, other_count_, visit);
        } else if (narrow()) {
            each_cell(room_.narrow, visit);
        } else {
            each_cell(room_.wide, visit);
        }
    }

    // visit(hits, others above, others of the key) for every distinct key that a hit has, best first.
    template <class Visit>
    void each_hit(Visit&& visit) {
        if (hit_count_ == 0) return;
        if (hit_count_ >= 16 && hit_count_ < size() / 16 && !around_zero()) {
            each_gap(visit);
        } else if (!dense()) {
            sort();
            merge_hits_down(hits_, hit_count_, others_, other_count_, visit);
        } else if (narrow()) {
            each_hit_cell(room_.narrow, visit);
        } else {
            each_hit_cell(room_.wide, visit);
        }
    }

  private:
    std::size_t size() const { return hit_count_ + other_count_; }
    bool narrow() const { return size() < (std::size_t(1) << 16); }

    // Around zero most keys are of numbers that are too small to occur, so that cells of even width are of no use.
    bool around_zero() const {
        constexpr K zero = K(1) << (8 * sizeof(K) - 1);
        return range_.low <= zero && range_.high >= zero;
    }

    // Whether a cell for every score that there may be is no more work than sorting.
    bool dense() const { return range_.high - range_.low < 8 * size(); }

    void sort() {
        const auto order = even_ ? order_even<K> : order_few<K>;
        order(hits_, hit_count_, room_.keys);
        order(others_, other_count_, room_.keys);
    }

    // Few hits: only they are sorted, and the others are counted between them.
    template <class Visit>
    void each_gap(Visit&& visit) {
        room_.keys.assign(hits_, hits_ + hit_count_);
        std::sort(room_.keys.begin(), room_.keys.end());
        struct Index {
            K low;
            int shift;
            std::size_t operator()(K key) const { return static_cast<std::size_t>((key - low) >> shift); }
        };
        using Found = Gaps<K, Index>;
        const auto bits = static_cast<int>(std::bit_width(Found::cells_per_key * hit_count_));
        const Index index{range_.low, std::max(static_cast<int>(std::bit_width(range_.high - range_.low)) - bits, 0)};
        Found gaps(room_.keys, index, index(range_.high) + 1);
        auto counts = gaps.counts();
        gaps.place(hits_, static_cast<std::int64_t>(hit_count_), counts);
        gaps.place(others_, static_cast<std::int64_t>(other_count_), counts);
        gaps.collect(counts);
        gaps.each(visit);
    }

    // Hits in a cell's upper half and others in its lower.
    template <class Cell>
    void fill(std::vector<Cell>& cells) {
        cells.assign(static_cast<std::size_t>(range_.high - range_.low) + 1, 0);
        for (std::size_t i = 0; i < hit_count_; ++i) cells[hits_[i] - range_.low] += Cell(1) << half<Cell>;
        for (std::size_t i = 0; i < other_count_; ++i) ++cells[others_[i] - range_.low];
    }

    template <class Cell, class Visit>
    void each_cell(std::vector<Cell>& cells, Visit& visit) {
        fill(cells);
        for (std::size_t i = cells.size(); i-- > 0;) {
            const Cell cell = cells[i];
            if (cell != 0) {
                visit(range_.low + static_cast<K>(i), static_cast<std::int64_t>(cell >> half<Cell>),
                      static_cast<std::int64_t>(cell & others_of<Cell>));
            }
        }
    }

    template <class Cell, class Visit>
    void each_hit_cell(std::vector<Cell>& cells, Visit&& visit) {
        fill(cells);
        // Where hits are is hard to foresee: cells are taken without asking, and kept if they have one.
        room_.above.resize(hit_count_ + 1);
        std::size_t kept = 0;
        std::uint64_t above = 0;
        for (std::size_t i = cells.size(); i-- > 0;) {
            const Cell cell = cells[i];
            room_.above[kept] = {cell, above};
            above += cell & others_of<Cell>;
            kept += cell > others_of<Cell> ? 1 : 0;
        }
        for (std::size_t i = 0; i < kept; ++i) {
            const auto [cell, before] = room_.above[i];
            visit(static_cast<std::int64_t>(cell >> half<Cell>), static_cast<std::int64_t>(before),
                  static_cast<std::int64_t>(cell & others_of<Cell>));
        }
    }

    template <class Cell>
    static constexpr int half = 4 * sizeof(Cell);
    template <class Cell>
    static constexpr Cell others_of = (Cell(1) << half<Cell>) - 1;

    K* hits_;
    K* others_;
    std::size_t hit_count_;
    std::size_t other_count_;
    Room<K>& room_;
    bool even_;
    Span<K> range_;
};

}  // namespace precall
