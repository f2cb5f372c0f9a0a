#include "hashing.hpp"

#include <random>

namespace precall {

const Secret& secret() {
    static const Secret drawn = [] {
        std::random_device device;
        const auto word = [&] { return (static_cast<std::uint64_t>(device()) << 32) | device(); };
        // Odd, so that the last multiplication loses nothing.
        return Secret{word(), word(), word() | 1};
    }();
    return drawn;
}

std::uint64_t hash_long(std::string_view text, const Secret& key) {
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t state = key.b;
    for (; left > 16; at += 16, left -= 16) state = fold(load(at, 8) ^ key.a, load(at + 8, 8) ^ state);
    const char* const tail = text.data() + text.size() - 16;
    state = fold(load(tail, 8) ^ key.a, load(tail + 8, 8) ^ state);
    return fold(state ^ text.size(), key.c);
}

}  // namespace precall
