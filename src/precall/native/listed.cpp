// Texts are looked at where they lie: no Python code runs and no objects are made, so that nothing is changed or freed.
// What is in the way of that ends the reading. A text with lone surrogates makes an exception, after which nothing is
// looked at any more.
#include "listed.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "encoded.hpp"
#include "hashing.hpp"
#include "imported.hpp"
#include "pairs.hpp"

namespace nb = nanobind;

namespace precall {

namespace {

constexpr std::size_t BLOCK = 64;

// Other classes may run Python code when they are asked for their memory.
constinit Imported array_type{"numpy", "ndarray"};

bool is_array(PyObject* list) {
    return reinterpret_cast<PyObject*>(Py_TYPE(list)) == array_type.get();
}

// Objects one after another, at equal distances in memory.
class Cells {
  public:
    explicit Cells(PyObject* list) {
        if (is_array(list)) {
            of_array(list);
        } else if (PyList_CheckExact(list) || PyTuple_CheckExact(list) || PyAnySet_CheckExact(list)) {
            of_sequence(list);
        }
    }
    Cells(const Cells&) = delete;
    Cells& operator=(const Cells&) = delete;
    ~Cells() {
        if (view_.obj != nullptr) PyBuffer_Release(&view_);
    }

    bool are_known() const { return known_; }
    std::size_t size() const { return size_; }
    PyObject* operator[](std::size_t index) const {
        PyObject* cell = nullptr;  // which may lie at any address, as in a field of packed records
        std::memcpy(&cell, at_ + static_cast<Py_ssize_t>(index) * stride_, sizeof cell);
        return cell;
    }

  private:
    void of_array(PyObject* array) {
        if (PyObject_GetBuffer(array, &view_, PyBUF_RECORDS_RO) != 0) {
            forgive();
            return;
        }
        if (view_.ndim != 1 || view_.format == nullptr || std::string_view(view_.format) != "O") return;
#if defined(Py_GIL_DISABLED)
        of_sequence(array);
#else
        at_ = static_cast<const char*>(view_.buf);
        stride_ = view_.strides[0];
        size_ = static_cast<std::size_t>(view_.shape[0]);
        known_ = true;
#endif
    }

    void of_sequence(PyObject* list) {
#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED)
        const bool copied = !PyTuple_CheckExact(list);
#else
        const bool copied = PyAnySet_CheckExact(list);
#endif
        // Without the GIL other threads may change anything but a copy; a set can only be copied.
        kept_ = copied ? nb::steal(PySequence_Tuple(list)) : nb::borrow(list);
        if (!kept_.is_valid()) throw nb::python_error();
#if defined(Py_LIMITED_API)
        size_ = static_cast<std::size_t>(PyTuple_Size(kept_.ptr()));
        for (std::size_t i = 0; i < size_; ++i) {
            cells_.push_back(PyTuple_GetItem(kept_.ptr(), static_cast<Py_ssize_t>(i)));
        }
        at_ = reinterpret_cast<const char*>(cells_.data());
#else
        size_ = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(kept_.ptr()));
        at_ = reinterpret_cast<const char*>(PySequence_Fast_ITEMS(kept_.ptr()));
#endif
        known_ = true;
    }

    Py_buffer view_{};
    nb::object kept_;
    std::vector<PyObject*> cells_;
    const char* at_ = nullptr;
    Py_ssize_t stride_ = sizeof(PyObject*);
    std::size_t size_ = 0;
    bool known_ = false;
};

class Reader {
  public:
    explicit Reader(bool distinct) : distinct_(distinct), key_(secret()) {}

    bool read(const nb::list& lists) {
        array_type.get();  // found before anything is looked at
        listed_.rows.push_back(0);
        for (const nb::handle list : lists) {
            const Cells cells(list.ptr());
            if (!cells.are_known()) return false;
            const std::size_t begin = rows_;
            if (!append(cells)) return false;
            listed_.rows.push_back(static_cast<std::int64_t>(rows_));
            if (distinct_ && !listed_.repeats) listed_.repeats = has_repeats(begin);
        }
        listed_.start.resize(rows_ + 1);
        listed_.start[rows_] = static_cast<std::int64_t>(size_);
        listed_.bytes.resize(size_);
        return true;
    }

    Listed take() { return std::move(listed_); }

  private:
    // Some texts at a time, so that there is one look for room, and many are fetched while one is copied. Where a text begins and how
    // long it is are kept apart: both at once would have to be read from memory before they are there.
    bool append(const Cells& cells) {
        listed_.start.ensure(rows_ + cells.size() + 1);
        std::array<const char*, BLOCK> texts;
        std::array<std::size_t, BLOCK> sizes;
        PyObject* before = nullptr;
        const char* text = nullptr;
        std::size_t size = 0;
        for (std::size_t from = 0; from < cells.size(); from += BLOCK) {
            const std::size_t count = std::min(BLOCK, cells.size() - from);
            std::size_t bytes = 0;
            for (std::size_t i = 0; i < count; ++i) {
                if (from + i + AHEAD < cells.size()) fetch(cells[from + i + AHEAD]);
                PyObject* const cell = cells[from + i];
                // Columns of topics have the same object again and again.
                if (cell == nullptr) return false;
                if (cell != before) {
                    if (!PyUnicode_CheckExact(cell)) return false;
                    const auto given = encoded(cell);
                    if (!given) return false;
                    text = given->data();
                    size = given->size();
                    before = cell;
                }
                texts[i] = text;
                sizes[i] = size;
                bytes += size;
            }
            listed_.bytes.ensure(size_ + bytes);
            std::uint8_t* const to = listed_.bytes.data();
            for (std::size_t i = 0; i < count; ++i) {
                copy_text(to + size_, {texts[i], sizes[i]});
                listed_.start[rows_++] = static_cast<std::int64_t>(size_);
                size_ += sizes[i];
            }
        }
        return true;
    }

    bool has_repeats(std::size_t begin) {
        seen_.reset(static_cast<std::int64_t>(rows_ - begin));
        listed_.start[rows_] = static_cast<std::int64_t>(size_);
        const Ids ids{listed_.bytes.data(), listed_.start.data() + begin, static_cast<std::int64_t>(rows_ - begin)};
        for (std::int64_t i = 0; i < ids.count; ++i) {
            const auto equal = [&](std::int64_t other) { return ids[other] == ids[i]; };
            if (seen_.find_or_add(hash(ids[i], key_), i, equal) != RowTable::NONE) return true;
        }
        return false;
    }

    const bool distinct_;
    const Secret key_;
    RowTable seen_;
    Listed listed_;
    std::size_t rows_ = 0, size_ = 0;
};

}  // namespace

std::optional<Listed> texts_of(nb::list lists, bool distinct) {
    Reader reader(distinct);
    if (!reader.read(lists)) return std::nullopt;
    return reader.take();
}

}  // namespace precall
