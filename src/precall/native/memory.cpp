#include "memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "system.hpp"

namespace precall {

namespace {

// A map of its own costs a few microseconds, which is most of the time that a short column takes.
constexpr std::size_t SHORT = std::size_t{256} << 10;

void* reserve_short(std::size_t bytes) {
    void* const at = std::calloc(bytes, 1);
    if (at == nullptr) throw std::bad_alloc();
    return at;
}

void* moved_to(void* to, void* at, std::size_t old_bytes, std::size_t new_bytes) {
    std::memcpy(to, at, std::min(old_bytes, new_bytes));
    release_pages(at, old_bytes);
    return to;
}

}  // namespace

void* reserve_pages(std::size_t bytes) { return bytes <= SHORT ? reserve_short(bytes) : map_pages(bytes); }

void* resize_pages(void* at, std::size_t old_bytes, std::size_t new_bytes) {
    if (old_bytes > SHORT && new_bytes > SHORT) {
        if (new_bytes <= old_bytes) {
            shrink_pages(at, old_bytes, new_bytes);
            return at;
        }
        if (void* const grown = grow_pages(at, old_bytes, new_bytes)) return grown;
    }
    return moved_to(reserve_pages(new_bytes), at, old_bytes, new_bytes);
}

void forget_pages(void* at, std::size_t bytes, std::size_t first, std::size_t size) noexcept {
    if (bytes > SHORT) drop_pages(static_cast<char*>(at) + first, size);
}

void release_pages(void* at, std::size_t bytes) noexcept {
    bytes <= SHORT ? std::free(at) : unmap_pages(at, bytes);
}

}  // namespace precall
