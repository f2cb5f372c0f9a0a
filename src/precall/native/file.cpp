#include "file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

namespace precall {

namespace {

// What is looked at in search of a line's end; lines are short.
constexpr std::size_t WINDOW = 512;
constexpr std::size_t WIDEST = std::size_t{1} << 20;

#if defined(__APPLE__)
const timespec& written(const struct stat& status) {
    return status.st_mtimespec;
}
#else
const timespec& written(const struct stat& status) {
    return status.st_mtim;
}
#endif

bool is_same(const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

std::size_t find_line_end(std::string_view text, std::size_t from) {
    const std::size_t end = text.find('\n', from);
    return end == std::string_view::npos ? end : end + 1;
}

bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_size == b.st_size && is_same(written(a), written(b));
}

// Closes the file of a constructor that throws.
class Descriptor {
  public:
    explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (number_ < 0) throw FileError(errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }

  private:
    int number_;
};

struct stat status_of(int descriptor) {
    struct stat status{};
    if (fstat(descriptor, &status) != 0) throw FileError(errno);
    return status;
}

// The file system's clock ticks some hundred times a second: what is written within the tick of an earlier write
// leaves no trace. So that whatever happens from now on does, the tick of the last write must be over.
void wait_for_tick(const struct stat& status) {
#if defined(CLOCK_REALTIME_COARSE)
    for (int i = 0; i < 20; ++i) {
        timespec now{};
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
        if (!is_same(now, written(status))) return;
        const timespec millisecond{0, 1'000'000};
        nanosleep(&millisecond, nullptr);
    }
#else
    (void)status;
#endif
}

}  // namespace

File::File(const std::string& path) {
    Descriptor descriptor(path);
    opened_ = status_of(descriptor.number());
    if (S_ISDIR(opened_.st_mode)) throw FileError(EISDIR);
    if (!S_ISREG(opened_.st_mode)) {
        read(descriptor.number());
        return;
    }
    // What is written meanwhile is a change, too.
    wait_for_tick(opened_);
    // Files of /proc claim to be empty; reading tells the truth about them.
    if (opened_.st_size == 0) {
        read(descriptor.number());
        if (!is_same(status_of(descriptor.number()), opened_)) throw FileChanged();
        return;
    }
    size_ = static_cast<std::size_t>(opened_.st_size);
#if defined(POSIX_FADV_SEQUENTIAL)
    posix_fadvise(descriptor.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
    descriptor_ = descriptor.release();
}

File::~File() {
    if (descriptor_ >= 0) close(descriptor_);
}

void File::read(int descriptor) {
    std::size_t size = 0;
    for (;;) {
        if (content_.size() - size < (1u << 16)) content_.resize(content_.size() * 2 + (1u << 17));
        const ssize_t count = ::read(descriptor, content_.data() + size, content_.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(errno);
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    content_.resize(size);
    text_ = content_;
    size_ = size;
}

std::string_view File::piece(std::size_t begin, std::size_t end, Column<char>& room) const {
    if (descriptor_ < 0) return text_.substr(begin, end - begin);
    const std::size_t size = end - begin;
    room.ensure(size);
    for (std::size_t at = 0; at < size;) {
        const ssize_t count = pread(descriptor_, room.data() + at, size - at, static_cast<off_t>(begin + at));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(errno);
        if (count == 0) throw FileChanged();
        at += static_cast<std::size_t>(count);
    }
    return {room.data(), size};
}

std::size_t File::line_end(std::size_t from) const {
    if (descriptor_ < 0) return std::min(find_line_end(text_, from), size_);
    Column<char> room;
    for (std::size_t width = WINDOW; from < size_; from += width, width = std::min(2 * width, WIDEST)) {
        const std::size_t end = find_line_end(piece(from, std::min(from + width, size_), room), 0);
        if (end != std::string_view::npos) return from + end;
    }
    return size_;
}

void File::check_unchanged() const {
    if (descriptor_ >= 0 && !is_same(status_of(descriptor_), opened_)) throw FileChanged();
}

}  // namespace precall
