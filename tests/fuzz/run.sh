#!/bin/sh
# Fuzz the kernel's core under sanitizers: tests/fuzz/run.sh SECONDS [SEED] [TARGET]...
#
# SECONDS for each of the targets (default: text file tables columns counting resampling). With clang++ by libFuzzer, else
# with any C++20 compiler ($CXX, default g++) by the small driver beside this file, which keeps to changes of the corpus.
# Needs no Python, but for the targets dicts, capsules, records and twins: they lie beside the $PYTHON (default python3) in one
# program, and want its shared library, nanobind and what precall needs. SANITIZE=thread looks for races instead of broken memory.
# Inputs of counting and resampling are of a few kilobytes, and the kernel is built with PRECALL_SMALL_LIMITS, by which a few
# hundred cases go every way that millions go: 1,000 to 1,500 inputs a second of a processor, not one or two.
# LIBFUZZER=no takes the driver where clang++ is, too. New inputs go to the folder $FOUND if it is named.
set -eu
seconds="${1:?usage: run.sh SECONDS [SEED] [TARGET]...}"
seed="${2:-1}"
[ $# -le 2 ] && set -- "$seconds" "$seed" text file tables columns counting resampling
shift 2
here="$(cd "$(dirname "$0")" && pwd)"
native="$here/../../src/precall/native"
build="$(mktemp -d)"
trap 'rm -rf "$build"' EXIT

# text.cpp is part of a target.
core="blocks counting duplicates file grouping hashing lines locating memory numbers reading resampling system tables"
flags="-std=c++20 -O1 -g1 -fno-omit-frame-pointer -fsanitize=${SANITIZE:-address,undefined} -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS -DPRECALL_SMALL_LIMITS -I$native -pthread"
export UBSAN_OPTIONS="print_stacktrace=1"

compiler="${CXX:-g++}" fuzzer="" driver="$here/driver.cpp"
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$build/probe.cpp"
# The counters of libFuzzer are races themselves.
if [ "${SANITIZE:-}" != thread ] && [ "${LIBFUZZER:-}" != no ] && command -v clang++ >/dev/null 2>&1 &&
    clang++ $flags -fsanitize=fuzzer "$build/probe.cpp" -o "$build/probe" 2>/dev/null; then
    compiler=clang++ fuzzer=-fsanitize=fuzzer driver=""
    flags="$flags -fsanitize=fuzzer-no-link"
fi
rm -f "$build"/probe*

# dicts.cpp and all that the extension is made of.
dicts="$native/dicts.cpp $native/listed.cpp $native/plain.cpp $native/module.cpp $native/counting_module.cpp $native/resampling_module.cpp $native/redrawing.cpp $native/signs.cpp $native/exchanging.cpp $native/swapping.cpp $native/winning.cpp $native/placing.cpp"
libraries=""
case " $* " in *" dicts "* | *" capsules "* | *" records "* | *" twins "*)
    python="${PYTHON:-python3}"
    ask() { "$python" -c "import nanobind, os, sys, sysconfig; print($1)"; }
    nanobind="$(ask 'os.path.dirname(nanobind.__file__)')"
    flags="$flags -I$(ask 'sysconfig.get_path("include")') -I$nanobind/include -I$nanobind/ext/robin_map/include -DPRECALL_COMPILER=\"fuzzed\" -fno-strict-aliasing"
    folder="$(ask 'sysconfig.get_config_var("LIBDIR")')"
    libraries="-L$folder -Wl,-rpath,$folder -lpython$(ask 'sysconfig.get_config_var("LDVERSION")')"
    export PYTHONHOME="$(ask 'sys.base_prefix')" PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1
    export PYTHONPATH="$here:$native/../..:$(PYTHONHOME= ask 'os.pathsep.join(path for path in sys.path if path)')"
    # The interpreter leaves its own objects behind on purpose.
    export ASAN_OPTIONS="detect_leaks=0"
    ;;
*) dicts="" nanobind="" ;;
esac
# Which file a target is made of.
file_of() {
    case "$1" in dicts | capsules | records | twins) echo python ;; *) echo "$1" ;; esac
}

# Numbers that are compared lead libFuzzer nowhere, where letters do, and to note them takes most of the time.
cat >"$build/compile.sh" <<'END'
case "$fuzzer/${1##*/}" in
*fuzzer/blocks.cpp | *fuzzer/*counting.cpp | *fuzzer/*resampling.cpp) exec $compiler $flags -O2 -fno-sanitize-coverage=trace-cmp -c "$1" ;;
esac
exec $compiler $flags -c "$1"
END
export compiler flags fuzzer

# Two compilers at a time: this is most of a short run.
{
    for name in $core; do printf '%s\n' "$native/$name.cpp"; done
    for target in "$@"; do printf '%s\n' "$here/target_$(file_of "$target").cpp"; done | sort -u
    [ -z "$driver" ] || printf '%s\n' "$driver"
    [ -z "$dicts" ] || printf '%s\n' $dicts "$nanobind/src/nb_combined.cpp"
} | (cd "$build" && xargs -P 2 -n 1 sh "$build/compile.sh")

core_objects="$(for name in $core; do printf '%s ' "$build/$name.o"; done)"
for target in "$@"; do
    text="$build/text.o"
    [ "$target" = text ] && text=""
    [ -z "$text" ] || [ -f "$text" ] || $compiler $flags -c "$native/text.cpp" -o "$text"
    extension=""
    [ "$(file_of "$target")" = python ] && extension="$(for name in $dicts nb_combined.cpp; do printf '%s ' "$build/$(basename "$name" .cpp).o"; done)$libraries"
    program="$build/fuzz-$(file_of "$target")"
    [ -f "$program" ] || $compiler $flags $fuzzer $core_objects $text "$build/target_$(file_of "$target").o" ${driver:+"$build/driver.o"} $extension -o "$program"
    cp -l "$program" "$build/$target" 2>/dev/null || cp "$program" "$build/$target"
done

# Two targets at a time, each with what it prints in one piece.
cat >"$build/one.sh" <<'END'
target="$1" status=0
export TARGET="$target"
if [ -n "$fuzzer" ]; then
    found="${FOUND:-$build/found}/$target"
    mkdir -p "$found"
    longest=65536 entropic=1 seeds=0
    # To weigh what is rare takes a fifth of the time, of inputs that go nearly all ways.
    # Of pages only Python sees anything: libFuzzer, which sees none of it, would keep one of them, and shorten it to a byte.
    case "$target" in counting | resampling) longest=2048 entropic=0 ;; records) seeds=1 ;; esac
    "$build/$target" -max_total_time="$seconds" -seed="$seed" -max_len="$longest" -entropic="$entropic" -keep_seed="$seeds" -reduce_inputs="$((1 - seeds))" -verbosity=0 -print_final_stats=1 "$found" "$here/corpus/$target"
else
    "$build/$target" "$seconds" "$here/corpus/$target" "$seed"
fi >"$build/$target.log" 2>&1 || status=$?
echo "--- $target"
cat "$build/$target.log"
exit "$status"
END
export build here seconds seed fuzzer
printf '%s\n' "$@" | xargs -P 2 -n 1 sh "$build/one.sh"
