// The kernel as Python sees it: arrays in, arrays out, one exception. No work is done here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "dicts.hpp"
#include "listed.hpp"
#include "locating.hpp"
#include "parallel.hpp"
#include "reading.hpp"
#include "tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace precall {

void add_counting(nb::module_& module);
void add_resampling(nb::module_& module);

namespace {

using Bytes = Array<std::uint8_t>;
using Int64 = Array<std::int64_t>;

nb::bytes to_bytes(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

nb::object to_tuple(const Problem& problem) {
    const std::int64_t line = problem.line;
    const nb::bytes text = to_bytes(problem.text), item = to_bytes(problem.item);
    switch (problem.kind) {
        case Kind::fields: return nb::make_tuple(line, "fields", problem.count);
        case Kind::nul: return nb::make_tuple(line, "nul");
        case Kind::utf8: return nb::make_tuple(line, "utf8");
        case Kind::score: return nb::make_tuple(line, "score", text);
        case Kind::nan: return nb::make_tuple(line, "nan");
        case Kind::score_range: return nb::make_tuple(line, "score-range", text);
        case Kind::float32_range: return nb::make_tuple(line, "float32-range", text);
        case Kind::inexact: return nb::make_tuple(line, "inexact", text);
        case Kind::grade: return nb::make_tuple(line, "grade", text);
        case Kind::grade_range: return nb::make_tuple(line, "grade-range", text);
        case Kind::duplicate: return nb::make_tuple(line, "duplicate", text, item, problem.first_line);
        case Kind::conflict:
            return nb::make_tuple(line, "conflict", text, item, problem.first_line, problem.first_grade, problem.grade);
        case Kind::empty: break;
    }
    return nb::make_tuple(line, "empty");
}

[[noreturn]] void raise_malformed(const nb::list& problems, std::int64_t total) {
    const nb::object type = nb::module_::import_("precall.core.errors").attr("Malformed");
    const nb::object error = type(problems, total);
    PyErr_SetObject(type.ptr(), error.ptr());
    throw nb::python_error();
}

void check(const Problems& problems) {
    if (problems.total == 0) return;
    nb::list tuples;
    for (const Problem& problem : problems.first) tuples.append(to_tuple(problem));
    raise_malformed(tuples, problems.total);
}

Policy policy_of(const std::string& name) {
    if (name == "error") return Policy::error;
    if (name == "first") return Policy::first;
    if (name == "last") return Policy::last;
    if (name == "best") return Policy::best;
    throw nb::value_error(("duplicates: got '" + name + "', allowed are error, first, last, best").c_str());
}

Options options_of(bool float32, const std::string& duplicates, std::int64_t threads, std::int64_t chunk) {
    Options options;
    options.float32 = float32;
    options.policy = policy_of(duplicates);
    options.threads = threads_allowed(threads);
    if (chunk > 0) options.chunk = chunk;
    return options;
}

FileName name_of(nb::handle path) {
    PyObject* made = nullptr;
#if defined(_WIN32)
    if (PyUnicode_FSDecoder(path.ptr(), &made) == 0) throw nb::python_error();
    const nb::object kept = nb::steal(made);
    Py_ssize_t size = 0;
    wchar_t* const wide = PyUnicode_AsWideCharString(made, &size);
    if (wide == nullptr) throw nb::python_error();
    const std::unique_ptr<wchar_t, void (*)(void*)> text(wide, &PyMem_Free);
    return {wide, static_cast<std::size_t>(size)};
#else
    if (PyUnicode_FSConverter(path.ptr(), &made) == 0) throw nb::python_error();
    const nb::object kept = nb::steal(made);
    return {PyBytes_AsString(made), static_cast<std::size_t>(PyBytes_Size(made))};
#endif
}

// What `take` makes of a file by its path, or of the contents themselves.
template <class Take>
auto take_source(nb::object source, const Take& take) {
    FileName name;
    std::string_view contents;
    const bool in_memory = PyBytes_Check(source.ptr());
    if (in_memory) {
        contents = {PyBytes_AsString(source.ptr()), static_cast<std::size_t>(PyBytes_Size(source.ptr()))};
    } else {
        name = name_of(source);
    }
    try {
        const nb::gil_scoped_release others_may_run;
        if (in_memory) return take(File(contents));
        return take(File(name));
    } catch (const FileChanged&) {
        nb::list problems;
        problems.append(nb::make_tuple(0, "changed"));
        raise_malformed(problems, 1);
    } catch (const FileError& error) {
        errno = error.number;
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, source.ptr());
        throw nb::python_error();
    }
}

template <class Value>
Reading<Value> read_source(nb::object source, const Options& options) {
    return take_source(source, [&](const File& file) { return read<Value>(file, options); });
}

template <class Value>
nb::tuple layout_of(Table<Value>& table) {
    return nb::make_tuple(array(std::move(table.topic_bytes)), array(std::move(table.topic_start)),
                          array(std::move(table.row_start)), array(std::move(table.item_bytes)),
                          array(std::move(table.item_start)), array(std::move(table.value)));
}

nb::object read_run(nb::object source, bool float32, const std::string& duplicates, std::int64_t threads,
                    std::int64_t chunk) {
    auto reading = read_source<double>(source, options_of(float32, duplicates, threads, chunk));
    check(reading.problems);
    const nb::bytes tag = to_bytes(reading.table.tag);
    const bool one_tag = reading.table.one_tag, ascends = reading.table.ascends;
    return layout_of(reading.table) + nb::make_tuple(tag, reading.table.dropped, one_tag, ascends);
}

nb::object read_qrels(nb::object source, const std::string& duplicates, std::int64_t threads, std::int64_t chunk) {
    auto reading = read_source<std::int64_t>(source, options_of(false, duplicates, threads, chunk));
    check(reading.problems);
    return layout_of(reading.table) + nb::make_tuple(reading.table.dropped);
}

// Which cells or keys are wanted, by a separator, or none where rows are objects.
Layout layout_given(const std::string& separator, std::int64_t width, const nb::list& wanted) {
    Layout layout;
    layout.separator = separator.empty() ? '\0' : separator[0];
    if (separator.empty()) {
        for (const nb::handle key : wanted) layout.key.push_back(nb::cast<std::string>(key));
        return layout;
    }
    if ((separator != "," && separator != "\t") || width < 1 || width > std::numeric_limits<std::int32_t>::max()) {
        throw nb::value_error("separator and width: must be a comma or a tab, and at least 1");
    }
    layout.width = static_cast<std::size_t>(width);
    for (const nb::handle cell : wanted) {
        const auto place = nb::cast<std::int64_t>(cell);
        const auto at = static_cast<std::size_t>(place);
        if (place < 0 || place >= width || std::count(layout.place.begin(), layout.place.end(), at) > 0) {
            throw nb::value_error("wanted: must be places of different cells");
        }
        layout.place.push_back(at);
    }
    return layout;
}

std::string_view text_from(const nb::bytes& data, std::int64_t begin) {
    const std::string_view text(data.c_str(), data.size());
    if (begin < 0 || static_cast<std::uint64_t>(begin) > text.size()) throw nb::value_error("begin: outside the data");
    return text.substr(static_cast<std::size_t>(begin));
}

// None where the table has anything unusual.
template <class Value>
nb::object from_table(const nb::bytes& data, std::int64_t begin, const std::string& separator, std::int64_t width,
                      const nb::list& wanted, bool float32, const std::string& duplicates, std::int64_t threads,
                      std::int64_t chunk) {
    const std::string_view text = text_from(data, begin);
    const Layout layout = layout_given(separator, width, wanted);
    if (layout.wanted() != 3) throw nb::value_error("wanted: must be three");
    Options options = options_of(float32, duplicates, threads, chunk);
    options.layout = &layout;
    Reading<Value> reading;
    try {
        const nb::gil_scoped_release others_may_run;
        reading = read<Value>(File(text), options);
    } catch (const Irregular&) {
        return nb::none();
    }
    if (reading.problems.total > 0) return nb::none();
    return layout_of(reading.table) + nb::make_tuple(reading.table.dropped);
}

nb::object qrels_from_table(const nb::bytes& data, std::int64_t begin, const std::string& separator, std::int64_t width,
                            const nb::list& wanted, const std::string& duplicates, std::int64_t threads,
                            std::int64_t chunk) {
    return from_table<std::int64_t>(data, begin, separator, width, wanted, false, duplicates, threads, chunk);
}

nb::object columns_from_table(nb::object source, std::int64_t begin, const std::string& separator, std::int64_t width,
                              const nb::list& wanted, const std::string& kinds, std::int64_t chunk) {
    const Layout layout = layout_given(separator, width, wanted);
    if (kinds.empty() || kinds.size() != layout.wanted() || kinds.find_first_not_of("sc") != std::string::npos) {
        throw nb::value_error("kinds: must be s or c for each that is wanted");
    }
    const auto piece = static_cast<std::size_t>(chunk > 0 ? chunk : std::int64_t{1} << 20);
    TableColumns columns;
    try {
        columns = take_source(source, [&](const File& file) {
            if (begin < 0 || static_cast<std::uint64_t>(begin) > file.size()) throw nb::value_error("begin: outside the data");
            return columns_of(file, static_cast<std::size_t>(begin), layout, kinds, piece, std::min(piece, WINDOW));
        });
    } catch (const Irregular&) {
        return nb::none();
    }
    nb::list made;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i] == 's') {
            made.append(array(std::move(columns.score[i])));
            continue;
        }
        Coded& coded = columns.coded[i];
        made.append(nb::make_tuple(array(std::move(coded.code)), array(Column<std::uint8_t>(coded.bytes)),
                                   array(Column<std::int64_t>(coded.start))));
    }
    return made;
}

