// Average precision, the area under the ROC curve and operating points by a sort that somebody lends: NumPy's, which
// compares many scores at a time, is faster than what a compiler makes for every processor.
//
// Relevant and other cases are put in order apart, and merged without a branch. Where relevant cases
// are few, others are only counted in cells of neighbouring scores; those that share a cell with a
// relevant case are kept, and put in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "counting.hpp"
#include "memory.hpp"
#include "ordering.hpp"
#include "parallel.hpp"

namespace precall {

// How many of `others` are below each of `hits`, both ascending: below[i] of hits[i]. There is a hit, and
// others[other_count] is +inf.
//
// Four parts at a time, of as many steps each: what one waits for, the others use. A step passes one case,
// an other one if it is below the hit. So no part passes its end before all its steps are done: from there on
// cases are of the next part, whose first hit is all that it may have written.
template <class Score>
void count_below(const Score* hits, std::size_t hit_count, const Score* others, std::size_t other_count, std::uint32_t* below) {
    constexpr std::size_t parts = 4;
    // Of others at or above the best hit nobody asks.
    const auto lower = static_cast<std::size_t>(std::lower_bound(others, others + other_count, hits[hit_count - 1]) - others);
    const std::size_t steps = hit_count + lower, each = steps / parts;
    std::size_t h[parts], o[parts], first_hit[parts], first_other[parts];
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t passed = part * each;
        std::size_t first = passed - std::min(passed, lower), last = std::min(passed, hit_count);
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (hits[middle] <= others[passed - middle - 1]) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        h[part] = first_hit[part] = first;
        o[part] = first_other[part] = passed - first;
    }
    const auto step = [&](std::size_t part) {
        const std::size_t is_below = others[o[part]] < hits[h[part]] ? 1 : 0;
        below[h[part]] = static_cast<std::uint32_t>(o[part]);
        o[part] += is_below;
        h[part] += 1 - is_below;
    };
    for (std::size_t i = 0; i < each; ++i) {
        for (std::size_t part = 0; part < parts; ++part) step(part);
    }
    for (std::size_t i = parts * each; i < steps; ++i) step(parts - 1);
    for (std::size_t part = 1; part < parts; ++part) {
        const Score* const from = others + first_other[part];
        below[first_hit[part]] = static_cast<std::uint32_t>(std::lower_bound(from, others + lower, hits[first_hit[part]]) - others);
    }
}

// Cells of even width in scores: found without a table, several at a time.
template <class Score>
class EvenCells {
  public:
    // The first cell is of what is below all hits, the last of what is above them.
    EvenCells(Score low, Score high, std::size_t count)
        : low_(low), factor_(high > low ? static_cast<Score>(count - 3) / (high - low) : std::numeric_limits<Score>::max()),
          last_(static_cast<Score>(count - 1)) {}

    bool usable() const { return factor_ > 0 && std::isfinite(factor_) && std::isfinite(low_); }

    // NaN is in some cell.
    std::uint32_t operator()(Score score) const {
        Score place = (score - low_) * factor_ + Score(1);
        place = place > Score(0) ? place : Score(0);
        place = place < last_ ? place : last_;
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(place));
    }

  private:
    Score low_, factor_, last_;
};

// Cells of even numbers of hits, for scores that differ by powers.
template <class Score>
class FilledCells {
  public:
    FilledCells(const std::vector<Key<Score>>& hits, std::size_t wanted) : buckets_(hits, static_cast<std::int64_t>(wanted)) {}

    std::uint32_t operator()(Score score) const { return buckets_.of(key_of(score)); }
    std::size_t count() const { return buckets_.count(); }

  private:
    Buckets<Key<Score>> buckets_;
};

// Room for scores in order, used for one list of cases after the other.
template <class Score>
struct OrderedRoom {
    Scratch<Score> scores;
    Scratch<std::uint32_t> below;
};

