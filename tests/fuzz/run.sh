#!/bin/sh
# Fuzz the kernel's core under the sanitizers: tests/fuzz/run.sh SECONDS [SEED]
#
# With clang++ by libFuzzer, else with any C++20 compiler ($CXX, default g++) by the small driver
# beside this file, which keeps to changes of the corpus. Needs no Python.
set -eu
seconds="${1:?usage: run.sh SECONDS [SEED]}"
seed="${2:-1}"
here="$(cd "$(dirname "$0")" && pwd)"
native="$here/../../src/precall/native"
build="$(mktemp -d)"
trap 'rm -rf "$build"' EXIT

# text.cpp is part of the target.
core=""
for name in duplicates file grouping hashing lines locating memory numbers reading; do
    core="$core $native/$name.cpp"
done
flags="-std=c++20 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -I$native -pthread"
export UBSAN_OPTIONS="print_stacktrace=1"

if command -v clang++ >/dev/null 2>&1 &&
    clang++ $flags -fsanitize=fuzzer "$here/target.cpp" $core -o "$build/fuzz" 2>/dev/null; then
    # New inputs go to a folder of their own; what is worth keeping is added to the corpus by hand.
    mkdir "$build/found"
    "$build/fuzz" -max_total_time="$seconds" -seed="$seed" -max_len=65536 "$build/found" "$here/corpus"
else
    # Two compilers at a time: this is most of a short run.
    for source in "$here/driver.cpp" "$here/target.cpp" $core; do printf '%s\n' "$source"; done |
        (cd "$build" && xargs -P 2 -I {} ${CXX:-g++} $flags -c {})
    ${CXX:-g++} $flags "$build"/*.o -o "$build/fuzz"
    "$build/fuzz" "$seconds" "$here/corpus" "$seed"
fi
