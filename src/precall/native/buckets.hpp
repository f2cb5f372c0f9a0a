// Buckets of neighbouring scores, and a way to find the bucket of a score without comparing.
//
// A float's bits, turned a little, are an unsigned key of the same order. The key's leading 16 bits
// choose a cell; a cell that the sample found crowded is divided evenly by its next bits, sparse neighbours
// share a bucket. So one look into a table and one shift give the bucket, however skewed the scores are.
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

// Keys of as many scores as stay in the first cache, made by vector instructions.
template <class Score>
class Keys {
  public:
    static constexpr std::int64_t most = 2048;

    // Whether a score is NaN; those of the others are at `[0]` to `[size - 1]`.
    bool fill(const Score* score, std::int64_t size) {
        std::uint32_t bad = 0;
        for (std::int64_t i = 0; i < size; ++i) bad |= score[i] != score[i] ? 1u : 0u;
        for (std::int64_t i = 0; i < size; ++i) keys_[i] = key_of(score[i]);
        return bad != 0;
    }

    Key<Score> operator[](std::int64_t i) const { return keys_[i]; }

    // Calls visit(i, key) for begin <= i < end; whether a score is NaN.
    template <class Visit>
    bool each(const Score* score, std::int64_t begin, std::int64_t end, const Visit& visit) {
        bool bad = false;
        for (std::int64_t from = begin; from < end; from += most) {
            const std::int64_t size = std::min(most, end - from);
            bad |= fill(score + from, size);
            for (std::int64_t i = 0; i < size; ++i) visit(from + i, keys_[i]);
        }
        return bad;
    }

  private:
    Key<Score> keys_[most];
};

// Whether a score is NaN.
template <class Score>
inline bool any_nan(const Score* score, std::int64_t count) {
    constexpr std::int64_t at_once = 1024;  // by vector instructions, which do not stop in between
    for (std::int64_t from = 0; from < count; from += at_once) {
        const std::int64_t end = std::min(from + at_once, count);
        std::uint32_t bad = 0;
        for (std::int64_t i = from; i < end; ++i) bad |= score[i] != score[i] ? 1u : 0u;
        if (bad != 0) return true;
    }
    return false;
}

// Keys of some 32,768 scores from all over.
template <class Score>
std::vector<Key<Score>> sampled_keys(const Score* score, std::int64_t count) {
    constexpr std::int64_t size = 1 << 15;
    const std::int64_t step = std::max<std::int64_t>(count / size, 1);
    std::vector<Key<Score>> sample;
    std::uint64_t state = 0x9e3779b97f4a7c15u;
    for (std::int64_t i = 0; i < count; i += step) {
        // A little jitter, so that periodic input is not sampled at one phase.
        state = state * 6364136223846793005u + 1442695040888963407u;
        const std::int64_t j = i + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(step));
        sample.push_back(key_of(score[std::min(j, count - 1)]));
    }
    return sample;
}

template <class K>
class Buckets {
  public:
#ifdef PRECALL_SMALL_LIMITS
    static constexpr int cell_bits = 8;
#else
    static constexpr int cell_bits = 16;
#endif
    static constexpr int low_bits = 8 * sizeof(K) - cell_bits;

    // About `wanted` buckets that hold equal parts of the (sorted or unsorted) sample, at most twice as many.
    Buckets(const std::vector<K>& sample, std::int64_t wanted) : cells_(std::size_t(1) << cell_bits) {
        std::vector<std::uint32_t> seen(cells_.size(), 0);
        for (const K key : sample) ++seen[key >> low_bits];
        const double share = static_cast<double>(wanted) / static_cast<double>(std::max<std::size_t>(sample.size(), 1));
        std::uint32_t base = 0;
        double filled = 0;
        for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
            const double parts = share * seen[cell];
            if (filled > 0 && filled + parts > 1) {
                ++base;
                filled = 0;
            }
            const auto most = static_cast<std::uint64_t>(std::max(parts, 1.0));
            const int bits = std::min(static_cast<int>(std::bit_width(most - 1)), low_bits);
            cells_[cell] = {base, static_cast<std::uint32_t>(low_bits - bits)};
            base += (std::uint32_t(1) << bits) - 1;
            filled += parts / static_cast<double>(std::uint64_t(1) << bits);
        }
        count_ = base + 1;
    }

    std::uint32_t of(K key) const {
        const Cell cell = cells_.data()[key >> low_bits];
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

}  // namespace precall
