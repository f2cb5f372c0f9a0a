// The pairs of a dict as pointers, listed first and read afterwards.
//
// Millions of small objects lie all over memory: fetching them is what takes the time. While one
// pair is read, those some places ahead are already being fetched.
#pragma once

#include <Python.h>

#include <cstddef>
#include <vector>

namespace precall {

constexpr std::size_t AHEAD = 12;

struct Pair {
    PyObject* key;
    PyObject* value;
};

// A text, with its letters.
inline void fetch(const PyObject* text) {
#if defined(__GNUC__)
    __builtin_prefetch(text);
    __builtin_prefetch(reinterpret_cast<const char*>(text) + 48);
#else
    (void)text;
#endif
}

inline void fetch(const Pair& pair) {
    fetch(pair.key);
#if defined(__GNUC__)
    __builtin_prefetch(pair.value);
#endif
}

// The pairs of a dict behind those that are there already.
inline void list_pairs(PyObject* dict, std::vector<Pair>& pairs) {
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value) != 0;) pairs.push_back({key, value});
}

}  // namespace precall
