#include "text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define PRECALL_SSE2
#elif defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define PRECALL_SSE2
#endif

#include "wide.hpp"

namespace precall {

namespace {

// One bit for each of 64 bytes.
struct Block {
    std::uint64_t separators = 0;
    std::uint64_t lines = 0;
    std::uint64_t odd = 0;
    std::uint64_t carriages = 0;
};

#if defined(PRECALL_SSE2)
inline Block classify(const char* text) {
    Block block;
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t'), line = _mm_set1_epi8('\n');
    const __m128i carriage = _mm_set1_epi8('\r'), least = _mm_set1_epi8(1);
    const auto bits = [](__m128i bytes, int part) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))) << (16 * part);
    };
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, tab));
        const __m128i end = _mm_cmpeq_epi8(bytes, line);
        block.separators |= bits(_mm_or_si128(_mm_or_si128(blank, end), _mm_cmpeq_epi8(bytes, carriage)), part);
        block.lines |= bits(end, part);
        // Signed bytes below one: NUL and everything beyond ASCII.
        block.odd |= bits(_mm_cmplt_epi8(bytes, least), part);
    }
    return block;
}

inline Block classify_cells(const char* text, char separator) {
    Block block;
    const __m128i mark = _mm_set1_epi8(separator), line = _mm_set1_epi8('\n'), carriage = _mm_set1_epi8('\r');
    const __m128i quote = _mm_set1_epi8('"'), least = _mm_set1_epi8(1);
    const auto bits = [](__m128i bytes, int part) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))) << (16 * part);
    };
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const __m128i end = _mm_cmpeq_epi8(bytes, line);
        block.separators |= bits(_mm_or_si128(_mm_cmpeq_epi8(bytes, mark), end), part);
        block.lines |= bits(end, part);
        block.odd |= bits(_mm_or_si128(_mm_cmplt_epi8(bytes, least), _mm_cmpeq_epi8(bytes, quote)), part);
        block.carriages |= bits(_mm_cmpeq_epi8(bytes, carriage), part);
    }
    return block;
}
#else
inline Block classify(const char* text) {
    Block block;
    for (int i = 0; i < 64; ++i) {
        const bool separator = is_blank(text[i]) || text[i] == '\n';
        block.separators |= static_cast<std::uint64_t>(separator) << i;
        block.lines |= static_cast<std::uint64_t>(text[i] == '\n') << i;
        block.odd |= static_cast<std::uint64_t>(static_cast<signed char>(text[i]) < 1) << i;
    }
    return block;
}

inline Block classify_cells(const char* text, char separator) {
    Block block;
    for (int i = 0; i < 64; ++i) {
        const bool ends = text[i] == separator || text[i] == '\n';
        block.separators |= static_cast<std::uint64_t>(ends) << i;
        block.lines |= static_cast<std::uint64_t>(text[i] == '\n') << i;
        block.odd |= static_cast<std::uint64_t>(static_cast<signed char>(text[i]) < 1 || text[i] == '"') << i;
        block.carriages |= static_cast<std::uint64_t>(text[i] == '\r') << i;
    }
    return block;
}
#endif

// What has been found so far, block by block.
class Listing {
  public:
    explicit Listing(std::uint32_t* at) : begin_(at), next_(at) {}

    void add(const Block& block, std::uint32_t base) {
        odd_ |= block.odd;
        // The bit that leaves on the left comes back as the first of the next block.
        doubled_ |= block.separators & (block.separators << 1 | last_);
        last_ = block.separators >> 63;
        lines_ += static_cast<std::size_t>(std::popcount(block.lines));
        carriages_ += static_cast<std::size_t>(std::popcount(block.carriages));
        const int count = std::popcount(block.separators);
        std::uint64_t bits = block.separators;
        // Eight at a time, some of them in vain, is faster than a branch for each.
        for (int done = 0; done < count; done += 8) {
            for (int i = 0; i < 8; ++i, bits &= bits - 1) {
                next_[done + i] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
            }
        }
        next_ += count;
    }

    Separators separators() const {
        return {static_cast<std::size_t>(next_ - begin_), lines_, odd_ != 0, doubled_ != 0, carriages_};
    }

  private:
    std::uint32_t* begin_;
    std::uint32_t* next_;
    std::size_t lines_ = 0, carriages_ = 0;
    std::uint64_t odd_ = 0, doubled_ = 0, last_ = 1;
};

// The last bytes of a text, padded with what is neither a separator nor odd.
struct Tail {
    explicit Tail(std::string_view text) {
        std::memset(bytes, 'x', sizeof bytes);
        std::memcpy(bytes, text.data(), text.size());
    }
    char bytes[64];
};

// Blocks one after another, classified by what is known of them.
template <class Classify>
inline Separators list_blocks(std::string_view text, std::uint32_t* at, const Classify& classify_block) {
    Listing listing(at);
    std::size_t base = 0;
    for (; base + 64 <= text.size(); base += 64)
        listing.add(classify_block(text.data() + base), static_cast<std::uint32_t>(base));
    if (base < text.size()) listing.add(classify_block(Tail(text.substr(base)).bytes), static_cast<std::uint32_t>(base));
    return listing.separators();
}

