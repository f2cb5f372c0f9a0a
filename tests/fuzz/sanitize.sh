#!/bin/sh
# The kernel's shared tests with the extension built under the address and undefined-behaviour
# sanitizers: tests/fuzz/sanitize.sh [PYTEST-ARGUMENT]...
#
# $PYTHON (default python3) needs numpy, pytest, hypothesis and nanobind, and takes xdist if it is there; cmake is
# needed too.
set -eu
python="$(command -v "${PYTHON:-python3}")"
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
build="$(mktemp -d)"
trap 'rm -rf "$build"' EXIT

cmake -S "$root" -B "$build" -DPython_EXECUTABLE="$python" -DPRECALL_SANITIZE=ON -DPRECALL_REQUIRE_KERNEL=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
cmake --build "$build" --parallel 2 >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }

# A package of its own, so that the checkout's kernel stays as it is.
mkdir "$build/site"
cp -R "$root/src/precall" "$build/site/precall"
rm -f "$build/site/precall/native/"_kernel*.so
cp "$build"/_kernel*.so "$build/site/precall/native/"

cd "$root"
# The sanitizer must be the first library of the process, and python is not linked with it; libstdc++
# comes with it because the sanitizer looks for what throws exceptions at the very start.
# What memory is touched does not need as many examples as what numbers are right.
# Leaks are not looked for: the interpreter leaves its own objects behind on purpose.
preload="$(${CXX:-c++} -print-file-name=libasan.so) $(${CXX:-c++} -print-file-name=libstdc++.so)"
workers="$("$python" -c "import xdist" 2>/dev/null && echo "-n auto" || true)"
[ $# -gt 0 ] || set -- tests/native/test_kernel*.py
LD_PRELOAD="$preload" ASAN_OPTIONS="detect_leaks=0:log_path=$build/report" UBSAN_OPTIONS=print_stacktrace=1 \
    HYPOTHESIS_PROFILE="${HYPOTHESIS_PROFILE:-again}" PYTHONPATH="$build/site" PYTHONDONTWRITEBYTECODE=1 PRECALL_KERNEL=native \
    "$python" -m pytest -q -W error -p no:cacheprovider $workers "$@" || failed=1
# The report of a broken process would go down with pytest's captured output.
cat "$build"/report* 2>/dev/null || true
exit "${failed:-0}"
