#include "file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace precall {

namespace {

class Descriptor {
  public:
    explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (number_ < 0) throw FileError(errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(number_); }
    int number() const { return number_; }

  private:
    int number_;
};

}  // namespace

File::File(const std::string& path) {
    const Descriptor descriptor(path);
    struct stat status{};
    if (fstat(descriptor.number(), &status) != 0) throw FileError(errno);
    if (S_ISDIR(status.st_mode)) throw FileError(EISDIR);
    // Files of /proc claim to be regular and empty; reading tells the truth about them.
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        map(descriptor.number(), static_cast<std::size_t>(status.st_size));
    } else {
        read(descriptor.number());
    }
}

File::~File() {
    if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

void File::map(int descriptor, std::size_t size) {
    void* at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at == MAP_FAILED) {
        read(descriptor);
        return;
    }
    mapping_ = at;
    mapped_ = size;
    text_ = std::string_view(static_cast<const char*>(at), size);
    madvise(at, size, MADV_SEQUENTIAL);
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
}

void File::forget(std::size_t begin, std::size_t end) const {
    if (mapping_ == nullptr) return;
    static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    // Whole pages only: the ends may still be in use by the neighbours.
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (begin < end) madvise(static_cast<char*>(mapping_) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace precall
