// Arrays in and out: what NumPy gives, and columns that NumPy then owns.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "memory.hpp"

namespace precall {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// What is changed in its place.
template <class T>
using Places = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A NumPy array that owns the column's memory.
template <class T>
inline nb::object array(Column<T>&& column) {
    auto* const kept = new Column<T>(std::move(column));
    nb::capsule owner(kept, [](void* at) noexcept { delete static_cast<Column<T>*>(at); });
    nb::object made = nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
    // nanobind says "long long", which NumPy prints as foreign where int64 is "long": array([2], dtype=int64).
    return std::is_same_v<T, std::int64_t> ? made.attr("view")("int64") : made;
}

}  // namespace precall
