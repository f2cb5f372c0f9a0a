// Hashing of ids, and a small table of rows found by their id.
//
// The hash multiplies eight bytes with eight others and folds the 128-bit product. It begins from
// a secret drawn once per process: nobody can prepare a file whose ids all collide. The table keeps
// a piece of the hash beside the row, so that nearly every comparison of bytes is one that succeeds.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "product.hpp"

namespace precall {

struct Secret {
    std::uint64_t a, b, c;
};

const Secret& secret();

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Product product = multiply(a, b);
    return product.low ^ product.high;
}

inline std::uint64_t load(const char* at, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, size);
    return value;
}

std::uint64_t hash_long(std::string_view text, const Secret& key);

inline std::uint64_t hash(std::string_view text, const Secret& key) {
    const std::size_t size = text.size();
    if (size > 16) return hash_long(text, key);
    std::uint64_t head = 0, tail = 0;
    if (size >= 8) {
        head = load(text.data(), 8);
        tail = load(text.data() + size - 8, 8);
    } else if (size >= 4) {
        head = load(text.data(), 4);
        tail = load(text.data() + size - 4, 4);
    } else if (size > 0) {
        head = static_cast<unsigned char>(text[0]) |
               static_cast<std::uint64_t>(static_cast<unsigned char>(text[size / 2])) << 8;
        tail = static_cast<unsigned char>(text[size - 1]);
    }
    return fold(fold(head ^ key.a, tail ^ key.b) ^ size, key.c);
}

// Rows by id, for one topic at a time; a row is a number below 2^40.
class RowTable {
  public:
    static constexpr std::int64_t NONE = -1;

    // Empty, and ready for so many rows.
    void reset(std::int64_t rows) {
        const auto size = std::bit_ceil(static_cast<std::size_t>(rows) * 2 + 2);
        if (size > slot_.size() || size * 64 < slot_.size()) slot_.resize(size);
        mask_ = size - 1;
        std::memset(slot_.data(), 0, size * sizeof(std::uint64_t));
    }

    // The row whose id hashes like this and is `equal(row)`, else NONE.
    template <class Equal>
    std::int64_t find(std::uint64_t hash, const Equal& equal) const {
        const std::uint64_t* slot = probe(hash, equal);
        return *slot == 0 ? NONE : row_of(*slot);
    }

    // The same, but a row not found is put there.
    template <class Equal>
    std::int64_t find_or_add(std::uint64_t hash, std::int64_t row, const Equal& equal) {
        auto* slot = const_cast<std::uint64_t*>(probe(hash, equal));
        if (*slot != 0) return row_of(*slot);
        *slot = (hash & TAG) | static_cast<std::uint64_t>(row + 1);
        return NONE;
    }

    // The row found under this hash makes way for an equal one.
    template <class Equal>
    void replace(std::uint64_t hash, std::int64_t row, const Equal& equal) {
        *const_cast<std::uint64_t*>(probe(hash, equal)) = (hash & TAG) | static_cast<std::uint64_t>(row + 1);
    }

  private:
    static constexpr std::uint64_t TAG = ~std::uint64_t{0} << 40;

    static std::int64_t row_of(std::uint64_t slot) { return static_cast<std::int64_t>(slot & ~TAG) - 1; }

    template <class Equal>
    const std::uint64_t* probe(std::uint64_t hash, const Equal& equal) const {
        std::size_t at = hash & mask_;
        while (slot_[at] != 0) {
            if (((slot_[at] ^ hash) & TAG) == 0 && equal(row_of(slot_[at]))) break;
            at = (at + 1) & mask_;
        }
        return &slot_[at];
    }

    std::vector<std::uint64_t> slot_;
    std::size_t mask_ = 0;
};

}  // namespace precall