template <class Score>
class Ordered {
  public:
    // With `all` others in order, also where relevant cases are few.
    Ordered(const Cases<Score>& cases, std::int64_t hits, int threads, const Sort<Score>& sort, OrderedRoom<Score>& room, bool all = false)
        : cases_(cases), hit_count_(static_cast<std::size_t>(hits)), threads_(threads), sort_(sort) {
        // A place behind the hits, and one behind the others of each part.
        const bool few = !all && hits <= cases.count / sparse && 4 * hit_count_ <= most_cells;
        parts_ = few ? std::max(threads, 1) : 1;
        hits_ = room.scores.ensure(hit_count_ + static_cast<std::size_t>(cases.count) + 1 + static_cast<std::size_t>(parts_));
        others_ = hits_ + hit_count_ + 1;
        if (few) {
            take_hits();
            sort_(hits_, hit_count_);
            // NaN is above all.
            nan_ = std::isnan(hits_[hit_count_ - 1]);
        }
        if (few && !nan_ && !filter()) take_others();
        if (!few) {
            split();
            if (!nan_ && hit_count_ > 0) sort_(hits_, hit_count_);
        }
        if (!nan_ && other_count_ > 0) sort_(others_, other_count_);
    }

    bool nan() const { return nan_; }

    // visit(key, hits, others) of all keys, best first, once or more for each; all others are in order.
    template <class Visit>
    void each(Visit& visit) const {
        const auto visit_score = [&](Score score, std::int64_t hits, std::int64_t others) { visit(key_of(score), hits, others); };
        merge_down(hits_, hit_count_, others_, other_count_, visit_score);
    }

    // Adds every score that a relevant case has. There is one.
    void add(Areas& areas, OrderedRoom<Score>& room) {
        others_[other_count_] = std::numeric_limits<Score>::infinity();
        std::uint32_t* const below_each = room.below.ensure(hit_count_ + 1);
        count_below(hits_, hit_count_, others_, other_count_, below_each);
        std::size_t cell = 0;
        for (std::size_t i = 0; i < hit_count_;) {
            const std::size_t first = i;
            while (++i < hit_count_ && hits_[i] == hits_[first]) continue;
            const std::size_t below = below_each[first];
            std::size_t upto = below;
            while (upto < other_count_ && others_[upto] == hits_[first]) ++upto;
            // Of neighbours in a cell the first one brings those that were counted below it.
            if (!counted_.empty()) cell += first > 0 && starts_[first] != 0 ? 1 : 0;
            const auto all_below = static_cast<std::int64_t>(below) + (counted_.empty() ? 0 : counted_[cell]);
            const auto size = static_cast<std::int64_t>(i - first);
            areas.add(size, areas.hits - static_cast<std::int64_t>(first), areas.others - all_below);
            areas.twice_above += size * (2 * all_below + static_cast<std::int64_t>(upto - below));
        }
    }

  private:
    static constexpr std::int64_t sparse = 8;       // others are counted in cells where one of so many cases is relevant
    static constexpr std::int64_t at_once = 1024;  // cases
    static constexpr std::size_t least_cells = 1 << 14, most_in_cache = 1 << 20, most_cells = 1 << 21;  // of a byte each

    // Others and hits apart: the next places of both are written, and one of them is kept.
    void split() {
        std::size_t held = 0;
        bool bad = false;
        for (std::int64_t from = 0; from < cases_.count; from += at_once) {
            const std::int64_t to = std::min(from + at_once, cases_.count);
            bad |= any_nan(cases_.score + from, to - from);
            for (std::int64_t i = from; i < to; ++i) {
                hits_[held] = others_[static_cast<std::size_t>(i) - held] = cases_.score[i];
                held += cases_.is_relevant(i) ? 1 : 0;
            }
        }
        other_count_ = static_cast<std::size_t>(cases_.count) - held;
        nan_ = bad;
    }

    void take_others() {
        std::size_t held = 0;
        for (std::int64_t from = 0; from < cases_.count; from += at_once) {
            const std::int64_t to = std::min(from + at_once, cases_.count);
            nan_ |= any_nan(cases_.score + from, to - from);
            for (std::int64_t i = from; i < to; ++i) {
                others_[held] = cases_.score[i];
                held += cases_.is_relevant(i) ? 0 : 1;
            }
        }
        other_count_ = held;
    }

    void take_hits() {
        std::size_t held = 0;
        for (std::int64_t from = 0; from < cases_.count; from += 64) {
            const std::int64_t size = std::min<std::int64_t>(64, cases_.count - from);
            held = take(bits_of(cases_.relevant + from, size), cases_.score + from, hits_, held);
        }
    }

