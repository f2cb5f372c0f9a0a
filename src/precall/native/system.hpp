// What the kernel asks of the operating system: files to read and pages of memory. By POSIX calls, or by those of Windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace precall {

// As the system takes it: bytes, or UTF-16.
#if defined(_WIN32)
using FileName = std::wstring;
#else
using FileName = std::string;
#endif

struct FileError : std::runtime_error {
    explicit FileError(int number) : std::runtime_error("cannot read"), number(number) {}
    int number;  // errno
};

// What is another when others write to a file. When they wrote is the system's own number.
struct FileState {
    std::int64_t size = 0, seconds = 0, parts = 0;
    bool operator==(const FileState&) const = default;
};

// Open until this ends. A folder is an error.
class OpenFile {
  public:
    explicit OpenFile(const FileName& name);
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile();

    // Neither a pipe nor a device: has a size, and places to read at.
    bool is_regular() const;
    FileState state() const;

    // What comes next, at most so many bytes; 0 at the end.
    std::size_t read(char* to, std::size_t size);
    // The same of those at `offset`, by several threads at once.
    std::size_t read_at(char* to, std::size_t size, std::size_t offset) const;
    // All of it will be read, from its begin on.
    void will_be_read();

  private:
    int descriptor_;
};

// File systems' clocks tick some hundred times a second: what is written within the tick of an earlier write leaves no
// trace. So that whatever happens from now on does, this waits until the tick of the last write is over.
void wait_for_tick(const FileState& state);

// Pages of zeros, which become real as they are written. Sizes are any; of `shrink_pages` and `grow_pages` both are in bytes.
void* map_pages(std::size_t size);
void unmap_pages(void* at, std::size_t size) noexcept;
// Gives the pages behind `new_size` back.
void shrink_pages(void* at, std::size_t size, std::size_t new_size) noexcept;
// Gives back the pages that lie within these bytes, which nobody will look at again.
void drop_pages(void* from, std::size_t size) noexcept;
// The same pages with more behind them, maybe elsewhere; none where the system cannot move them.
void* grow_pages(void* at, std::size_t size, std::size_t new_size);

}  // namespace precall
