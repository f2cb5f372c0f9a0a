// Lists of texts, {topic: [items]} and columns of objects, to ids in one blob.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "columns.hpp"
#include "memory.hpp"

namespace precall {

struct Listed {
    Column<std::uint8_t> bytes;
    Column<std::int64_t> start;      // of each text
    std::vector<std::int64_t> rows;  // where each list begins among the texts, and the end
    bool repeats = false;            // whether a list has a text twice, if that was asked for
};

// Nothing where anything is no list, tuple, set or array of objects, or holds anything but plain texts.
std::optional<Listed> texts_of(nanobind::list lists, bool distinct);

}  // namespace precall
