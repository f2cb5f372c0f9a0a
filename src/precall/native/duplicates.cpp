#include "duplicates.hpp"

#include <algorithm>
#include <mutex>
#include <type_traits>

#include "hashing.hpp"
#include "parallel.hpp"
#include "problems.hpp"

namespace precall {

namespace {

constexpr std::int64_t BATCH = 16;

// Those that stand first in the input, as many as are reported.
void keep_first(std::vector<Repeat>& repeats, const Column<std::int64_t>& order) {
    const auto input = [&](const Repeat& repeat) {
        return order.size() == 0 ? repeat.row : order[static_cast<std::size_t>(repeat.row)];
    };
    std::sort(repeats.begin(), repeats.end(), [&](const Repeat& a, const Repeat& b) { return input(a) < input(b); });
    if (repeats.size() > PROBLEM_LIMIT) repeats.resize(PROBLEM_LIMIT);
}

template <class Value>
class Checker {
  public:
    Checker(const Table<Value>& table, Policy policy, const Column<std::int64_t>& order)
        : table_(table), items_(table.items()), policy_(policy), order_(order), key_(secret()) {}

    void check(std::int64_t topic) {
        const std::int64_t begin = table_.row_start[static_cast<std::size_t>(topic)];
        const std::int64_t end = table_.row_start[static_cast<std::size_t>(topic) + 1];
        seen_.reset(end - begin);
        for (std::int64_t row = begin; row < end; ++row) {
            const std::string_view item = items_[row];
            const std::uint64_t code = hash(item, key_);
            const auto equal = [&](std::int64_t other) { return items_[begin + other] == item; };
            const std::int64_t earlier = seen_.find_or_add(code, row - begin, equal);
            if (earlier == RowTable::NONE) continue;
            if (repeated(row, begin + earlier, topic)) seen_.replace(code, row - begin, equal);
        }
    }

    Repeats take() {
        shorten();
        return std::move(repeats_);
    }

  private:
    // Deals with a repeat; true if its row takes the place of the one before.
    bool repeated(std::int64_t row, std::int64_t before, std::int64_t topic) {
        const Value value = table_.value[static_cast<std::size_t>(row)],
                    other = table_.value[static_cast<std::size_t>(before)];
        if (policy_ == Policy::error) {
            constexpr bool graded = std::is_same_v<Value, std::int64_t>;
            if (graded && value == other) {
                repeats_.dropped.push_back(row);
            } else {
                repeats_.first.push_back({row, before, topic, graded});
                ++repeats_.total;
                if (repeats_.first.size() >= 64 * PROBLEM_LIMIT) shorten();
            }
            return false;
        }
        const bool later = policy_ == Policy::last || (policy_ == Policy::best && value > other);
        repeats_.dropped.push_back(later ? before : row);
        return later;
    }

    void shorten() { keep_first(repeats_.first, order_); }

    const Table<Value>& table_;
    Ids items_;
    Policy policy_;
    const Column<std::int64_t>& order_;
    const Secret key_;
    RowTable seen_;
    Repeats repeats_;
};

void append(Repeats& all, const Repeats& some) {
    all.first.insert(all.first.end(), some.first.begin(), some.first.end());
    all.dropped.insert(all.dropped.end(), some.dropped.begin(), some.dropped.end());
    all.total += some.total;
}

}  // namespace

template <class Value>
Repeats find_repeats(const Table<Value>& table, Policy policy, int threads, const Column<std::int64_t>& order) {
    Repeats all;
    std::mutex guard;
    Batches batches(static_cast<std::int64_t>(table.row_start.size()) - 1, BATCH);
    in_parallel(threads_for(table.rows(), threads), [&] {
        Checker<Value> checker(table, policy, order);
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            for (std::int64_t topic = begin; topic < end; ++topic) checker.check(topic);
        }
        const std::lock_guard lock(guard);
        append(all, checker.take());
    });
    keep_first(all.first, order);
    std::sort(all.dropped.begin(), all.dropped.end());
    return all;
}

template Repeats find_repeats<double>(const Table<double>&, Policy, int, const Column<std::int64_t>&);
template Repeats find_repeats<std::int64_t>(const Table<std::int64_t>&, Policy, int, const Column<std::int64_t>&);

}  // namespace precall
