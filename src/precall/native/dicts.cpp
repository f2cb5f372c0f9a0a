// What is plain is read by several threads, the rest here, in order, by one.
//
// Reading exact floats, integers and ASCII strings runs no Python code and makes no objects. Anything else may
// start the collector, whose finalizers run any code, change the dict under our feet included: before the first
// such key or value is looked at, the rest is held.
#include "dicts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "encoded.hpp"
#include "imported.hpp"
#include "numbers.hpp"
#include "pairs.hpp"
#include "plain.hpp"
#include "problems.hpp"

namespace nb = nanobind;

namespace precall {

namespace {

nb::str cut(nb::object text) {
    return nb::str(nb::steal(PyUnicode_Substring(text.ptr(), 0, static_cast<Py_ssize_t>(TEXT_LIMIT))));
}

nb::object name_of_type(nb::handle value) {
    return nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr()))).attr("__name__");
}

nb::str shown(nb::handle value) {
    nb::object text = nb::steal(PyObject_Repr(value.ptr()));
    if (text.is_valid()) return cut(text);
    forgive();
    return cut(nb::str("<{}>").format(name_of_type(value)));
}

constinit Imported wide_float{"numpy", "float64"}, narrow_float{"numpy", "float32"};
constinit Imported score_rule{"precall.native.twin_mappings", "score_of"};

bool is_numpy_float(PyObject* value) {
    PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(value));
    return type == wide_float.get() || type == narrow_float.get();
}

// Of all other types the twin knows which are scores.
const char* odd_score(PyObject* value, double& score) {
    const nb::object result = nb::steal(PyObject_CallFunctionObjArgs(score_rule.get(), value, nullptr));
    if (!result.is_valid()) throw nb::python_error();
    for (const char* const problem : {"dict-score", "nan", "score-range", "inexact"}) {
        if (PyUnicode_Check(result.ptr()) && PyUnicode_CompareWithASCIIString(result.ptr(), problem) == 0)
            return problem;
    }
    score = PyFloat_AsDouble(result.ptr());
    return nullptr;
}

// Of anything but a float, which most scores are.
[[gnu::noinline]] const char* other_score(PyObject* value, double& score) {
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        const std::int64_t whole = PyLong_AsLongLongAndOverflow(value, &overflow);
        score = static_cast<double>(whole);
        const bool exact = overflow == 0 && score < 0x1p63 && static_cast<std::int64_t>(score) == whole;
        return exact ? nullptr : odd_score(value, score);
    }
    if (!is_numpy_float(value)) return odd_score(value, score);
    const nb::object number = nb::steal(PyNumber_Float(value));
    if (!number.is_valid()) throw nb::python_error();
    score = PyFloat_AsDouble(number.ptr());
    return std::isnan(score) ? "nan" : nullptr;
}

// What is wrong with a value: nothing, or the kind of problem.
const char* read_value(PyObject* value, double& score) {
    if (!PyFloat_CheckExact(value)) return other_score(value, score);
#if defined(Py_LIMITED_API)
    score = PyFloat_AsDouble(value);
#else
    score = PyFloat_AS_DOUBLE(value);
#endif
    return std::isnan(score) ? "nan" : nullptr;
}

const char* read_value(PyObject* value, std::int64_t& grade) {
#if PRECALL_KNOWS_OBJECTS
    // Nearly all grades are one digit of a Python integer.
    if (PyLong_CheckExact(value) && std::abs(Py_SIZE(value)) <= 1) {
        grade = Py_SIZE(value) * static_cast<std::int64_t>(reinterpret_cast<PyLongObject*>(value)->ob_digit[0]);
        return nullptr;
    }
#endif
    const nb::object number = PyLong_CheckExact(value) ? nb::borrow(value) : nb::steal(PyNumber_Index(value));
    if (!number.is_valid()) {
        forgive();
        return "dict-grade";
    }
    int overflow = 0;
    grade = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    const bool fits = overflow == 0 && grade == static_cast<std::int32_t>(grade);
    return fits ? nullptr : "grade-range";
}

