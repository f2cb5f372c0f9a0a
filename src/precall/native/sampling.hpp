// One sample after the other, or a few at a time: how many of its draws fall into each cell (see resampling.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "parallel.hpp"
#include "resampling.hpp"

namespace precall {

constexpr int most_attempts = 1000;

// A Poisson law: how many of its thresholds a word reaches. Its leading bits tell, or else where to begin looking.
struct Law {
    static constexpr std::uint32_t open = std::uint32_t(1) << 31;

    const std::uint64_t* below;
    const std::uint32_t* first;  // by leading bits; open where some of these words reach a threshold that others do not
    std::uint32_t size, least;
    int shift;

    std::uint32_t number(std::uint64_t word) const {
        std::uint32_t at = first[word >> shift];
        if ((at & open) != 0) {
            for (at ^= open; at < size && below[at] <= word;) ++at;
        }
        return least + at;
    }
};

class Sampler {
  public:
    explicit Sampler(const Urns& urns) : urns_(urns) {
        for (std::int64_t p = 0; p < urns.places.count; ++p) {
            const auto size = static_cast<std::uint32_t>(urns.belows.end(p) - urns.belows.begin(p));
            // Many places are worth a longer table.
            const std::int64_t wanted = std::max<std::int64_t>(std::int64_t(4) * size, (urns.places.end(p) - urns.places.begin(p)) / 2);
            const int bits = std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(wanted))), 8, 12);
            Law law{urns.below + urns.belows.begin(p), nullptr, size, static_cast<std::uint32_t>(urns.least[p]), 64 - bits};
            firsts_.push_back(firsts_of(law));
            law.first = firsts_.back().data();
            laws_.push_back(law);
        }
    }

    // Adds one sample to `counts`, which are zero.
    void draw(Stream& stream, const std::int64_t* target, std::uint32_t* counts) const {
        for (std::int64_t s = 0; s < urns_.parts.count; ++s) {
            std::int64_t lacking = target[s] - numbers(s, stream, counts);
            for (int attempt = 1; lacking < 0; ++attempt) {
                if (attempt == most_attempts) throw std::invalid_argument("cells: the Poisson numbers exceed the draws");
                clear(s, counts);
                lacking = target[s] - numbers(s, stream, counts);
            }
            const std::int32_t* const owner = urns_.owner + urns_.owners.begin(s);
            const auto size = static_cast<std::uint64_t>(urns_.owners.end(s) - urns_.owners.begin(s));
            for (; lacking > 0; --lacking) ++counts[owner[stream.below(size)]];
        }
    }

  private:
    std::int64_t numbers(std::int64_t stratum, Stream& stream, std::uint32_t* counts) const {
        std::uint64_t total = 0;
        // Nobody else sees them: they stay in registers.
        Stream own = stream;
        for (std::int64_t p = urns_.parts.begin(stratum); p < urns_.parts.end(stratum); ++p) {
            const Law law = laws_[static_cast<std::size_t>(p)];
            const std::int32_t* const end = urns_.place + urns_.places.end(p);
            for (const std::int32_t* place = urns_.place + urns_.places.begin(p); place != end; ++place) {
                const std::uint32_t number = law.number(own.next());
                counts[*place] += number;
                total += number;
            }
        }
        stream = own;
        return static_cast<std::int64_t>(total);
    }

    static std::vector<std::uint32_t> firsts_of(const Law& law) {
        std::vector<std::uint32_t> first(std::size_t(1) << (64 - law.shift));
        std::uint32_t at = 0;
        for (std::size_t lead = 0; lead < first.size(); ++lead) {
            while (at < law.size && law.below[at] <= std::uint64_t(lead) << law.shift) ++at;
            first[lead] = at < law.size && law.below[at] >> law.shift == lead ? Law::open | at : at;
        }
        return first;
    }

    // Strata do not share cells.
    void clear(std::int64_t stratum, std::uint32_t* counts) const {
        const std::int64_t begin = urns_.places.begin(urns_.parts.begin(stratum));
        const std::int64_t end = urns_.places.begin(urns_.parts.end(stratum));
        for (std::int64_t i = begin; i < end; ++i) counts[urns_.place[i]] = 0;
    }

    const Urns& urns_;
    std::vector<std::vector<std::uint32_t>> firsts_;
    std::vector<Law> laws_;
};

// A few samples at a time: work(first, past the last, counts, stream), where each takes as long as `steps` draws. The counts of a
// sample follow those of the one before, and are 0 of samples that are lacking at the end; the last one's stream has words left.
template <std::int64_t few, class Work>
void each_few(const Urns& urns, const Samples& samples, std::int64_t steps, int threads, const Work& work) {
    const Sampler sampler(urns);
    const std::int64_t draws = static_cast<std::int64_t>(urns.places.start[urns.places.count]) + urns.cells + steps;
    Batches batches(samples.count, 4);
    in_parallel(threads_for(samples.count * draws, threads), [&] {
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(few * urns.cells));
        std::int64_t begin = 0, end = 0;
        while (batches.take(begin, end)) {
            for (std::int64_t first = begin; first < end; first += few) {
                const std::int64_t last = std::min(first + few, end);
                Stream stream(0);
                std::fill(counts.begin(), counts.end(), 0u);
                for (std::int64_t i = first; i < last; ++i) {
                    stream = Stream(samples.seed[i]);
                    sampler.draw(stream, samples.target + i * urns.parts.count, counts.data() + (i - first) * urns.cells);
                }
                work(first, last, counts.data(), stream);
            }
        }
    });
}

template <class Work>
void each_sample(const Urns& urns, const Samples& samples, std::int64_t steps, int threads, const Work& work) {
    each_few<1>(urns, samples, steps, threads,
                [&](std::int64_t i, std::int64_t, const std::uint32_t* counts, const Stream& stream) { work(i, counts, stream); });
}

}  // namespace precall
