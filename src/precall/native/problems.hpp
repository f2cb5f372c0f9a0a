// What is wrong with an input, as facts: the layers above make sentences of them.
//
// All problems are counted, but only the first few by line are kept, so that a file of garbage
// costs no more memory than a good one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace precall {

enum class Kind {
    fields,
    nul,
    utf8,
    score,
    nan,
    score_range,
    float32_range,
    inexact,
    grade,
    grade_range,
    duplicate,
    conflict,
    empty
};

constexpr std::size_t PROBLEM_LIMIT = 20;
constexpr std::size_t TEXT_LIMIT = 60;

struct Problem {
    std::int64_t line = 0;
    Kind kind = Kind::empty;
    std::string text;  // the field itself; the topic of a duplicate
    std::string item;
    std::int64_t count = 0;  // fields found
    std::int64_t first_line = 0;
    std::int64_t first_grade = 0;
    std::int64_t grade = 0;
};

inline std::string shortened(std::string_view text) {
    return std::string(text.substr(0, TEXT_LIMIT));
}

struct Problems {
    std::vector<Problem> first;
    std::int64_t total = 0;

    // In the order of lines.
    void add(Problem problem) {
        ++total;
        if (first.size() < PROBLEM_LIMIT) first.push_back(std::move(problem));
    }

    // Those of the lines after `line`, as numbered from there.
    void append(const Problems& later, std::int64_t line) {
        for (const Problem& problem : later.first) {
            if (first.size() == PROBLEM_LIMIT) break;
            first.push_back(problem);
            first.back().line += line;
        }
        total += later.total;
    }

    // Others of the same lines.
    void merge(const Problems& others) {
        total += others.total;
        first.insert(first.end(), others.first.begin(), others.first.end());
        std::stable_sort(first.begin(), first.end(),
                         [](const Problem& a, const Problem& b) { return a.line < b.line; });
        if (first.size() > PROBLEM_LIMIT) first.resize(PROBLEM_LIMIT);
    }
};

}  // namespace precall
