#include "plain.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "numbers.hpp"
#include "parallel.hpp"

namespace precall {

namespace {

constexpr std::size_t CHUNK = 4096;
constexpr std::size_t CHUNKS = 16;  // of a batch

#if PRECALL_KNOWS_OBJECTS

bool is_plain_text(PyObject* text) {
    return PyUnicode_CheckExact(text) && PyUnicode_IS_COMPACT_ASCII(text);
}

std::string_view plain_text(PyObject* text) {
    const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
    return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(text)), size};
}

template <class Value>
bool read_plain(PyObject* given, Value& value) {
    if constexpr (std::is_same_v<Value, double>) {
        if (PyFloat_CheckExact(given)) {
            value = PyFloat_AS_DOUBLE(given);
            return value == value;
        }
    }
    // One digit at most, that is below 2**30, which is a grade and, exactly, a score.
    if (!PyLong_CheckExact(given) || std::abs(Py_SIZE(given)) > 1) return false;
    const auto* const number = reinterpret_cast<const PyLongObject*>(given);
    value = static_cast<Value>(Py_SIZE(given) * static_cast<Py_ssize_t>(number->ob_digit[0]));
    return true;
}

#else

bool is_plain_text(PyObject*) {
    return false;
}

std::string_view plain_text(PyObject*) {
    return {};
}

template <class Value>
bool read_plain(PyObject*, Value&) {
    return false;
}

#endif

std::size_t rows_of(const Pair& topic) {
    return static_cast<std::size_t>(PyDict_Size(topic.value));
}

}  // namespace

template <class Value>
PlainReader<Value>::PlainReader(bool float32, std::int64_t threads, std::int64_t chunk)
    : float32_(float32),
      threads_(threads_allowed(threads)),
      chunk_(chunk > 0 ? static_cast<std::size_t>(chunk) : CHUNK) {}

template <class Value>
bool PlainReader<Value>::is_worth(std::size_t rows) const {
    return PRECALL_KNOWS_OBJECTS && threads_ > 1 && rows / 4 >= chunk_;
}

template <class Value>
std::size_t PlainReader<Value>::batch_of(std::span<const Pair> topics) const {
    // Where one value is odd others will be, and to find out costs time.
    if (met_other_) return 0;
    std::size_t count = 0;
    for (std::size_t rows = 0; count < topics.size() && rows / CHUNKS < chunk_; ++count) {
        const Pair& topic = topics[count];
        if (!is_plain_text(topic.key) || !PyDict_CheckExact(topic.value)) break;
        rows += rows_of(topic);
    }
    return count;
}

template <class Value>
void PlainReader<Value>::divide(std::span<const Pair> topics, std::size_t row) {
    count_ = 0;
    for (std::size_t begin = 0, end = 0; begin < topics.size(); begin = end) {
        std::size_t rows = 0;
        while (end < topics.size() && rows < chunk_) rows += rows_of(topics[end++]);
        if (count_ == chunks_.size()) chunks_.emplace_back();
        Chunk& chunk = chunks_[count_++];
        chunk.topics = topics.subspan(begin, end - begin);
        chunk.row = row;
        chunk.rows = rows;
        row += rows;
    }
}

template <class Value>
int PlainReader<Value>::threads() const {
    return static_cast<int>(std::min(count_, static_cast<std::size_t>(threads_)));
}

template <class Value>
bool PlainReader<Value>::append(std::span<const Pair> topics, Table<Value>& table, std::size_t rows,
                                std::size_t& bytes) {
    divide(topics, rows);
    // One thread does as well without this: a topic is never divided.
    if (count_ < 2) return false;
    const std::size_t end = chunks_[count_ - 1].row + chunks_[count_ - 1].rows;
    table.item_start.ensure(end + 1);
    table.value.ensure(end);
    if (!read_all(table)) {
        met_other_ = true;
        return false;
    }
    for (std::size_t i = 0; i < count_; ++i) {
        chunks_[i].place = bytes;
        bytes += chunks_[i].size;
    }
    table.item_bytes.ensure(bytes);
    Batches numbers(static_cast<std::int64_t>(count_), 1);
    in_parallel(threads(), [&] {
        for (std::int64_t i = 0, next = 0; numbers.take(i, next);) place(chunks_[static_cast<std::size_t>(i)], table);
    });
    return true;
}

template <class Value>
bool PlainReader<Value>::read_all(Table<Value>& table) {
    std::atomic<bool> plain = true;
    Batches numbers(static_cast<std::int64_t>(count_), 1);
    in_parallel(threads(), [&] {
        std::vector<Pair> pairs;
        for (std::int64_t i = 0, next = 0; plain && numbers.take(i, next);) {
            if (!read(chunks_[static_cast<std::size_t>(i)], pairs, table)) plain = false;
        }
    });
    return plain;
}

template <class Value>
bool PlainReader<Value>::read(Chunk& chunk, std::vector<Pair>& pairs, Table<Value>& table) const {
    pairs.clear();
    pairs.reserve(chunk.rows);
    for (const Pair& topic : chunk.topics) list_pairs(topic.value, pairs);
    std::int64_t* const start = table.item_start.data() + chunk.row;
    Value* const value = table.value.data() + chunk.row;
    chunk.size = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i + AHEAD < pairs.size()) fetch(pairs[i + AHEAD]);
        Value given{};
        if (!is_plain_text(pairs[i].key) || !read_plain(pairs[i].value, given)) return false;
        const std::string_view item = plain_text(pairs[i].key);
        if (chunk.size + item.size() > chunk.text.size()) chunk.text.resize((chunk.size + item.size()) * 2);
        copy_text(chunk.text.data() + chunk.size, item);
        if constexpr (std::is_same_v<Value, double>) {
            if (float32_ && !narrow(given)) return false;
        }
        start[i] = static_cast<std::int64_t>(chunk.size);
        value[i] = given;
        chunk.size += item.size();
    }
    return pairs.size() == chunk.rows;
}

template <class Value>
void PlainReader<Value>::place(const Chunk& chunk, Table<Value>& table) const {
    std::int64_t* const start = table.item_start.data() + chunk.row;
    for (std::size_t i = 0; i < chunk.rows; ++i) start[i] += static_cast<std::int64_t>(chunk.place);
    if (chunk.size > 0) std::memcpy(table.item_bytes.data() + chunk.place, chunk.text.data(), chunk.size);
}

template class PlainReader<double>;
template class PlainReader<std::int64_t>;

}  // namespace precall
