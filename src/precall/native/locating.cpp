#include "locating.hpp"

#include <algorithm>
#include <array>

#include "hashing.hpp"
#include "parallel.hpp"

namespace precall {

namespace {

constexpr std::int64_t BATCH = 16;
constexpr std::size_t FEW = 8;
constexpr std::int64_t FEW_JUDGED = 64;
constexpr std::size_t MARKS = 1024;

struct Scored {
    double score;
    std::int64_t row;
};

class Locator {
  public:
    Locator(const View<double>& run, const View<std::int64_t>& qrels, bool by_input)
        : run_(run), qrels_(qrels), by_input_(by_input), key_(secret()) {}

    // Appends what is found of one topic, by rank.
    void locate(std::int64_t ranking, std::int64_t topic, std::vector<Found>& all) {
        begin_ = run_.row_start[topic];
        end_ = run_.row_start[topic + 1];
        match(ranking);
        if (found_.empty()) return;
        if (is_descending(true)) {
            for (Found& item : found_) item.rank = item.first = item.last = item.row - begin_ + 1;
        } else if (found_.size() <= FEW) {
            for (Found& item : found_) count(item);
        } else {
            sort();
        }
        std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.rank < b.rank; });
        all.insert(all.end(), found_.begin(), found_.end());
    }

  private:
    // What two ids that are equal have in common, for a first look: their length and last letters.
    static std::size_t mark(std::string_view item) {
        const std::size_t size = item.size();
        if (size < 2) return size;
        const auto last = static_cast<unsigned char>(item[size - 1]), before = static_cast<unsigned char>(item[size - 2]);
        return (last + 37 * std::size_t{before} + 131 * size) % MARKS;
    }

    void match(std::int64_t ranking) {
        const std::int64_t begin = qrels_.row_start[ranking], end = qrels_.row_start[ranking + 1];
        // Of few judged items most rows differ so much that they need not be looked up.
        const bool few = end - begin <= FEW_JUDGED;
        judged_.reset(end - begin);
        for (std::int64_t row = begin; row < end; ++row) {
            const std::string_view item = qrels_.items[row];
            const auto equal = [&](std::int64_t other) { return qrels_.items[begin + other] == item; };
            judged_.find_or_add(hash(item, key_), row - begin, equal);
            if (few) marked_[mark(item)] = true;
        }
        found_.clear();
        for (std::int64_t row = begin_; row < end_; ++row) {
            const std::string_view item = run_.items[row];
            if (few && !marked_[mark(item)]) continue;
            const auto equal = [&](std::int64_t other) { return qrels_.items[begin + other] == item; };
            const std::int64_t at = judged_.find(hash(item, key_), equal);
            if (at != RowTable::NONE) found_.push_back({ranking, row, qrels_.value[begin + at], 0, 0, 0});
        }
        for (std::int64_t row = begin; few && row < end; ++row) marked_[mark(qrels_.items[row])] = false;
    }

    bool is_descending(bool strictly) const {
        const double* const score = run_.value;
        bool rising = false;
        for (std::int64_t row = begin_ + 1; row < end_; ++row) {
            rising |= strictly ? !(score[row - 1] > score[row]) : score[row - 1] < score[row];
        }
        return !rising;
    }

    // Does a row stand above another of the same score?
    bool wins(std::int64_t row, std::int64_t other) const {
        if (by_input_) return row < other;
        const int order = run_.items[row].compare(run_.items[other]);
        return order != 0 ? order > 0 : row < other;
    }

    void count(Found& item) const {
        const double score = run_.value[item.row];
        std::int64_t above = 0, equal = 0, before = 0;
        for (std::int64_t row = begin_; row < end_; ++row) {
            above += run_.value[row] > score;
            equal += run_.value[row] == score;
        }
        if (equal > 1) {
            for (std::int64_t row = begin_; row < end_; ++row) {
                before += run_.value[row] == score && row != item.row && wins(row, item.row);
            }
        }
        item.first = above + 1;
        item.last = above + equal;
        item.rank = above + before + 1;
    }

