// A file, read in pieces into the reader's own memory.
//
// A mapped file would be quicker to take, but it may be cut or rewritten by others at any moment: then what
// was found in it no longer holds, or touching it ends the process. A piece that has been read stays as it is.
// A pipe is read to its end at once.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "memory.hpp"
#include "system.hpp"

namespace precall {

// Others wrote to the file while it was read.
struct FileChanged : std::runtime_error {
    FileChanged() : std::runtime_error("changed while read") {}
};

class File {
  public:
    explicit File(const FileName& name);
    // Memory that belongs to someone else and outlives this.
    explicit File(std::string_view text) : text_(text), size_(text.size()) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    std::size_t size() const { return size_; }

    // The bytes from `begin` to `end`, which are in `room` unless all of the file is in memory.
    std::string_view piece(std::size_t begin, std::size_t end, Column<char>& room) const;

    // Behind the first line feed at or after `from`, else the end.
    std::size_t line_end(std::size_t from) const;

    // Throws if the file is not what it was when it was opened.
    void check_unchanged() const;

  private:
    void read_all();

    std::string_view text_;
    std::string content_;
    std::size_t size_ = 0;
    std::optional<OpenFile> open_;  // where it is read in pieces
    FileState state_;
};

}  // namespace precall
