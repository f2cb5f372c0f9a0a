// A file that others write to while it is read: what each call of pread() finds is the input's choice.
//
// The first bytes choose options and changes, each at a certain call: another byte, a stretch moved, the end cut or
// put back. Reading must end, in a table or in FileChanged; without changes, in the same table as text in memory.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "laws.hpp"
#include "reading.hpp"
#include "tables.hpp"

namespace {

using namespace precall;

struct Change {
    std::uint8_t call, kind;
    std::uint16_t place, size;
    char byte;
};

// What lies in the file now; only its size is on the disk.
std::string now, first;
std::vector<Change> changes;
std::size_t calls = 0;

void apply(const Change& change) {
    if (now.empty()) return;
    const std::size_t at = change.place % now.size(), size = std::min<std::size_t>(change.size, now.size() - at);
    switch (change.kind % 5) {
        case 0: now[at] = change.byte; break;
        case 1: std::fill_n(now.begin() + static_cast<std::ptrdiff_t>(at), size, change.byte); break;
        case 2: std::rotate(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(at), now.end()); break;
        case 3: now.resize(at); break;
        default: now = first;
    }
}

template <class Value>
bool read_file(const std::string& path, const Options& options, Reading<Value>& reading) {
    now = first;
    calls = 0;
    try {
        const File file(path);
        reading = read<Value>(file, options);
    } catch (const FileChanged&) {
        return false;
    }
    return true;
}

template <class Value>
void check(const std::string& path, const Options& options) {
    Reading<Value> reading;
    const bool whole = read_file(path, options, reading);
    if (!changes.empty()) return;
    demand(whole, "a file that nobody changes is read");
    const Reading<Value> text = read<Value>(File(std::string_view(first)), options);
    demand(reading.problems.total == text.problems.total, "a file has the problems of its text");
    if (text.problems.total > 0) return;
    demand(same(reading.table.item_bytes, text.table.item_bytes) && same(reading.table.value, text.table.value) &&
               same(reading.table.row_start, text.table.row_start) && reading.table.tag == text.table.tag,
           "a file has the rows of its text");
}

// The columns of a table, some bytes at a time; none where it is unusual.
void check_columns(const std::string& path, std::size_t piece) {
    Layout layout;
    layout.width = 3;
    layout.place = {0, 2};
    const auto columns = [&](const File& file) { return columns_of(file, 0, layout, "cs", piece); };
    bool usual = true;
    TableColumns found, expected;
    now = first;
    calls = 0;
    try {
        const File file(path);
        found = columns(file);
    } catch (const FileChanged&) {
        demand(!changes.empty(), "a file that nobody changes is read");
    } catch (const Irregular&) {
        usual = false;
    }
    if (!changes.empty()) return;
    try {
        expected = columns(File(std::string_view(first)));
    } catch (const Irregular&) {
        demand(!usual, "a file is as unusual as its text");
        return;
    }
    demand(usual && same(found.score[1], expected.score[1]) && same(found.coded[0].code, expected.coded[0].code) &&
               found.coded[0].bytes == expected.coded[0].bytes,
           "a file has the columns of its text");
}

}  // namespace

// In the place of the C library's. One thread reads, so that calls have an order.
extern "C" ssize_t pread(int, void* buffer, std::size_t count, off_t offset) {
    ++calls;
    for (const Change& change : changes)
        if (change.call == calls) apply(change);
    const auto at = static_cast<std::size_t>(offset);
    if (at >= now.size()) return 0;
    // Systems may give less than what is asked for.
    const std::size_t size = std::min(calls % 3 == 0 ? std::max<std::size_t>(count / 2, 1) : count, now.size() - at);
    std::copy_n(now.data() + at, size, static_cast<char*>(buffer));
    return static_cast<ssize_t>(size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const auto choice = input.take<std::uint8_t>();
    changes.clear();
    for (int i = choice & 3; i > 0; --i) {
        Change change{};
        change.call = input.take<std::uint8_t>() % 16;
        change.kind = input.take<std::uint8_t>();
        change.place = input.take<std::uint16_t>();
        change.size = input.take<std::uint16_t>();
        change.byte = input.take<char>();
        changes.push_back(change);
    }
    Options options;
    options.policy = static_cast<Policy>(choice >> 2 & 3);
    options.chunk = 1 + (choice >> 5) * 23;
    first.assign(reinterpret_cast<const char*>(data) + (size - input.left()), input.left());
    if (first.empty()) return 0;
    static const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/precall-fuzz-" +
                                    std::to_string(getpid());
    const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    demand(file >= 0 && ftruncate(file, static_cast<off_t>(first.size())) == 0, "a file can be made");
    // Written long ago: File would wait for the clock's tick.
    const timespec long_ago[2] = {{1, 0}, {1, 0}};
    demand(futimens(file, long_ago) == 0, "a file can be old");
    close(file);
    choice & 16 ? check<std::int64_t>(path, options) : check<double>(path, options);
    check_columns(path, static_cast<std::size_t>(options.chunk));
    unlink(path.c_str());
    return 0;
}
