#include "lines.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "digits.hpp"
#include "numbers.hpp"

namespace precall {

namespace {

// A number that stands in a text: by the short way where it may look beyond the number's end.
template <class Value>
Fault number_of(std::string_view number, std::string_view text, bool float32, Value& value) {
    const bool roomy = text.data() + text.size() - (number.data() + number.size()) >= QUICK_MARGIN;
    if (!(roomy && quick_number(number, value))) {
        if (const Fault fault = parse_number(number, value)) return fault;
    }
    if constexpr (std::is_same_v<Value, double>) {
        if (float32 && !narrow(value)) return Kind::float32_range;
    }
    return std::nullopt;
}

bool is_comment(std::string_view line) {
    return !line.empty() && line.front() == '#';
}

Fields fields_at(std::string_view text, std::size_t begin, const std::uint32_t*& at) {
    Fields fields;
    for (std::size_t from = begin;; from = *at++ + std::size_t{1}) {
        if (*at > from) fields.add(text.substr(from, *at - from));
        if (text[*at] == '\n') return fields;
    }
}

}  // namespace

template <class Value>
auto Lines<Value>::judge(std::string_view text, std::string_view line, const Fields& fields, bool odd,
                         bool float32, Value& value, Problem& problem) -> Outcome {
    using G = Grammar<Value>;
    if (fields.count == 0 || is_comment(line)) return Outcome::nothing;
    odd = odd && has_odd_byte(line);
    if (odd && line.find('\0') != std::string_view::npos) {
        problem.kind = Kind::nul;
    } else if (odd && !is_utf8(line)) {
        problem.kind = Kind::utf8;
    } else if (fields.count != G::fields) {
        problem.kind = Kind::fields;
        problem.count = fields.count;
    } else if (const Fault fault = number_of(fields.field[G::value], text, float32, value)) {
        problem.kind = *fault;
        if (*fault != Kind::nan) problem.text = shortened(fields.field[G::value]);
    } else {
        return Outcome::row;
    }
    return Outcome::problem;
}

template <class Value>
void Lines<Value>::begin(std::string_view text, bool float32, std::size_t shortest_row) {
    const std::size_t most = (text.size() + 1) / shortest_row + 1;
    rows.item_bytes.ensure(text.size());
    rows.item_start.ensure(most + 1);
    rows.value.ensure(most);
    text_ = text;
    float32_ = float32;
    topic_ = {};
    tag = {};
    looks = {};
    problems = {};
    rows.rows = item_size = lines = 0;
    rows.pieces.clear();
    rows.topics.clear();
}

template <class Value>
void Lines<Value>::parse(std::string_view text, bool float32) {
    begin(text, float32, shortest_row<Value>(false));
    separators_.resize(WINDOW + 64);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = window_end(text, begin);
        const std::string_view window = text.substr(begin, end - begin);
        if (window.size() > WINDOW || window.back() != '\n') {
            // Longer than positions are kept for, or the very last one.
            for (std::size_t at = 0; at < window.size(); ++lines) {
                const std::size_t stop = line_end(window, at);
                const std::string_view line = window.substr(at, stop - at);
                any_line(line, is_comment(line) ? Fields() : split(line), true);
                at = stop + 1;
            }
        } else {
            parse_window(window);
        }
        begin = end;
    }
    rows.item_start[static_cast<std::size_t>(rows.rows)] = item_size;
}

template <class Value>
void Lines<Value>::parse_table(std::string_view text, const Layout& layout, bool float32) {
    begin(text, float32, shortest_row<Value>(true));
    for (TableRows table(text, layout); table.next();) {
        Value value{};
        const std::string_view number = table[2].number(std::is_integral_v<Value>);
        if (number_of(number, text_, float32_, value)) throw Irregular();
        add_table_row(table[0], table[1], value);
    }
    rows.item_start[static_cast<std::size_t>(rows.rows)] = item_size;
}

// A copied topic makes way for the next.
template <class Value>
void Lines<Value>::add_table_row(const Cell& topic, const Cell& item, Value value) {
    const std::string_view name = topic.id(), text = item.id();
    if (name != topic_ || rows.rows == 0) {
        rows.begin_topic(name, rows.rows);
        topic_ = topic.copied ? std::string_view() : name;
    }
    const auto row = static_cast<std::size_t>(rows.rows++);
    rows.item_start[row] = item_size;
    rows.value[row] = value;
    copy_text(rows.item_bytes.data() + item_size, text);
    item_size += static_cast<std::int64_t>(text.size());
}