Ids ids_of(const Bytes& data, const Int64& start) {
    if (!divides(start.data(), start.shape(0), data.shape(0))) {
        throw nb::value_error("offsets do not fit the bytes they divide");
    }
    return {data.data(), start.data(), static_cast<std::int64_t>(start.shape(0)) - 1};
}

template <class Value>
View<Value> view_of(const Bytes& topic_bytes, const Int64& topic_start, const Bytes& item_bytes,
                    const Int64& item_start, const Array<Value>& value) {
    View<Value> view{ids_of(topic_bytes, topic_start), nullptr, ids_of(item_bytes, item_start), value.data()};
    if (view.items.count != static_cast<std::int64_t>(value.shape(0)))
        throw nb::value_error("columns differ in length");
    return view;
}

template <class Value>
nb::object group_columns(Bytes topic_bytes, Int64 topic_start, Bytes item_bytes, Int64 item_start, Array<Value> value,
                         const std::string& duplicates, std::int64_t threads) {
    const View<Value> view = view_of(topic_bytes, topic_start, item_bytes, item_start, value);
    if (view.topics.count != view.items.count) throw nb::value_error("columns differ in length");
    const Options options = options_of(false, duplicates, threads, 0);
    Reading<Value> reading;
    {
        const nb::gil_scoped_release others_may_run;
        reading = regroup(view, options);
    }
    check(reading.problems);
    return layout_of(reading.table) + nb::make_tuple(reading.table.dropped);
}

