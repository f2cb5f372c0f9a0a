#include "system.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <new>
#include <utility>

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace precall {

namespace {

constexpr int MOST_TICKS = 20;  // milliseconds

std::size_t page_size() {
#if defined(_WIN32)
    SYSTEM_INFO system{};
    GetSystemInfo(&system);
    return system.dwPageSize;
#else
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#endif
}

std::size_t whole_pages(std::size_t bytes) {
    static const std::size_t page = page_size();
    if (bytes > SIZE_MAX - page) throw std::bad_alloc();
    return bytes == 0 ? page : (bytes + page - 1) / page * page;
}

// The whole pages among these bytes.
std::pair<char*, std::size_t> pages_within(void* from, std::size_t size) {
    const std::size_t page = whole_pages(0), before = (page - reinterpret_cast<std::uintptr_t>(from) % page) % page;
    return {static_cast<char*>(from) + before, size > before ? (size - before) / page * page : 0};
}

}  // namespace

#if defined(_WIN32)

namespace {

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

// Windows' files have one number for the time, in tenths of a microsecond.
std::int64_t joined(DWORD high, DWORD low) { return static_cast<std::int64_t>(high) << 32 | low; }

// The C library takes sizes as int.
unsigned at_once(std::size_t size) { return static_cast<unsigned>(std::min(size, std::size_t{1} << 30)); }

}  // namespace

// By the C library, so that errors have its numbers. Others may write meanwhile, as they may elsewhere.
OpenFile::OpenFile(const FileName& name) : descriptor_(-1) {
    const errno_t failed = _wsopen_s(&descriptor_, name.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT, _SH_DENYNO, 0);
    if (failed != 0) throw FileError(failed);
}

OpenFile::~OpenFile() { _close(descriptor_); }

bool OpenFile::is_regular() const { return GetFileType(handle_of(descriptor_)) == FILE_TYPE_DISK; }

// NTFS may tell the time of a write only when the writer closes the file; the size it tells at once.
FileState OpenFile::state() const {
    BY_HANDLE_FILE_INFORMATION status{};
    if (!GetFileInformationByHandle(handle_of(descriptor_), &status)) throw FileError(EIO);
    const FILETIME written = status.ftLastWriteTime;
    return {joined(status.nFileSizeHigh, status.nFileSizeLow), 0, joined(written.dwHighDateTime, written.dwLowDateTime)};
}

std::size_t OpenFile::read(char* to, std::size_t size) {
    const int count = _read(descriptor_, to, at_once(size));
    if (count < 0) throw FileError(errno);
    return static_cast<std::size_t>(count);
}

std::size_t OpenFile::read_at(char* to, std::size_t size, std::size_t offset) const {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset & 0xFFFFFFFFu);
    place.OffsetHigh = static_cast<DWORD>(static_cast<std::uint64_t>(offset) >> 32);
    DWORD count = 0;
    if (ReadFile(handle_of(descriptor_), to, at_once(size), &count, &place)) return count;
    if (GetLastError() == ERROR_HANDLE_EOF) return 0;
    throw FileError(EIO);
}

void OpenFile::will_be_read() {}

void wait_for_tick(const FileState& state) {
    for (int i = 0; i < MOST_TICKS; ++i) {
        FILETIME now{};
        GetSystemTimeAsFileTime(&now);
        if (joined(now.dwHighDateTime, now.dwLowDateTime) != state.parts) return;
        Sleep(1);
    }
}

