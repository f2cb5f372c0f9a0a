#include "redrawing.hpp"

#include "resampling.hpp"

namespace precall {

namespace {

// Of so many values two draws a word are even but for 2^-20.
constexpr std::uint64_t most_of_two = std::uint64_t(1) << 22;

// So many draws a word, one or two: the second is of what the upper half of word x count leaves below it. A function of its own,
// since compilers that see where the count comes from multiply by both halves of it.
template <std::uint64_t each>
[[gnu::noinline]] std::uint64_t redrawn_sum(const std::int64_t* value, std::uint64_t count, Stream stream) {
    std::uint64_t sum = 0, left = count;
    for (; left >= each; left -= each) {
        const std::uint64_t word = stream.next();
        sum += static_cast<std::uint64_t>(value[Stream::upper(word, count)]);
        if constexpr (each == 2) sum += static_cast<std::uint64_t>(value[Stream::upper(word * count, count)]);
    }
    if (left > 0) sum += static_cast<std::uint64_t>(value[Stream::upper(stream.next(), count)]);
    return sum;
}

}  // namespace

Column<std::int64_t> redrawn_sums(Values values, std::uint64_t seed, std::int64_t samples) {
    Column<std::int64_t> sums(static_cast<std::size_t>(samples));
    const auto count = static_cast<std::uint64_t>(values.count);
    const bool two = count <= most_of_two;
    const std::uint64_t words = two ? (count + 1) / 2 : count;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Stream stream(seed + Stream::step * (words * i));
        const std::uint64_t sum = two ? redrawn_sum<2>(values.value, count, stream) : redrawn_sum<1>(values.value, count, stream);
        sums[i] = static_cast<std::int64_t>(sum);
    }
    return sums;
}

}  // namespace precall