// An integer beyond every float is an exception, and that an object.
template <class Value>
bool runs_no_code(PyObject* value) {
    if (std::is_same_v<Value, double> && PyFloat_CheckExact(value)) return true;
    if (!PyLong_CheckExact(value)) return false;
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0;
}

// Keeps the pairs of one dict alive once that is needed.
class Holder {
  public:
    explicit Holder(const std::vector<Pair>& pairs) : pairs_(pairs) {}
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() {
        for (std::size_t i = from_; i < to_; ++i) {
            Py_DECREF(pairs_[i].key);
            Py_DECREF(pairs_[i].value);
        }
    }
    void hold(std::size_t from) {
        if (to_ > 0) return;
        for (std::size_t i = from; i < pairs_.size(); ++i) {
            Py_INCREF(pairs_[i].key);
            Py_INCREF(pairs_[i].value);
        }
        from_ = from;
        to_ = pairs_.size();
    }

  private:
    const std::vector<Pair>& pairs_;
    std::size_t from_ = 0, to_ = 0;
};

// A dict whose pairs stay while no Python code runs. Subclasses may list their items in another order than they store
// them: OrderedDict does. Without the GIL other threads may change any dict but a copy, which copying locks.
nb::object plain(nb::handle dict) {
#if !defined(Py_GIL_DISABLED)
    if (PyDict_CheckExact(dict.ptr())) return nb::borrow(dict);
#endif
    nb::object copy = nb::steal(PyDict_New());
    if (!copy.is_valid() || PyDict_Update(copy.ptr(), dict.ptr()) != 0) throw nb::python_error();
    return copy;
}

template <class Value>
class Walker {
  public:
    Walker(bool float32, std::int64_t threads, std::int64_t chunk, DictProblems& problems)
        : float32_(float32), problems_(problems), plain_reader_(float32, threads, chunk) {}

    Table<Value> walk(nb::dict mapping) {
        const nb::object kept = plain(mapping);
        std::vector<Pair> topics;
        list_pairs(kept.ptr(), topics);
        if (topics.empty()) add(nb::make_tuple(0, "empty"));
        Holder holder(topics);
        holder.hold(0);
        const bool together = plain_reader_.is_worth(reserve(topics));
        for (std::span<const Pair> left(topics); !left.empty();) {
            const std::size_t plain_topics = together ? plain_reader_.batch_of(left) : 0;
            const auto next = left.first(std::max<std::size_t>(plain_topics, 1));
            if (plain_topics == 0 || !batch(next)) {
                for (const Pair& pair : next) topic(pair.key, pair.value);
            }
            left = left.subspan(next.size());
        }
        return take();
    }

  private:
    std::size_t reserve(const std::vector<Pair>& topics) {
        std::size_t rows = 0;
        for (const Pair& pair : topics)
            rows += PyDict_Check(pair.value) ? static_cast<std::size_t>(PyDict_Size(pair.value)) : 0;
        table_.item_start = Column<std::int64_t>(rows + 1);
        table_.value = Column<Value>(rows);
        table_.item_bytes = Column<std::uint8_t>(rows * 16);
        return rows;
    }

    // Topics of which all is plain.
    bool batch(std::span<const Pair> topics) {
        if (!plain_reader_.append(topics, table_, rows_, bytes_)) return false;
        for (const Pair& pair : topics) {
            rows_ += static_cast<std::size_t>(PyDict_Size(pair.value));
            end_topic(*encoded(pair.key));
        }
        return true;
    }

    // The rows of a topic are there.
    void end_topic(std::string_view name) {
        topic_bytes_.insert(topic_bytes_.end(), name.begin(), name.end());
        topic_start_.push_back(static_cast<std::int64_t>(topic_bytes_.size()));
        row_start_.push_back(static_cast<std::int64_t>(rows_));
    }

