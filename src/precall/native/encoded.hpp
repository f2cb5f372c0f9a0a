// Texts of Python as UTF-8.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace precall {

// An exception that is no bug of the value, but an interrupt or a lack of memory, must not be swallowed.
inline void forgive() {
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        throw nanobind::python_error();
    }
    PyErr_Clear();
}

// Whether its UTF-8 is there already; builds for every Python cannot tell.
inline bool is_ascii(PyObject* text) {
#if !defined(Py_LIMITED_API)
    return PyUnicode_Check(text) && PyUnicode_IS_COMPACT_ASCII(text);
#else
    (void)text;
    return false;
#endif
}

// An id in UTF-8; nothing for what is no string, or has lone surrogates.
inline std::optional<std::string_view> encoded(PyObject* text) {
    if (!PyUnicode_Check(text)) return std::nullopt;
#if !defined(Py_LIMITED_API)
    if (is_ascii(text)) {
        const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
        return std::string_view(reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(text)), size);
    }
#endif
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == nullptr) {
        forgive();
        return std::nullopt;
    }
    return std::string_view(bytes, static_cast<std::size_t>(size));
}

}  // namespace precall
