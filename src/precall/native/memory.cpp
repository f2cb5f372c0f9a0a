#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace precall {

namespace {

std::size_t whole_pages(std::size_t bytes) {
    static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (bytes > SIZE_MAX - page) throw std::bad_alloc();
    return bytes == 0 ? page : (bytes + page - 1) / page * page;
}

// Large pages make first touches cheap. The kernel uses them only where one fits in whole, so that what is
// smaller stays as it is and nothing is wasted behind the end.
constexpr std::size_t LARGE = std::size_t{2} << 20;

void ask_for_large_pages(void* at, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    if (bytes >= LARGE) madvise(at, whole_pages(bytes), MADV_HUGEPAGE);
#else
    (void)at;
    (void)bytes;
#endif
}

void* map_pages(std::size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return at;
}

// From where a large page may begin.
void* map_aligned(std::size_t size) {
    char* const begin = static_cast<char*>(map_pages(size + LARGE));
    const std::size_t before = (LARGE - reinterpret_cast<std::uintptr_t>(begin) % LARGE) % LARGE;
    if (before > 0) munmap(begin, before);
    munmap(begin + before + size, LARGE - before);
    return begin + before;
}

// A map of its own costs a few microseconds, which is most of the time that a short column takes.
constexpr std::size_t SHORT = std::size_t{32} << 10;

void* reserve_short(std::size_t bytes) {
    void* const at = std::calloc(bytes, 1);
    if (at == nullptr) throw std::bad_alloc();
    return at;
}

}  // namespace

void* reserve_pages(std::size_t bytes) {
    if (bytes <= SHORT) return reserve_short(bytes);
    const std::size_t size = whole_pages(bytes);
    void* const at = size < LARGE ? map_pages(size) : map_aligned(size);
    ask_for_large_pages(at, bytes);
    return at;
}

void* resize_pages(void* at, std::size_t old_bytes, std::size_t new_bytes) {
    if (old_bytes <= SHORT || new_bytes <= SHORT) {
        void* const moved = reserve_pages(new_bytes);
        std::memcpy(moved, at, std::min(old_bytes, new_bytes));
        release_pages(at, old_bytes);
        return moved;
    }
    const std::size_t old_size = whole_pages(old_bytes), new_size = whole_pages(new_bytes);
    if (new_size == old_size) return at;
    if (new_size < old_size) {
        munmap(static_cast<char*>(at) + new_size, old_size - new_size);
        return at;
    }
#ifdef MREMAP_MAYMOVE
    void* moved = mremap(at, old_size, new_size, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    ask_for_large_pages(moved, new_size);
#else
    void* moved = reserve_pages(new_bytes);
    std::memcpy(moved, at, old_size);
    munmap(at, old_size);
#endif
    return moved;
}

void release_pages(void* at, std::size_t bytes) noexcept {
    if (bytes <= SHORT) return std::free(at);
    munmap(at, whole_pages(bytes));
}

}  // namespace precall
