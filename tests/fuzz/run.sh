#!/bin/sh
# Fuzz the kernel's core under sanitizers: tests/fuzz/run.sh SECONDS [SEED] [TARGET]...
#
# SECONDS for each of the targets (default: text columns counting). With clang++ by libFuzzer, else with any C++20
# compiler ($CXX, default g++) by the small driver beside this file, which keeps to changes of the corpus. Needs no
# Python. SANITIZE=thread looks for races instead of broken memory. New inputs go to the folder $FOUND if it is named.
set -eu
seconds="${1:?usage: run.sh SECONDS [SEED] [TARGET]...}"
seed="${2:-1}"
[ $# -le 2 ] && set -- "$seconds" "$seed" text columns counting
shift 2
here="$(cd "$(dirname "$0")" && pwd)"
native="$here/../../src/precall/native"
build="$(mktemp -d)"
trap 'rm -rf "$build"' EXIT

# text.cpp is part of a target.
core="blocks counting duplicates file grouping hashing lines locating memory numbers reading"
flags="-std=c++20 -O1 -g -fno-omit-frame-pointer -fsanitize=${SANITIZE:-address,undefined} -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS -I$native -pthread"
export UBSAN_OPTIONS="print_stacktrace=1"

compiler="${CXX:-g++}" fuzzer="" driver="$here/driver.cpp"
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$build/probe.cpp"
# The counters of libFuzzer are races themselves.
if [ "${SANITIZE:-}" != thread ] && command -v clang++ >/dev/null 2>&1 &&
    clang++ $flags -fsanitize=fuzzer "$build/probe.cpp" -o "$build/probe" 2>/dev/null; then
    compiler=clang++ fuzzer=-fsanitize=fuzzer driver=""
    flags="$flags -fsanitize=fuzzer-no-link"
fi
rm -f "$build"/probe*

# Two compilers at a time: this is most of a short run.
{
    for name in $core; do printf '%s\n' "$native/$name.cpp"; done
    for target in "$@"; do printf '%s\n' "$here/target_$target.cpp"; done
    [ -z "$driver" ] || printf '%s\n' "$driver"
} | (cd "$build" && xargs -P 2 -I {} $compiler $flags -c {})

core_objects="$(for name in $core; do printf '%s ' "$build/$name.o"; done)"
for target in "$@"; do
    text="$build/text.o"
    [ "$target" = text ] && text=""
    [ -z "$text" ] || [ -f "$text" ] || $compiler $flags -c "$native/text.cpp" -o "$text"
    $compiler $flags $fuzzer $core_objects $text "$build/target_$target.o" ${driver:+"$build/driver.o"} -o "$build/fuzz"
    echo "--- $target"
    if [ -n "$fuzzer" ]; then
        found="${FOUND:-$build}/$target"
        mkdir -p "$found"
        "$build/fuzz" -max_total_time="$seconds" -seed="$seed" -max_len=65536 -verbosity=0 -print_final_stats=1 "$found" "$here/corpus/$target"
    else
        "$build/fuzz" "$seconds" "$here/corpus/$target" "$seed"
    fi
done
