#!/usr/bin/env bash
# The kernel as a program of Windows: tests/fuzz/windows.sh [SECONDS]
#
# Its parts that need no Python are compiled by MinGW and run by Wine: what they make of files and of scored cases must
# be, to the last bit, what they make of them here; then the fuzz targets for SECONDS each (default 4), without the
# sanitizers, which MinGW lacks. Needs Debian's packages g++-mingw-w64-x86-64-posix and wine64 (and wine); without them
# it says so, and fails nothing. The parts that Python calls are compiled for no Windows here.
set -euo pipefail
seconds=${1:-4}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
native=$root/src/precall/native
cross=x86_64-w64-mingw32-g++-posix
for tool in $cross wine; do
    if ! command -v $tool > /dev/null; then
        echo "NOT TESTED for Windows: there is no $tool; apt-get install g++-mingw-w64-x86-64-posix wine64 wine"
        exit 0
    fi
done
build=$(mktemp -d)
export WINEPREFIX=$build/wine WINEDEBUG=-all
trap 'wineserver -k 2> /dev/null || true; rm -rf "$build"' EXIT

flags=(-std=c++20 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Werror "-I$native")
parts=(blocks counting duplicates exchanging file grouping hashing lines locating memory numbers placing reading redrawing resampling
    signs swapping system tables text winning)

compiled() { # COMPILER FOLDER
    mkdir -p "$build/$2"
    printf '%s\n' "${parts[@]/#/$native/}" | sed 's/$/.cpp/' | cat - <(echo "$here/digest.cpp") |
        (cd "$build/$2" && xargs -P 2 -I {} "$1" "${flags[@]}" -c {})
    "$1" "$build/$2"/*.o -static -pthread -o "$build/digest.$2"
}
compiled g++ here
compiled $cross exe

# Files of every sort: good ones, all of the corpus, an empty one, one of some megabytes, a name beyond ASCII, a folder,
# none at all.
files=$build/files
mkdir "$files"
cp "$root"/examples/digits/digits.* "$root"/examples/digits/*.run "$files"
for file in "$here"/corpus/text/* "$here"/corpus/file/*; do
    cp "$file" "$files/$(basename "$(dirname "$file")")-$(basename "$file")"
done
: > "$files/empty"
awk 'BEGIN { for (i = 0; i < 200000; ++i) printf "%d Q0 item%d 1 %.6f tag\r\n", i % 50, i, 1 / (1 + i % 977) }' > "$files/large.run"
cp "$files/pixels.run" "$files/Größe ☃.run"
mkdir "$files/folder"
(cd "$files" && { ls && echo absent; } > ../names)
(cd "$files" && "$build/digest.here") < "$build/names" > "$build/here.txt"
(cd "$files" && wine "$build/digest.exe") < "$build/names" 2> "$build/wine.txt" | tr -d '\r' > "$build/exe.txt" || {
    cat "$build/wine.txt" "$build/exe.txt"
    exit 1
}
diff "$build/here.txt" "$build/exe.txt"
echo "$(wc -l < "$build/names") files and $(grep -c cases "$build/here.txt") sets of cases: Windows and this system agree"

for target in text tables columns counting resampling; do
    objects=("$build"/exe/*.o)
    objects=("${objects[@]/*digest.o/}")
    # text.cpp is part of its target.
    [[ $target != text ]] || objects=("${objects[@]/*\/text.o/}")
    $cross "${flags[@]}" -Wno-error -I"$here" "$here/target_$target.cpp" "$here/driver.cpp" ${objects[@]} -static -pthread \
        -o "$build/$target.exe" 2> "$build/$target.log" || { cat "$build/$target.log"; exit 1; }
    echo "--- $target"
    (cd "$build" && TARGET=$target wine "$target.exe" "$seconds" "$(winepath -w "$here/corpus/$target")" 2> "$target.log") ||
        { tail -n 20 "$build/$target.log"; exit 1; }
done