    void topic(PyObject* name, PyObject* items) {
        const auto text = encoded(name);
        if (!text) {
            add(nb::make_tuple(0, "dict-topic", shown(name)));
        } else if (!PyDict_Check(items)) {
            add(nb::make_tuple(0, "dict-items", nb::handle(name), name_of_type(items)));
        } else {
            const nb::object kept = plain(items);
            pairs_.clear();
            list_pairs(kept.ptr(), pairs_);
            rows_of(name);
            end_topic(*text);
        }
    }

    void rows_of(PyObject* topic) {
        Holder holder(pairs_);
        table_.item_start.ensure(rows_ + pairs_.size() + 1);
        table_.value.ensure(rows_ + pairs_.size());
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (i + AHEAD < pairs_.size()) fetch(pairs_[i + AHEAD]);
            const Pair& pair = pairs_[i];
            if (!is_ascii(pair.key) || !runs_no_code<Value>(pair.value)) holder.hold(i);
            const auto item = encoded(pair.key);
            if (!item) {
                add(nb::make_tuple(0, "dict-item", nb::handle(topic), shown(pair.key)));
            } else if (!row(*item, pair.value)) {
                holder.hold(i);
                refuse(topic, pair);
            }
        }
    }

    bool row(std::string_view item, PyObject* given) {
        Value value{};
        fault_ = read_value(given, value);
        if (fault_ != nullptr) return false;
        if constexpr (std::is_same_v<Value, double>) {
            if (float32_ && !narrow(value)) {
                fault_ = "float32-range";
                return false;
            }
        }
        table_.item_bytes.ensure(bytes_ + item.size());
        copy_text(table_.item_bytes.data() + bytes_, item);
        table_.item_start[rows_] = static_cast<std::int64_t>(bytes_);
        table_.value[rows_++] = value;
        bytes_ += item.size();
        return true;
    }

    void refuse(PyObject* topic, const Pair& pair) {
        if (std::string_view(fault_) == "nan") {
            add(nb::make_tuple(0, fault_, nb::handle(topic), nb::handle(pair.key)));
        } else {
            add(nb::make_tuple(0, fault_, nb::handle(topic), nb::handle(pair.key), shown(pair.value)));
        }
    }

    void add(nb::tuple problem) {
        if (++problems_.total <= static_cast<std::int64_t>(PROBLEM_LIMIT)) problems_.first.append(problem);
    }

    Table<Value> take() {
        table_.item_start[rows_] = static_cast<std::int64_t>(bytes_);
        table_.item_bytes.resize(bytes_);
        table_.item_start.resize(rows_ + 1);
        table_.value.resize(rows_);
        table_.topic_bytes = Column<std::uint8_t>(topic_bytes_);
        table_.topic_start = Column<std::int64_t>(topic_start_);
        table_.row_start = Column<std::int64_t>(row_start_);
        return std::move(table_);
    }

    const bool float32_;
    DictProblems& problems_;
    PlainReader<Value> plain_reader_;
    Table<Value> table_;
    std::vector<std::uint8_t> topic_bytes_;
    std::vector<std::int64_t> topic_start_{0}, row_start_{0};
    std::vector<Pair> pairs_;
    std::size_t rows_ = 0, bytes_ = 0;
    const char* fault_ = nullptr;
};

}  // namespace

template <class Value>
Table<Value> table_of(nb::dict mapping, bool float32, std::int64_t threads, std::int64_t chunk,
                      DictProblems& problems) {
    return Walker<Value>(float32, threads, chunk, problems).walk(mapping);
}

template Table<double> table_of<double>(nb::dict, bool, std::int64_t, std::int64_t, DictProblems&);
template Table<std::int64_t> table_of<std::int64_t>(nb::dict, bool, std::int64_t, std::int64_t, DictProblems&);

}  // namespace precall