template <class Value>
nb::tuple from_dict(nb::dict mapping, bool float32, std::int64_t threads, std::int64_t chunk) {
    DictProblems problems;
    Table<Value> table = table_of<Value>(mapping, float32, threads, chunk, problems);
    if (problems.total > 0) raise_malformed(problems.first, problems.total);
    return layout_of(table);
}

nb::tuple qrels_from_dict(nb::dict qrels, std::int64_t threads, std::int64_t chunk) {
    return from_dict<std::int64_t>(qrels, false, threads, chunk);
}

// None where anything is not plain.
nb::object texts_of_lists(nb::list lists, bool distinct) {
    std::optional<Listed> listed = texts_of(lists, distinct);
    if (!listed) return nb::none();
    return nb::make_tuple(array(std::move(listed->bytes)), array(std::move(listed->start)),
                          array(Column<std::int64_t>(listed->rows)), listed->repeats);
}

template <class Value>
View<Value> grouped_view(const Bytes& topic_bytes, const Int64& topic_start, const Int64& row_start,
                         const Bytes& item_bytes, const Int64& item_start, const Array<Value>& value) {
    View<Value> view = view_of(topic_bytes, topic_start, item_bytes, item_start, value);
    const std::size_t size = row_start.shape(0);
    const std::int64_t* const start = row_start.data();
    const bool fits = static_cast<std::int64_t>(size) == view.topics.count + 1 && start[0] == 0 &&
                      start[size - 1] == view.items.count;
    if (!fits || !divides(start, size, value.shape(0))) {
        throw nb::value_error("topics and rows differ in length");
    }
    view.row_start = start;
    return view;
}

nb::object arrays_of(Located& located) {
    std::size_t count = 0;
    for (const auto& batch : located.batches) count += batch.size();
    Column<std::int64_t> ranking(count), row(count), grade(count), rank(count), first(count), last(count);
    std::size_t at = 0;
    for (const auto& batch : located.batches) {
        for (const Found& item : batch) {
            ranking[at] = item.ranking;
            row[at] = item.row;
            grade[at] = item.grade;
            rank[at] = item.rank;
            first[at] = item.first;
            last[at++] = item.last;
        }
    }
    return nb::make_tuple(array(Column<std::int64_t>(located.run_topic)), array(std::move(ranking)),
                          array(std::move(row)), array(std::move(grade)), array(std::move(rank)),
                          array(std::move(first)), array(std::move(last)));
}