// Every line has the right number of fields, single blanks between them, and nothing odd.
template <class Value>
bool Lines<Value>::is_regular(std::string_view text, const Separators& separators) const {
    constexpr std::size_t fields = Grammar<Value>::fields;
    if (separators.odd || separators.doubled || separators.lines * fields != separators.count) return false;
    // With so many line ends in all, each in its place leaves none for another place.
    bool regular = true;
    for (std::size_t i = fields - 1; i < separators.count; i += fields) regular &= text[separators_[i]] == '\n';
    return regular;
}

template <class Value>
void Lines<Value>::parse_window(std::string_view text) {
    constexpr std::size_t fields = Grammar<Value>::fields;
    const Separators separators = find_separators(text, separators_.data());
    const std::uint32_t* at = separators_.data();
    const std::uint32_t* const end = at + separators.count;
    const bool regular = is_regular(text, separators);
    for (std::size_t begin = 0; at < end; ++lines) {
        if (regular && plain_line(text.data(), at, begin)) {
            at += fields;
        } else {
            const Fields all = fields_at(text, begin, at);
            any_line(text.substr(begin, *at - begin), all, separators.odd);
            ++at;
        }
        begin = at[-1] + std::size_t{1};
    }
}

// A row of a regular window; false leaves comments and bad numbers to `any_line`.
template <class Value>
bool Lines<Value>::plain_line(const char* text, const std::uint32_t* at, std::size_t begin) {
    using G = Grammar<Value>;
    const auto field = [&](int i) {
        const std::size_t from = i == 0 ? begin : at[i - 1] + std::size_t{1};
        return std::string_view(text + from, at[i] - from);
    };
    Value value;
    if (text[begin] == '#' || number_of(field(G::value), text_, float32_, value)) return false;
    tag = field(G::fields - 1);
    if constexpr (G::fields == 6) look(field(G::topic), field(3));
    add_row(field(G::topic), field(G::item), value);
    return true;
}

template <class Value>
void Lines<Value>::any_line(std::string_view line, const Fields& fields, bool odd) {
    using G = Grammar<Value>;
    Value value{};
    Problem problem;
    const Outcome outcome = judge(text_, line, fields, odd, float32_, value, problem);
    if (outcome == Outcome::row) {
        tag = fields.field[G::fields - 1];
        if constexpr (G::fields == 6) look(fields.field[G::topic], fields.field[3]);
        add_row(fields.field[G::topic], fields.field[G::item], value);
    } else if (outcome == Outcome::problem) {
        problem.line = lines + 1;
        problems.add(std::move(problem));
    }
}

// Before the row is added: `topic_` is the topic of the row before.
template <class Value>
void Lines<Value>::look(std::string_view topic, std::string_view rank) {
    const std::int64_t number = rank_of(rank);
    if (rows.rows == 0) {
        looks.first_tag = tag;
        looks.first_rank = number;
    } else {
        looks.one_tag = looks.one_tag && tag == looks.first_tag;
        // Most ranks follow: only then the topic need not be compared.
        looks.ascends = looks.ascends && (follows(looks.last_rank, number) || topic != topic_);
    }
    looks.last_rank = number;
}

template <class Value>
void Lines<Value>::add_row(std::string_view topic, std::string_view item, Value value) {
    if (topic != topic_ || rows.rows == 0) {
        rows.begin_topic(topic, rows.rows);
        topic_ = topic;
    }
    const auto row = static_cast<std::size_t>(rows.rows++);
    rows.item_start[row] = item_size;
    rows.value[row] = value;
    std::uint8_t* const to = rows.item_bytes.data() + item_size;
    if (text_.data() + text_.size() - item.data() >= 16) {
        copy_padded(to, item.data(), item.size());
    } else {
        copy_text(to, item);
    }
    item_size += static_cast<std::int64_t>(item.size());
}

template <class Value>
std::int64_t line_of_row(std::string_view text, std::int64_t row, bool float32) {
    std::int64_t line = 1;
    for (std::size_t at = 0; at < text.size(); ++line) {
        const std::size_t stop = line_end(text, at);
        const std::string_view content = text.substr(at, stop - at);
        Value value{};
        Problem problem;
        const auto outcome = Lines<Value>::judge(text, content, split(content), true, float32, value, problem);
        if (outcome == Lines<Value>::Outcome::row && row-- == 0) return line;
        at = stop + 1;
    }
    return 0;
}

template class Lines<double>;
template class Lines<std::int64_t>;
template std::int64_t line_of_row<double>(std::string_view, std::int64_t, bool);
template std::int64_t line_of_row<std::int64_t>(std::string_view, std::int64_t, bool);

}  // namespace precall
