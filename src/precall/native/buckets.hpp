// Buckets of neighbouring scores, and a way to find the bucket of a score without comparing.
//
// A float's bits, turned a little, are an unsigned key of the same order. The key's leading 16 bits
// choose a cell; a cell that the sample found crowded is divided evenly by its next bits. So one
// look into a table and one shift give the bucket, however skewed the scores are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace precall {

template <class Score>
using Key = std::conditional_t<sizeof(Score) == 4, std::uint32_t, std::uint64_t>;

// Highest score, highest key; -0 and 0 are one key. NaN is above +inf or below -inf.
template <class Score>
inline Key<Score> key_of(Score score) {
    using K = Key<Score>;
    using Signed = std::make_signed_t<K>;
    const K bits = std::bit_cast<K>(static_cast<Score>(score + Score(0)));
    const K sign = static_cast<K>(static_cast<Signed>(bits) >> (8 * sizeof(K) - 1));
    return bits ^ (sign | (K(1) << (8 * sizeof(K) - 1)));
}

template <class Score>
inline Score score_of(Key<Score> key) {
    using K = Key<Score>;
    const K top = K(1) << (8 * sizeof(K) - 1);
    return std::bit_cast<Score>(static_cast<K>(key & top ? key ^ top : ~key));
}

template <class K>
class Buckets {
  public:
    static constexpr int low_bits = 8 * sizeof(K) - 16;

    // About `wanted` buckets that hold equal parts of the (sorted or unsorted) sample.
    Buckets(const std::vector<K>& sample, std::int64_t wanted) : cells_(std::size_t(1) << 16) {
        std::vector<std::uint32_t> seen(cells_.size(), 0);
        for (const K key : sample) ++seen[key >> low_bits];
        const double share = static_cast<double>(wanted) / static_cast<double>(std::max<std::size_t>(sample.size(), 1));
        std::uint32_t base = 0;
        for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
            const auto parts = static_cast<std::uint64_t>(share * seen[cell]);
            const int bits = std::min(parts > 1 ? static_cast<int>(std::bit_width(parts - 1)) : 0, low_bits);
            cells_[cell] = {base, static_cast<std::uint32_t>(low_bits - bits)};
            base += std::uint32_t(1) << bits;
        }
        count_ = base;
    }

    std::uint32_t of(K key) const {
        const Cell cell = cells_[key >> low_bits];
        return cell.base + static_cast<std::uint32_t>((key & low_mask) >> cell.shift);
    }

    std::uint32_t count() const { return count_; }

  private:
    static constexpr K low_mask = (K(1) << low_bits) - 1;
    struct Cell {
        std::uint32_t base;
        std::uint32_t shift;
    };
    std::vector<Cell> cells_;
    std::uint32_t count_ = 0;
};

// Puts a bucket in ascending order; `room` is scratch. One pass by the leading bits that differ brings
// every key near its place, crowded places are sorted.
template <class K>
void order_bucket(K* keys, std::size_t count, std::vector<K>& room) {
    if (count < 64) {
        std::sort(keys, keys + count);
        return;
    }
    const auto [least, most] = std::minmax_element(keys, keys + count);
    const K low = *least;
    const K span = *most - low;
    if (span == 0) return;
    const int bits = std::clamp(static_cast<int>(std::bit_width(count)), 6, 14);
    const int shift = std::max(static_cast<int>(std::bit_width(span)) - bits, 0);
    const std::size_t cells = static_cast<std::size_t>(span >> shift) + 1;
    std::uint32_t start[(std::size_t(1) << 14) + 2];
    std::fill_n(start, cells + 2, 0u);
    for (std::size_t i = 0; i < count; ++i) ++start[((keys[i] - low) >> shift) + 2];
    for (std::size_t cell = 2; cell <= cells; ++cell) start[cell] += start[cell - 1];
    if (room.size() < count) room.resize(count);
    for (std::size_t i = 0; i < count; ++i) room[start[((keys[i] - low) >> shift) + 1]++] = keys[i];
    if (shift > 0) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const std::uint32_t begin = start[cell], end = start[cell + 1];
            if (end - begin > 1) std::sort(room.begin() + begin, room.begin() + end);
        }
    }
    std::memcpy(keys, room.data(), count * sizeof(K));
}

}  // namespace precall