nb::object locate_items(Bytes run_topic_bytes, Int64 run_topic_start, Int64 run_row_start, Bytes run_item_bytes,
                        Int64 run_item_start, Array<double> run_score, Bytes qrels_topic_bytes, Int64 qrels_topic_start,
                        Int64 qrels_row_start, Bytes qrels_item_bytes, Int64 qrels_item_start, Int64 qrels_grade,
                        bool by_input, std::int64_t threads) {
    const auto run = grouped_view<double>(run_topic_bytes, run_topic_start, run_row_start, run_item_bytes,
                                          run_item_start, run_score);
    const auto qrels = grouped_view<std::int64_t>(qrels_topic_bytes, qrels_topic_start, qrels_row_start,
                                                  qrels_item_bytes, qrels_item_start, qrels_grade);
    if (std::any_of(run.value, run.value + run.items.count, [](double score) { return std::isnan(score); })) {
        throw nb::value_error("score: NaN has no place in an order");
    }
    Located located;
    {
        const nb::gil_scoped_release others_may_run;
        located = locate(run, qrels, by_input, threads_allowed(threads));
    }
    return arrays_of(located);
}

}  // namespace

constexpr const char* elsewhere = "the native kernel of precall runs in the main interpreter only";

bool in_first_interpreter() { return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0; }

// What nanobind makes belongs to the first interpreter of a process; another one that imported it waited forever.
#define PyInit__kernel init_in_first_interpreter
NB_MODULE(_kernel, module) {
    // From 3.13 on the function below is run by the main interpreter, whoever imports.
    if (!in_first_interpreter()) throw nb::import_error(elsewhere);
    module.doc() = "The kernel in C++; precall.native.twin says what each function does.";
    module.attr("COMPILER") = PRECALL_COMPILER;
    module.def("read_run", &read_run, "source"_a, "float32"_a, "duplicates"_a, "threads"_a, "chunk"_a = 0);
    module.def("read_qrels", &read_qrels, "source"_a, "duplicates"_a, "threads"_a, "chunk"_a = 0);
    module.def("run_from_dict", &from_dict<double>, "run"_a, "float32"_a, "threads"_a = 1, "chunk"_a = 0);
    module.def("qrels_from_dict", &qrels_from_dict, "qrels"_a, "threads"_a = 1, "chunk"_a = 0);
    module.def("texts_of_lists", &texts_of_lists, "lists"_a, "distinct"_a);
    module.def("group_run", &group_columns<double>, "topic_bytes"_a, "topic_start"_a, "item_bytes"_a, "item_start"_a,
               "score"_a, "duplicates"_a, "threads"_a);
    module.def("group_qrels", &group_columns<std::int64_t>, "topic_bytes"_a, "topic_start"_a, "item_bytes"_a,
               "item_start"_a, "grade"_a, "duplicates"_a, "threads"_a);
    module.def("run_from_table", &from_table<double>, "data"_a, "begin"_a, "separator"_a, "width"_a, "wanted"_a,
               "float32"_a, "duplicates"_a, "threads"_a, "chunk"_a = 0);
    module.def("qrels_from_table", &qrels_from_table, "data"_a, "begin"_a, "separator"_a, "width"_a, "wanted"_a,
               "duplicates"_a, "threads"_a, "chunk"_a = 0);
    module.def("columns_from_table", &columns_from_table, "source"_a, "begin"_a, "separator"_a, "width"_a, "wanted"_a,
               "kinds"_a, "chunk"_a = 0);
    module.def("locate", &locate_items, "run_topic_bytes"_a, "run_topic_start"_a, "run_row_start"_a, "run_item_bytes"_a,
               "run_item_start"_a, "run_score"_a, "qrels_topic_bytes"_a, "qrels_topic_start"_a, "qrels_row_start"_a,
               "qrels_item_bytes"_a, "qrels_item_start"_a, "qrels_grade"_a, "by_input"_a, "threads"_a);
    add_counting(module);
    add_resampling(module);
}

}  // namespace precall

#undef PyInit__kernel
extern "C" NB_EXPORT PyObject* PyInit__kernel() {
    if (!precall::in_first_interpreter()) {
        PyErr_SetString(PyExc_ImportError, precall::elsewhere);
        return nullptr;
    }
    return precall::init_in_first_interpreter();
}