    // Bit i: whether byte i of up to 64 is not 0.
    static std::uint64_t bits_of(const std::uint8_t* bytes, std::int64_t size) {
        constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fu, gather = 0x0102040810204080u;
        std::uint64_t bits = 0;
        std::int64_t at = 0;
        // A number of eight bytes has them in the order of its digits in memory, whichever that is.
        if constexpr (std::endian::native == std::endian::little) {
            for (; at + 8 <= size; at += 8) {
                std::uint64_t eight = 0;
                std::memcpy(&eight, bytes + at, 8);
                const std::uint64_t top = (((eight & low) + low) | eight) & ~low;
                bits |= (((top >> 7) * gather) >> 56) << at;
            }
        }
        for (; at < size; ++at) bits |= std::uint64_t(bytes[at] != 0 ? 1 : 0) << at;
        return bits;
    }

    // Appends the scores whose bits are set; how many there are then.
    static std::size_t take(std::uint64_t bits, const Score* score, Score* taken, std::size_t held) {
        for (; bits != 0; bits &= bits - 1) taken[held++] = score[std::countr_zero(bits)];
        return held;
    }

    static constexpr std::uint8_t mixed = 128;

    // Marks the cells of hits. Which part of the distinct ones has cells of their own?
    template <class Cells>
    double mark(const Cells& cells, std::size_t count, std::vector<std::uint8_t>& marked) {
        marked.assign(count, 0);
        std::size_t distinct = 0, taken = 0;
        for (std::size_t i = 0; i < hit_count_; ++i) {
            distinct += i == 0 || hits_[i] != hits_[i - 1] ? 1 : 0;
            std::uint8_t& mark = marked[cells(hits_[i])];
            starts_[i] = mark == 0 ? 1 : 0;
            taken += starts_[i];
            mark = mixed;
        }
        return static_cast<double>(taken) / static_cast<double>(distinct);
    }

    // More cells leave fewer to sort, but leave the second cache. False where no cells are worth it: nothing was done.
    bool filter() {
        const std::size_t in_cache = std::max(4 * hit_count_, most_in_cache);
        const std::size_t wanted = std::clamp(std::min(8 * hit_count_, in_cache), std::min(least_cells, static_cast<std::size_t>(cases_.count) / 4), most_cells);
        std::vector<std::uint8_t> marked;
        starts_.resize(hit_count_);
        for (const std::size_t count : {wanted, std::min(2 * wanted, most_cells)}) {
            const EvenCells<Score> even(hits_[0], hits_[hit_count_ - 1], count);
            const double apart = even.usable() ? mark(even, count, marked) : 0;
            if (apart > (count >= 8 * hit_count_ ? 0.6 : 0.7)) {
                filter_by(even, std::move(marked));
                return true;
            }
            if (hits_are_many()) return false;
        }
        std::vector<Key<Score>> keys(hit_count_);
        for (std::size_t i = 0; i < hit_count_; ++i) keys[i] = key_of(hits_[i]);
        const FilledCells<Score> filled(keys, wanted);
        mark(filled, filled.count(), marked);
        filter_by(filled, std::move(marked));
        return true;
    }

    // More cells, or some that must be found by a table, take longer than to put all others in order.
    bool hits_are_many() const { return cases_.count < 16 * static_cast<std::int64_t>(hit_count_); }

    // What a part counted in each cell: 7 bits, and the cell each time that these were full.
    struct Counted {
        std::vector<std::uint8_t> cells;
        std::vector<std::uint32_t> full;
        std::size_t kept = 0;
        bool nan = false;
    };