    void sort() {
        ranked_.clear();
        for (std::int64_t row = begin_; row < end_; ++row) ranked_.push_back({run_.value[row], row});
        if (!is_descending(false)) {
            std::sort(ranked_.begin(), ranked_.end(), [](const Scored& a, const Scored& b) {
                return a.score != b.score ? a.score > b.score : a.row < b.row;
            });
        }
        slot_.assign(static_cast<std::size_t>(end_ - begin_), -1);
        for (std::size_t i = 0; i < found_.size(); ++i) {
            slot_[static_cast<std::size_t>(found_[i].row - begin_)] = static_cast<std::int64_t>(i);
        }
        for (std::size_t first = 0, last = 0; first < ranked_.size(); first = last) {
            while (last < ranked_.size() && ranked_[last].score == ranked_[first].score) ++last;
            place_block(first, last);
        }
    }

    // Ranks of those found among ranked_[first, last), all of one score.
    void place_block(std::size_t first, std::size_t last) {
        const auto slot = [&](std::size_t at) { return slot_[static_cast<std::size_t>(ranked_[at].row - begin_)]; };
        bool wanted = false;
        for (std::size_t at = first; at < last; ++at) wanted |= slot(at) >= 0;
        if (!wanted) return;
        if (!by_input_ && last - first > 1) {
            std::sort(ranked_.begin() + static_cast<std::ptrdiff_t>(first),
                      ranked_.begin() + static_cast<std::ptrdiff_t>(last),
                      [&](const Scored& a, const Scored& b) { return wins(a.row, b.row); });
        }
        for (std::size_t at = first; at < last; ++at) {
            if (slot(at) < 0) continue;
            Found& item = found_[static_cast<std::size_t>(slot(at))];
            item.rank = static_cast<std::int64_t>(at) + 1;
            item.first = static_cast<std::int64_t>(first) + 1;
            item.last = static_cast<std::int64_t>(last);
        }
    }

    const View<double>& run_;
    const View<std::int64_t>& qrels_;
    const bool by_input_;
    const Secret key_;
    std::int64_t begin_ = 0, end_ = 0;
    RowTable judged_;
    std::array<bool, MARKS> marked_{};
    std::vector<Found> found_;
    std::vector<Scored> ranked_;
    std::vector<std::int64_t> slot_;
};

std::vector<std::int64_t> match_topics(const Ids& run, const Ids& qrels) {
    const Secret& key = secret();
    RowTable table;
    table.reset(run.count);
    for (std::int64_t topic = 0; topic < run.count; ++topic) {
        table.find_or_add(hash(run[topic], key), topic, [&](std::int64_t other) { return run[other] == run[topic]; });
    }
    std::vector<std::int64_t> topics;
    for (std::int64_t topic = 0; topic < qrels.count; ++topic) {
        topics.push_back(
            table.find(hash(qrels[topic], key), [&](std::int64_t other) { return run[other] == qrels[topic]; }));
    }
    return topics;
}

}  // namespace

Located locate(const View<double>& run, const View<std::int64_t>& qrels, bool by_input, int threads) {
    Located located;
    located.run_topic = match_topics(run.topics, qrels.topics);
    located.batches.resize(static_cast<std::size_t>((qrels.topics.count + BATCH - 1) / BATCH));
    Batches batches(qrels.topics.count, BATCH);
    in_parallel(threads_for(run.items.count, threads), [&] {
        Locator locator(run, qrels, by_input);
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            for (std::int64_t ranking = begin; ranking < end; ++ranking) {
                const std::int64_t topic = located.run_topic[static_cast<std::size_t>(ranking)];
                if (topic >= 0)
                    locator.locate(ranking, topic, located.batches[static_cast<std::size_t>(begin / BATCH)]);
            }
        }
    });
    return located;
}

}  // namespace precall
