#include "text.hpp"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace precall {

namespace {

struct Block {
    std::uint64_t separators = 0;
    std::uint64_t odd = 0;
};

#if defined(__SSE2__)
Block classify(const char* text) {
    Block block;
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t'), line = _mm_set1_epi8('\n');
    const __m128i carriage = _mm_set1_epi8('\r'), one = _mm_set1_epi8(1);
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, tab));
        const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, line), _mm_cmpeq_epi8(bytes, carriage));
        // Signed bytes below one: NUL and everything beyond ASCII.
        const __m128i odd = _mm_cmplt_epi8(bytes, one);
        block.separators |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_or_si128(blank, ends))) << (16 * part);
        block.odd |= static_cast<std::uint64_t>(_mm_movemask_epi8(odd)) << (16 * part);
    }
    return block;
}
#else
Block classify(const char* text) {
    Block block;
    for (int i = 0; i < 64; ++i) {
        const bool separator = is_blank(text[i]) || text[i] == '\n';
        block.separators |= static_cast<std::uint64_t>(separator) << i;
        block.odd |= static_cast<std::uint64_t>(static_cast<signed char>(text[i]) < 1) << i;
    }
    return block;
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
    Separators found;
    std::uint32_t* next = at;
    std::uint64_t odd = 0;
    for (std::size_t base = 0; base < text.size(); base += 64) {
        char last[64];
        const char* bytes = text.data() + base;
        if (text.size() - base < 64) {
            // Padded with what is neither a separator nor odd; nothing past the end is read.
            std::memset(last, 'x', sizeof last);
            std::memcpy(last, bytes, text.size() - base);
            bytes = last;
        }
        const Block block = classify(bytes);
        odd |= block.odd;
        for (std::uint64_t bits = block.separators; bits != 0; bits &= bits - 1) {
            *next++ = static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(std::countr_zero(bits));
        }
    }
    found.count = static_cast<std::size_t>(next - at);
    found.odd = odd != 0;
    return found;
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
