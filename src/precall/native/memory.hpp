// Memory for columns, straight from the operating system.
//
// How many rows a file holds is known only when it has been read, but an upper bound is known at
// once. So a column reserves address space for the bound, pages become real as they are written,
// and the rest is given back at the end: no copy, no second array, no growth by doubling. Short columns come from the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace precall {

void* reserve_pages(std::size_t bytes);
void* resize_pages(void* at, std::size_t old_bytes, std::size_t new_bytes);
void release_pages(void* at, std::size_t bytes) noexcept;
// Of `bytes` from `at` on, those from `first` on are not needed any more.
void forget_pages(void* at, std::size_t bytes, std::size_t first, std::size_t size) noexcept;

template <class T>
class Column {
  public:
    Column() = default;
    explicit Column(std::size_t count)
        : at_(static_cast<T*>(reserve_pages(bytes(count)))), room_(count), size_(count) {}
    explicit Column(const std::vector<T>& values) : Column(values.size()) {
        if (!values.empty()) std::memcpy(at_, values.data(), values.size() * sizeof(T));
    }
    Column(Column&& other) noexcept { swap(other); }
    Column& operator=(Column&& other) noexcept {
        swap(other);
        return *this;
    }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    ~Column() {
        if (at_ != nullptr) release_pages(at_, bytes(room_));
    }

    T* data() { return at_; }
    const T* data() const { return at_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t index) { return at_[index]; }
    const T& operator[](std::size_t index) const { return at_[index]; }

    // Another number of elements; those that fit stay as they are, those that never were are zero.
    void resize(std::size_t count) {
        if (at_ == nullptr) {
            *this = Column(count);
        } else if (bytes(count) != bytes(room_)) {
            at_ = static_cast<T*>(resize_pages(at_, bytes(room_), bytes(count)));
            room_ = count;
        }
        size_ = count;
    }

    // At least this many elements without moving again soon.
    void ensure(std::size_t count) {
        if (count > room_ || at_ == nullptr) resize(count + count / 2);
    }

    // Nobody will look at these elements again: memory goes back before the whole column does.
    void forget(std::size_t first, std::size_t count) noexcept {
        forget_pages(at_, bytes(room_), first * sizeof(T), count * sizeof(T));
    }

    void swap(Column& other) noexcept {
        std::swap(at_, other.at_);
        std::swap(room_, other.room_);
        std::swap(size_, other.size_);
    }

  private:
    // Sixteen bytes of slack, so that short texts may be copied by whole registers.
    static std::size_t bytes(std::size_t count) { return count * sizeof(T) + 16; }

    T* at_ = nullptr;
    std::size_t room_ = 0;
    std::size_t size_ = 0;
};

// Room for numbers that nobody reads before they are written, used again and again. A few megabytes come from the heap, whose
// pages are there already, more from the system in large pages.
template <class T>
class Scratch {
  public:
    // At least so many elements; those that were there are lost.
    T* ensure(std::size_t count) {
        if (count <= room_) return at_;
        room_ = 0;
        if (count * sizeof(T) < large) {
            heap_ = std::make_unique_for_overwrite<T[]>(count);
            at_ = heap_.get();
        } else {
            heap_.reset();
            pages_ = Column<T>(count);
            at_ = pages_.data();
        }
        room_ = count;
        return at_;
    }

  private:
    static constexpr std::size_t large = std::size_t{8} << 20;

    std::unique_ptr<T[]> heap_;
    Column<T> pages_;
    T* at_ = nullptr;
    std::size_t room_ = 0;
};

// Copies a short text where both sides have 16 bytes to spare; `copy_text` needs no such promise.
inline void copy_padded(std::uint8_t* to, const char* from, std::size_t size) {
    std::memcpy(to, from, 16);
    if (size > 16) std::memcpy(to + 16, from + 16, size - 16);
}

template <class Word>
inline void copy_ends(std::uint8_t* to, std::string_view text) {
    Word head = 0, tail = 0;
    std::memcpy(&head, text.data(), sizeof(Word));
    std::memcpy(&tail, text.data() + text.size() - sizeof(Word), sizeof(Word));
    std::memcpy(to, &head, sizeof(Word));
    std::memcpy(to + text.size() - sizeof(Word), &tail, sizeof(Word));
}

// Most ids have up to 16 bytes: two overlapping words, or three bytes, instead of a call.
inline void copy_text(std::uint8_t* to, std::string_view text) {
    const std::size_t size = text.size();
    if (size >= 8 && size <= 16) {
        copy_ends<std::uint64_t>(to, text);
    } else if (size >= 4 && size < 8) {
        copy_ends<std::uint32_t>(to, text);
    } else if (size > 16) {
        std::memcpy(to, text.data(), size);
    } else if (size > 0) {
        const char* const from = text.data();
        const char first = from[0], middle = from[size / 2], last = from[size - 1];
        to[0] = static_cast<std::uint8_t>(first);
        to[size / 2] = static_cast<std::uint8_t>(middle);
        to[size - 1] = static_cast<std::uint8_t>(last);
    }
}

}  // namespace precall
