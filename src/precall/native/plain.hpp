// Rows of dicts that hold nothing but the plainest objects, read by several threads.
//
// The calling thread keeps the GIL throughout, so no Python code runs and nothing is changed or
// freed. The others only look at memory: at dicts, ASCII strings, floats and small integers, whose
// types are exactly these. They touch no reference count and call nothing that allocates or raises.
// What is not plain is left to the caller, with nothing of its batch taken.
#pragma once

#include <Python.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "pairs.hpp"

namespace precall {

// How strings and integers lie in memory is known for these versions only, and not to abi3 builds.
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030C0000
#define PRECALL_KNOWS_OBJECTS 1
#else
#define PRECALL_KNOWS_OBJECTS 0
#endif

template <class Value>
class PlainReader {
  public:
    // A thread takes `chunk` rows at a time, 0 for the default. A batch is some such chunks, which bounds the
    // memory that is needed beside the table.
    PlainReader(bool float32, std::int64_t threads, std::int64_t chunk);

    // For so few rows starting threads costs more than it saves.
    bool is_worth(std::size_t rows) const;

    // How many of the topics make the next batch: none where the first is not plain.
    std::size_t batch_of(std::span<const Pair> topics) const;

    // Appends the rows of a batch to a table of `rows` rows and `bytes` bytes of items. False, and the table
    // holds what it held, where something is not plain or one thread does as well.
    bool append(std::span<const Pair> topics, Table<Value>& table, std::size_t rows, std::size_t& bytes);

  private:
    // Some topics for one thread. Their items are together in `text` until it is known where they go.
    struct Chunk {
        std::span<const Pair> topics;
        std::size_t row = 0, rows = 0, size = 0, place = 0;
        std::vector<std::uint8_t> text;
    };

    void divide(std::span<const Pair> topics, std::size_t row);
    bool read_all(Table<Value>& table);
    bool read(Chunk& chunk, std::vector<Pair>& pairs, Table<Value>& table) const;
    void place(const Chunk& chunk, Table<Value>& table) const;
    int threads() const;

    const bool float32_;
    const int threads_;
    const std::size_t chunk_;
    std::vector<Chunk> chunks_;
    std::size_t count_ = 0;  // of chunks in use; the others keep their memory for later batches
    bool met_other_ = false;
};

}  // namespace precall
