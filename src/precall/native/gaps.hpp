// Cases counted between few keys: those above each, and those equal to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace precall {

// The sorted keys of relevant cases, and every case's place among them. `Index` is an ascending function from keys to
// small numbers, of cells: many more than keys. So most cells have no key, and a case in one is only counted; most
// others have one key, and comparing with that one says where a case belongs: no branch that a processor could guess
// wrongly, whatever the scores.
template <class K, class Index>
class Gaps {
  public:
    static constexpr std::int64_t cells_per_key = 8;

    // What is counted is counted apart by every thread, and then collected.
    class Counts {
        friend class Gaps;

        // A cell's only key, and how many cases are below it, equal to it and above it. Of several keys, which are
        // `crowded`, it is the first two numbers that say which: from one on, and how many.
        struct Slot {
            K key;
            std::uint32_t count[3];
        };

        Column<std::uint32_t> cells;  // how many cases; where keys are, `mixed` and the number of the slot
        std::vector<Slot> slots;
        std::vector<std::uint32_t> beyond, equal;  // of crowded slots only
    };

    // `keys` ascend; `cells` is greater than every index.
    Gaps(const std::vector<K>& keys, Index index, std::size_t cells) : index_(std::move(index)), cells_(cells) {
        for (const K key : keys) {
            if (known_.empty() || known_.back() != key) {
                known_.push_back(key);
                size_.push_back(0);
            }
            ++size_.back();
        }
        beyond_.assign(known_.size() + 1, 0);
        equal_.assign(known_.size() + 1, 0);
    }

    Counts counts() const {
        Counts empty;
        empty.cells = Column<std::uint32_t>(cells_);
        empty.slots.reserve(known_.size());
        for (std::size_t i = 0; i < known_.size();) {
            const std::size_t first = i, cell = index_(known_[i]);
            while (++i < known_.size() && index_(known_[i]) == cell) continue;
            empty.cells[cell] = mixed + static_cast<std::uint32_t>(empty.slots.size());
            empty.slots.push_back({known_[first], {0, 0, 0}});
            if (i - first > 1) empty.slots.back().count[0] = crowded | static_cast<std::uint32_t>(first);
            if (i - first > 1) empty.slots.back().count[1] = static_cast<std::uint32_t>(i - first);
        }
        empty.beyond.assign(known_.size() + 1, 0);
        empty.equal.assign(known_.size() + 1, 0);
        return empty;
    }

    // Any cases, relevant or not; at most 2^31 before they are collected.
    template <class Some>
    void place(const Some& keys, std::int64_t size, Counts& mine) const {
        constexpr std::int64_t most = 1024;
        for (std::int64_t from = 0; from < size; from += most) place_few(keys, from, std::min(from + most, size), mine);
    }

    void collect(const Counts& mine) {
        for (std::size_t i = 0; i < beyond_.size(); ++i) {
            beyond_[i] += mine.beyond[i];
            equal_[i] += mine.equal[i];
        }
        std::size_t below = 0;
        std::int64_t between = 0;
        for (std::size_t cell = 0; cell < cells_; ++cell) {
            const std::uint32_t held = mine.cells[cell];
            if (held < mixed) {
                between += held;
                continue;
            }
            beyond_[below] += std::exchange(between, 0);
            const auto& [key, count] = mine.slots[held - mixed];
            if (count[0] >= crowded) {
                below += count[1];
            } else {
                beyond_[below] += count[0];
                equal_[below] += count[1];
                beyond_[++below] += count[2];
            }
        }
        beyond_[below] += between;
    }

    // visit(hits, others above, others of the key) for every key, best first. The relevant cases were placed, too.
    template <class Visit>
    void each(Visit&& visit) const {
        std::int64_t others = 0;
        for (std::size_t i = known_.size(); i-- > 0;) {
            // Those strictly above the key were placed beyond it.
            others += beyond_[i + 1];
            const std::int64_t above = others, equal = equal_[i] - size_[i];
            others += equal;
            visit(size_[i], above, equal);
        }
    }

  private:
    static constexpr std::uint32_t mixed = std::uint32_t(1) << 31, crowded = mixed;

    // All are counted in their cells; those whose cells have keys are kept, and placed among these.
    template <class Some>
    void place_few(const Some& keys, std::int64_t begin, std::int64_t end, Counts& mine) const {
        std::uint32_t* const cells = mine.cells.data();
        K kept[1024];
        std::uint32_t kept_cell[1024];
        std::size_t held = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            const K key = keys[i];
            std::uint32_t& cell = cells[index_(key)];
            const std::uint32_t before = cell, pure = before < mixed ? 1 : 0;
            cell = before + pure;
            kept[held] = key;
            kept_cell[held] = before;
            held += 1 - pure;
        }
        auto* const slots = mine.slots.data();
        for (std::size_t i = 0; i < held; ++i) {
            const K key = kept[i];
            auto& slot = slots[kept_cell[i] - mixed];
            if (slot.count[0] >= crowded) [[unlikely]] {
                const auto from = known_.begin() + (slot.count[0] - crowded), to = from + slot.count[1];
                const auto upto = static_cast<std::size_t>(std::upper_bound(from, to, key) - known_.begin());
                // `upto` known keys are not above it.
                ++(upto > 0 && known_[upto - 1] == key ? mine.equal[upto - 1] : mine.beyond[upto]);
            } else {
                ++slot.count[(key >= slot.key ? 1 : 0) + (key > slot.key ? 1 : 0)];
            }
        }
    }

    Index index_;
    std::size_t cells_;
    std::vector<K> known_;
    std::vector<std::int64_t> size_, beyond_, equal_;
};

}  // namespace precall
