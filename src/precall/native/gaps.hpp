// Cases counted between few keys: those above each, and those equal to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace precall {

// The sorted keys of relevant cases, and every case's place among them. `Index` is an ascending function from keys to
// small numbers, with many more of these than keys. So most have no key or one, and comparing with that
// one says where a case belongs: no branch that a processor could guess wrongly, whatever the scores.
template <class K, class Index>
class Gaps {
  public:
    static constexpr std::int64_t slots_per_key = 8;

    // What is counted is counted apart by every thread, and then collected.
    class Counts {
        friend class Gaps;

        // A slot's only key, and how many cases are below it, equal to it and above it. They lie together, so
        // that a case touches one place. Slots of several keys are `crowded` in the first.
        struct Slot {
            K key;
            std::uint32_t count[3];
        };

        std::vector<Slot> slots;
        std::vector<std::uint32_t> beyond, equal;  // of crowded slots only
    };

    // `keys` ascend; `slots` is greater than every index.
    Gaps(const std::vector<K>& keys, Index index, std::size_t slots) : index_(std::move(index)) {
        for (const K key : keys) {
            if (known_.empty() || known_.back() != key) {
                known_.push_back(key);
                size_.push_back(0);
            }
            ++size_.back();
        }
        first_.assign(slots + 1, static_cast<std::uint32_t>(known_.size()));
        for (std::size_t i = known_.size(); i-- > 0;) first_[index_(known_[i])] = static_cast<std::uint32_t>(i);
        for (std::size_t s = slots; s-- > 0;) first_[s] = std::min(first_[s], first_[s + 1]);
        beyond_.assign(known_.size() + 1, 0);
        equal_.assign(known_.size() + 1, 0);
    }

    Counts counts() const {
        Counts empty;
        empty.slots.resize(first_.size() - 1);
        for (std::size_t s = 0; s < empty.slots.size(); ++s) {
            const std::uint32_t held = first_[s + 1] - first_[s];
            empty.slots[s] = {held == 1 ? known_[first_[s]] : 0, {held > 1 ? crowded : 0, 0, 0}};
        }
        empty.beyond.assign(known_.size() + 1, 0);
        empty.equal.assign(known_.size() + 1, 0);
        return empty;
    }

    // Any case, relevant or not; at most 2^31 before they are collected.
    void place(K key, Counts& mine) const {
        const std::size_t at = index_(key);
        auto& slot = mine.slots[at];
        if (slot.count[0] >= crowded) [[unlikely]] {
            const auto from = known_.begin() + first_[at], to = known_.begin() + first_[at + 1];
            const auto upto = static_cast<std::size_t>(std::upper_bound(from, to, key) - known_.begin());
            // `upto` known keys are not above it.
            ++(upto > 0 && known_[upto - 1] == key ? mine.equal[upto - 1] : mine.beyond[upto]);
        } else {
            ++slot.count[(key >= slot.key ? 1 : 0) + (key > slot.key ? 1 : 0)];
        }
    }

    void collect(const Counts& mine) {
        for (std::size_t i = 0; i < beyond_.size(); ++i) {
            beyond_[i] += mine.beyond[i];
            equal_[i] += mine.equal[i];
        }
        for (std::size_t s = 0; s < mine.slots.size(); ++s) {
            const std::uint32_t first = first_[s], held = first_[s + 1] - first;
            const std::uint32_t* const three = mine.slots[s].count;
            beyond_[first] += three[0] & ~crowded;
            (held == 1 ? equal_ : beyond_)[first] += three[1];
            beyond_[first + held] += three[2];
        }
    }

    // How many distinct keys are not above this one.
    std::size_t upto(K key) const {
        return static_cast<std::size_t>(std::upper_bound(known_.begin(), known_.end(), key) - known_.begin());
    }

    // Cases counted elsewhere, that are above the `upto` lowest keys and below the others.
    void add_beyond(std::size_t upto, std::int64_t count) { beyond_[upto] += count; }

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
    static constexpr std::uint32_t crowded = std::uint32_t(1) << 31;

    Index index_;
    std::vector<K> known_;
    std::vector<std::int64_t> size_, beyond_, equal_;
    std::vector<std::uint32_t> first_;
};

}  // namespace precall
