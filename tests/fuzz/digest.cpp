// What the kernel makes of files and of scored cases, as text: two systems must print the same.
//
//     digest < NAMES     the names of files, in UTF-8, one on a line
//
// Windows reads files and asks for memory by other calls than POSIX systems do, and by another C library.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "counting.hpp"
#include "laws.hpp"
#include "locating.hpp"
#include "reading.hpp"

namespace {

using namespace precall;

constexpr std::int64_t CASES[] = {1, 10, 1000, 16'383, 200'000};

// FNV-1a; the kernel's own hash begins elsewhere in each process.
std::uint64_t mixed(const void* data, std::size_t size) {
    std::uint64_t state = 0xcbf29ce484222325u;
    const auto* const at = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) state = (state ^ at[i]) * 0x100000001b3u;
    return state;
}

template <class T>
void tell(const char* what, const Column<T>& column) {
    std::printf(" %s %zu %016llx", what, column.size(),
                static_cast<unsigned long long>(mixed(column.data(), column.size() * sizeof(T))));
}

void tell(const Problems& problems) {
    std::printf("  %lld problems\n", static_cast<long long>(problems.total));
    for (const Problem& problem : problems.first) {
        std::printf("  line %lld kind %d [%s] [%s]\n", static_cast<long long>(problem.line),
                    static_cast<int>(problem.kind), problem.text.c_str(), problem.item.c_str());
    }
}

// A failure is told by what it means, as its number is the system's.
const char* meaning(int number) {
    switch (number) {
        case ENOENT: return "is not there";
        case EISDIR:
        case EACCES: return "is a folder, or not for everybody";
        default: return "cannot be read";
    }
}

template <class Value>
void tell_table(const FileName& name, const Options& options) try {
    const Reading<Value> reading = read<Value>(File(name), options);
    const Table<Value>& table = reading.table;
    std::printf("  dropped %lld tag [%s]", static_cast<long long>(table.dropped), table.tag.c_str());
    tell("topics", table.topic_bytes);
    tell("starts", table.topic_start);
    tell("rows", table.row_start);
    tell("items", table.item_bytes);
    tell("starts", table.item_start);
    tell("values", table.value);
    std::printf("\n");
    tell(reading.problems);
} catch (const FileError& error) {
    std::printf("  %s\n", meaning(error.number));
}

void tell_file(const std::string& line) {
    std::printf("%s\n", line.c_str());
    const FileName name = std::filesystem::path(std::u8string(line.begin(), line.end())).native();
    for (const std::int64_t chunk : {std::int64_t{1} << 20, std::int64_t{4099}}) {
        Options options;
        options.threads = chunk == 4099 ? 4 : 1;
        options.chunk = chunk;
        tell_table<double>(name, options);
        tell_table<std::int64_t>(name, options);
    }
}

template <class Score>
void tell_cases(std::int64_t count, bool tied, int threads) {
    std::mt19937_64 random(static_cast<std::uint64_t>(count));
    std::vector<Score> score;
    std::vector<std::uint8_t> relevant;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto uniform = static_cast<double>(random() >> 11) * 0x1p-53;
        score.push_back(static_cast<Score>(tied ? static_cast<int>(uniform * 50) : uniform));
        relevant.push_back(random() % 7 == 0);
    }
    const Cases<Score> cases{relevant.data(), score.data(), count};
    const Areas areas = areas_of(cases, threads);
    const Path<Score> path = path_of(cases, threads);
    std::printf("%lld cases %lld %lld %lld %lld %lld", static_cast<long long>(count), static_cast<long long>(areas.hits),
                static_cast<long long>(areas.step[0]), static_cast<long long>(areas.step[1]),
                static_cast<long long>(areas.step[2]), static_cast<long long>(areas.twice_above));
    tell("thresholds", path.threshold);
    tell("hits", path.hits);
    tell("others", path.others);
    std::printf("\n");
}

// What others write to an open file is noticed.
void tell_changes() {
    const auto name = std::filesystem::temp_directory_path() / "precall-digest.txt";
    std::ofstream(name, std::ios::binary) << "1 Q0 a 1 2.5 t\n";
    const File file(name.native());
    file.check_unchanged();
    std::ofstream(name, std::ios::binary | std::ios::app) << "1 Q0 b 2 1.5 t\n";
    try {
        file.check_unchanged();
        std::printf("a change was overlooked\n");
    } catch (const FileChanged&) {
        std::printf("a change was noticed\n");
    }
}

// Columns grow and shrink, and what was never there is zero.
void tell_columns() {
    Column<std::int64_t> column;
    std::size_t longest = 0;
    for (const std::size_t size : {5'000u, 10'000'000u, 3'000'000u, 6'000'000u, 100u, 400'000u}) {
        const std::size_t before = column.size();
        column.resize(size);
        for (std::size_t i = before; i < size; ++i) {
            demand(i < longest || column[i] == 0, "what is new is zero");
            column[i] = static_cast<std::int64_t>(i);
        }
        longest = std::max(longest, size);
        for (std::size_t i = 0; i < size; ++i) demand(column[i] == static_cast<std::int64_t>(i), "what was there stays");
    }
    std::printf("columns grow and shrink\n");
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        tell_file(line);
    }
    for (const std::int64_t count : CASES) {
        for (const bool tied : {false, true}) {
            tell_cases<double>(count, tied, 1);
            tell_cases<float>(count, tied, 3);
        }
    }
    tell_changes();
    tell_columns();
}
