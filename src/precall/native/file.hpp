// A file as one piece of memory.
//
// A regular file is mapped: pages come as they are read and are given back as soon as they have
// been, so that a file of any size takes little memory. A pipe is read to its end instead.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace precall {

struct FileError : std::runtime_error {
    explicit FileError(int number) : std::runtime_error("cannot read"), number(number) {}
    int number;  // errno
};

class File {
  public:
    explicit File(const std::string& path);
    // Memory that belongs to someone else and outlives this.
    explicit File(std::string_view text) : text_(text) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();

    std::string_view text() const { return text_; }

    // This part will not be needed soon.
    void forget(std::size_t begin, std::size_t end) const;

  private:
    void map(int descriptor, std::size_t size);
    void read(int descriptor);

    std::string_view text_;
    std::string content_;
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
};

}  // namespace precall