void* map_pages(std::size_t size) {
    void* const at = VirtualAlloc(nullptr, whole_pages(size), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (at == nullptr) throw std::bad_alloc();
    return at;
}

void unmap_pages(void* at, std::size_t) noexcept { VirtualFree(at, 0, MEM_RELEASE); }

// Addresses stay reserved, memory does not.
void shrink_pages(void* at, std::size_t size, std::size_t new_size) noexcept {
    const std::size_t kept = whole_pages(new_size), behind = whole_pages(size) - kept;
    if (behind > 0) VirtualFree(static_cast<char*>(at) + kept, behind, MEM_DECOMMIT);
}

void drop_pages(void* from, std::size_t size) noexcept {
    const auto [begin, inside] = pages_within(from, size);
    if (inside > 0) VirtualFree(begin, inside, MEM_DECOMMIT);
}

void* grow_pages(void*, std::size_t, std::size_t) { return nullptr; }

#else

namespace {

#if defined(__APPLE__)
const timespec& written(const struct stat& status) { return status.st_mtimespec; }
#else
const timespec& written(const struct stat& status) { return status.st_mtim; }
#endif

struct stat status_of(int descriptor) {
    struct stat status{};
    if (fstat(descriptor, &status) != 0) throw FileError(errno);
    return status;
}

// `take` until no signal comes between.
template <class Take>
std::size_t taken(const Take& take) {
    for (;;) {
        const ssize_t count = take();
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) throw FileError(errno);
    }
}

// Large pages make first touches cheap. The kernel uses them only where one fits in whole, so that what is
// smaller stays as it is and nothing is wasted behind the end.
constexpr std::size_t LARGE = std::size_t{2} << 20;

void ask_for_large_pages(void* at, std::size_t size) {
#ifdef MADV_HUGEPAGE
    if (size >= LARGE) madvise(at, whole_pages(size), MADV_HUGEPAGE);
#else
    (void)at;
    (void)size;
#endif
}

void* mapped(std::size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return at;
}

// So that a large page ends where the pages do. What is written from its end on, as the rows of a curve are, takes no memory
// before it is reached; and behind the end nothing is wasted.
void* mapped_large(std::size_t size) {
    char* const begin = static_cast<char*>(mapped(size + LARGE));
    const std::size_t before = (LARGE - reinterpret_cast<std::uintptr_t>(begin + size) % LARGE) % LARGE;
    if (before > 0) munmap(begin, before);
    munmap(begin + before + size, LARGE - before);
    return begin + before;
}

}  // namespace

OpenFile::OpenFile(const FileName& name) : descriptor_(open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw FileError(errno);
    struct stat status{};
    const int failed = fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (failed == 0) return;
    close(descriptor_);
    throw FileError(failed);
}

OpenFile::~OpenFile() { close(descriptor_); }

bool OpenFile::is_regular() const { return S_ISREG(status_of(descriptor_).st_mode); }

FileState OpenFile::state() const {
    const struct stat status = status_of(descriptor_);
    return {status.st_size, written(status).tv_sec, written(status).tv_nsec};
}

std::size_t OpenFile::read(char* to, std::size_t size) {
    return taken([&] { return ::read(descriptor_, to, size); });
}

std::size_t OpenFile::read_at(char* to, std::size_t size, std::size_t offset) const {
    return taken([&] { return pread(descriptor_, to, size, static_cast<off_t>(offset)); });
}

void OpenFile::will_be_read() {
#if defined(POSIX_FADV_SEQUENTIAL)
    posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

void wait_for_tick(const FileState& state) {
#if defined(CLOCK_REALTIME_COARSE)
    for (int i = 0; i < MOST_TICKS; ++i) {
        timespec now{};
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
        if (now.tv_sec != state.seconds || now.tv_nsec != state.parts) return;
        const timespec millisecond{0, 1'000'000};
        nanosleep(&millisecond, nullptr);
    }
#else
    (void)state;
#endif
}

void* map_pages(std::size_t size) {
    const std::size_t whole = whole_pages(size);
    void* const at = whole < LARGE ? mapped(whole) : mapped_large(whole);
    ask_for_large_pages(at, size);
    return at;
}

void unmap_pages(void* at, std::size_t size) noexcept { munmap(at, whole_pages(size)); }

void shrink_pages(void* at, std::size_t size, std::size_t new_size) noexcept {
    const std::size_t kept = whole_pages(new_size), behind = whole_pages(size) - kept;
    if (behind > 0) munmap(static_cast<char*>(at) + kept, behind);
}

void drop_pages(void* from, std::size_t size) noexcept {
    const auto [begin, inside] = pages_within(from, size);
    if (inside > 0) madvise(begin, inside, MADV_DONTNEED);
}

void* grow_pages(void* at, std::size_t size, std::size_t new_size) {
#ifdef MREMAP_MAYMOVE
    const std::size_t whole = whole_pages(size), new_whole = whole_pages(new_size);
    if (new_whole == whole) return at;
    void* const moved = mremap(at, whole, new_whole, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    ask_for_large_pages(moved, new_whole);
    return moved;
#else
    (void)at;
    (void)size;
    (void)new_size;
    return nullptr;
#endif
}

#endif

}  // namespace precall