Separators find_narrow(std::string_view text, std::uint32_t* at) {
    return list_blocks(text, at, classify);
}

Separators find_cells_narrow(std::string_view text, char separator, std::uint32_t* at) {
    return list_blocks(text, at, [&](const char* block) { return classify_cells(block, separator); });
}

#if defined(__x86_64__) && defined(__GNUC__)
// The same with registers of 32 bytes. A table lookup by the low four bits gives the only separator
// a byte could be; in places without one it gives a blank, whose low bits are others.
PRECALL_WIDE inline Block classify_wide(const char* text) {
    const __m256i table =
        _mm256_setr_epi8(' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', '\t', '\n', ' ', ' ', '\r', ' ', ' ',  //
                         ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', '\t', '\n', ' ', ' ', '\r', ' ', ' ');
    const __m256i line = _mm256_set1_epi8('\n'), least = _mm256_set1_epi8(1);
    Block block;
    for (int part = 0; part < 2; ++part) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32 * part));
        const __m256i separators = _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(table, bytes));
        const int shift = 32 * part;
        block.separators |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(separators)))
                            << shift;
        block.lines |=
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, line))))
            << shift;
        block.odd |=
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, bytes))))
            << shift;
    }
    return block;
}

PRECALL_WIDE inline Block classify_cells_wide(const char* text, char separator) {
    const __m256i mark = _mm256_set1_epi8(separator), line = _mm256_set1_epi8('\n'), carriage = _mm256_set1_epi8('\r');
    const __m256i quote = _mm256_set1_epi8('"'), least = _mm256_set1_epi8(1);
    Block block;
    for (int shift = 0; shift < 64; shift += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + shift));
        const __m256i end = _mm256_cmpeq_epi8(bytes, line);
        const __m256i separators = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, mark), end);
        const __m256i odd = _mm256_or_si256(_mm256_cmpgt_epi8(least, bytes), _mm256_cmpeq_epi8(bytes, quote));
        const __m256i returns = _mm256_cmpeq_epi8(bytes, carriage);
        block.separators |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(separators))) << shift;
        block.lines |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(end))) << shift;
        block.odd |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(odd))) << shift;
        block.carriages |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(returns))) << shift;
    }
    return block;
}

PRECALL_ALL_WIDE Separators find_wide(std::string_view text, std::uint32_t* at) {
    return list_blocks(text, at, classify_wide);
}

PRECALL_ALL_WIDE Separators find_cells_wide(std::string_view text, char separator, std::uint32_t* at) {
    return list_blocks(text, at, [&](const char* block) { return classify_cells_wide(block, separator); });
}

#else
Separators find_wide(std::string_view text, std::uint32_t* at) {
    return find_narrow(text, at);
}

Separators find_cells_wide(std::string_view text, char separator, std::uint32_t* at) {
    return find_cells_narrow(text, separator, at);
}
#endif

bool continues(std::string_view text, std::size_t from, std::size_t count) {
    if (text.size() - from < count) return false;
    for (std::size_t i = from; i < from + count; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
    }
    return true;
}

// Bytes of the character that begins here, 0 if none does: no overlong forms, no surrogates.
std::size_t character_size(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (!continues(text, at + 1, size - 1)) return 0;
    const auto second = static_cast<unsigned char>(text[at + 1]);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
    return size;
}

}  // namespace

Separators find_separators(std::string_view text, std::uint32_t* at) {
    return has_wide() ? find_wide(text, at) : find_narrow(text, at);
}

Separators find_cells(std::string_view text, char separator, std::uint32_t* at) {
    return has_wide() ? find_cells_wide(text, separator, at) : find_cells_narrow(text, separator, at);
}

std::size_t line_end(std::string_view text, std::size_t from) {
    const void* end = from < text.size() ? std::memchr(text.data() + from, '\n', text.size() - from) : nullptr;
    return end == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(end) - text.data());
}

std::size_t window_end(std::string_view text, std::size_t begin, std::size_t window) {
    const std::size_t limit = std::min(begin + window, text.size());
    for (std::size_t end = limit; end > begin; --end) {
        if (text[end - 1] == '\n') return end;
    }
    return std::min(line_end(text, limit) + 1, text.size());
}

bool has_odd_byte(std::string_view text) {
    for (const char c : text) {
        if (static_cast<signed char>(c) < 1) return true;
    }
    return false;
}

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = character_size(text, at);
        if (size == 0) return false;
        at += size;
    }
    return true;
}

Fields split(std::string_view line) {
    Fields fields;
    std::size_t at = 0;
    while (at < line.size()) {
        if (is_blank(line[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < line.size() && !is_blank(line[at])) ++at;
        fields.add(line.substr(begin, at - begin));
    }
    return fields;
}

}  // namespace precall
