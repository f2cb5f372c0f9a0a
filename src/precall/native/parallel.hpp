// The same work by several threads, each told its number; the first failure is thrown again here.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace precall {

template <class Work>
void in_parallel(int threads, const Work& work) {
    std::exception_ptr failure;
    std::mutex guard;
    const auto attempt = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    try {
        others.reserve(static_cast<std::size_t>(threads));
        for (int i = 1; i < threads; ++i) others.emplace_back(attempt);
    } catch (const std::exception&) {
        // No more threads, or no memory for them: those that started, and this one, do all of it.
    }
    attempt();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

// Batches of 0 .. count - 1, each taken once, in order, by whoever is free.
class Batches {
  public:
    Batches(std::int64_t count, std::int64_t size) : count_(count), size_(size) {}

    bool take(std::int64_t& begin, std::int64_t& end) {
        begin = next_.fetch_add(size_);
        end = std::min(begin + size_, count_);
        return begin < count_;
    }

  private:
    std::atomic<std::int64_t> next_{0};
    std::int64_t count_;
    std::int64_t size_;
};

// As many threads as are asked for, within reason.
inline int threads_allowed(std::int64_t asked) {
    return static_cast<int>(std::clamp<std::int64_t>(asked, 1, 1024));
}

// Threads worth starting for so many rows: below some ten thousand, starting costs more than it saves.
inline int threads_for(std::int64_t rows, int threads) {
#ifdef PRECALL_SMALL_LIMITS
    constexpr std::int64_t worth_a_thread = 1024;
#else
    constexpr std::int64_t worth_a_thread = 16384;
#endif
    return static_cast<int>(std::clamp<std::int64_t>(rows / worth_a_thread, 1, std::max(threads, 1)));
}

}  // namespace precall