    template <class Cells>
    void filter_by(const Cells& cells, std::vector<std::uint8_t> marked) {
        std::vector<Counted> counted(static_cast<std::size_t>(parts_));
        for (std::size_t part = 1; part < counted.size(); ++part) counted[part].cells = marked;
        counted[0].cells = std::move(marked);
        const auto first = [&](std::int64_t part) { return cases_.count * part / parts_; };
        const auto room_of = [&](std::int64_t part) { return others_ + first(part) + part; };
        Batches batches(parts_, 1);
        in_parallel(threads_, [&] {
            std::int64_t part = 0, end = 0;
            while (batches.take(part, end)) filter_part(cells, first(part), first(part + 1), room_of(part), counted[static_cast<std::size_t>(part)]);
        });
        for (std::int64_t part = 0; part < parts_; ++part) {
            const Counted& own = counted[static_cast<std::size_t>(part)];
            nan_ |= own.nan;
            if (part > 0) std::memmove(others_ + other_count_, room_of(part), own.kept * sizeof(Score));
            other_count_ += own.kept;
        }
        if (nan_) return;
        // The cells with full counts of all parts, ascending, and one behind them all.
        std::vector<std::uint32_t> full;
        for (const Counted& own : counted) full.insert(full.end(), own.full.begin(), own.full.end());
        std::sort(full.begin(), full.end());
        full.push_back(std::numeric_limits<std::uint32_t>::max());
        const std::vector<std::uint8_t>& bytes = counted[0].cells;
        if (parts_ == 1) return count_below_cells(bytes, full, bytes.data());
        std::vector<std::uint32_t> sums(bytes.size(), 0);
        for (const Counted& own : counted)
            for (std::size_t cell = 0; cell < sums.size(); ++cell) sums[cell] += own.cells[cell] & (mixed - 1);
        count_below_cells(bytes, full, sums.data());
    }

    // What was counted below each cell of hits. In such a cell nothing was.
    template <class Count>
    void count_below_cells(const std::vector<std::uint8_t>& cells, const std::vector<std::uint32_t>& full, const Count* of_cell) {
        counted_.resize(hit_count_ + 1);
        std::int64_t* const below_each = counted_.data();
        const std::uint8_t* const marks = cells.data();
        const std::uint32_t* next = full.data();
        std::size_t known = 0;
        std::int64_t below = 0;
        for (std::size_t cell = 0; cell < cells.size(); ++cell) {
            below_each[known] = below;
            const unsigned is_mixed = marks[cell] / mixed;
            known += is_mixed;
            below += static_cast<std::int64_t>(of_cell[cell]) & (static_cast<std::int64_t>(is_mixed) - 1);
            for (; *next == cell; ++next) below += mixed;
        }
    }

    // What is kept is in the part's own room.
    template <class Cells>
    void filter_part(const Cells& cells, std::int64_t begin, std::int64_t end, Score* kept, Counted& own) {
        std::uint8_t* const count = own.cells.data();
        std::uint32_t cell[at_once];
        std::uint8_t keep[at_once];
        std::size_t held = 0;
        for (std::int64_t from = begin; from < end; from += at_once) {
            const std::int64_t size = std::min(at_once, end - from);
            const Score* const score = cases_.score + from;
            const std::uint8_t* const relevant = cases_.relevant + from;
            own.nan |= any_nan(score, size);
            for (std::int64_t i = 0; i < size; ++i) cell[i] = cells(score[i]);
            for (std::int64_t i = 0; i < size; ++i) {
                const unsigned before = count[cell[i]];
                keep[i] = static_cast<std::uint8_t>(before);
                count[cell[i]] = static_cast<std::uint8_t>(before + (before / mixed ^ 1u));
                if (before == mixed - 1) [[unlikely]] {
                    own.full.push_back(cell[i]);
                    count[cell[i]] = 0;
                }
            }
            for (std::int64_t i = 0; i < size; ++i) keep[i] = static_cast<std::uint8_t>((keep[i] / mixed) & (relevant[i] == 0 ? 1u : 0u));
            // Apart from the counting, which waits for the cache: few are kept, and those are found by their bits.
            for (std::int64_t i = 0; i < size; i += 64) held = take(bits_of(keep + i, std::min<std::int64_t>(64, size - i)), score + i, kept, held);
        }
        own.kept = held;
    }

    const Cases<Score>& cases_;
    std::size_t hit_count_, other_count_ = 0;
    int threads_;
    std::int64_t parts_ = 1;
    const Sort<Score>& sort_;
    Score* hits_ = nullptr;
    Score* others_ = nullptr;
    bool nan_ = false;
    std::vector<std::uint8_t> starts_;   // whether a hit is the first of its cell
    std::vector<std::int64_t> counted_;  // below each cell of hits; empty where nothing was only counted
};

}  // namespace precall
