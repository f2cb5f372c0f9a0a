#!/usr/bin/env bash
# Builds precall and runs its tests on every Python from 3.11 on that is here or can be had:
#
#     tests/install/pythons.sh [--newest | --turn NUMBER] [--wheel FILE] [PYTEST ARGUMENTS...]
#     tests/install/pythons.sh --prepare [--newest | --turn NUMBER]  # fetches what must be fetched, and tests nothing
#     tests/install/pythons.sh --list [--newest | --turn NUMBER] [--wheel FILE]  # says which would be tested, and with what
#     tests/install/pythons.sh --where VERSION  # the Python of that version that is here, and nothing else
#
# By its turn, one for each NUMBER, one Python later than 3.11 is tested: the newest if that one cannot be had.
# With a wheel of ours that one is installed, and none is built; a Python that it is not for is named, and is no failure.
# Here are those of PATH and of pyenv; the newest come from Debian, by debootstrap (as root), each a system of its own
# in a folder that is kept: ${XDG_CACHE_HOME:-~/.cache}/precall/SUITE. What cannot be had is named, and is no failure.
set -uo pipefail
cd "$(dirname "$0")/../.."

here() { # VERSION: the first Python of that version that can make a venv
    local python
    for python in "$(command -v "python$1")" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        # pyenv puts commands into PATH for versions that are not chosen; they only fail.
        if [[ -x $python ]] && "$python" -c 'import ensurepip' 2> /dev/null; then
            echo "$python"
            return
        fi
    done
    return 1
}

if [[ ${1-} == --where ]]; then
    here "$2"
    exit
fi

cache=${XDG_CACHE_HOME:-$HOME/.cache}/precall
declare -A suites=([3.13]=trixie [3.14]=sid)
versions=(3.11 3.12 3.13 3.14)
prepare='' list='' wheel=''
while true; do
    case ${1-} in
        --prepare) prepare=only && shift ;;
        --list) list=only && shift ;;
        --newest) versions=(3.14) && shift ;;
        --wheel) wheel=$2 && shift 2 ;;
        --turn)
            later=("${versions[@]:1}")
            turn=${later[$2 % ${#later[@]}]}
            { here "$turn" > /dev/null || [[ ${suites[$turn]-} ]]; } || turn=${later[-1]}
            versions=("$turn") && shift 2
            ;;
        *) break ;;
    esac
done

fits() { # VERSION: whether the wheel is for it, as its name says; without one, whatever is built is
    local name=${wheel##*/} least
    [[ $name =~ -cp3([0-9]+)-([a-z0-9]+)-[^-]+\.whl$ ]] || return 0
    least=${BASH_REMATCH[1]}
    case ${BASH_REMATCH[2]} in
        abi3) ((${1#3.} >= least)) ;;
        cp3"$least") ((${1#3.} == least)) ;;
        *) false ;;
    esac
}

if [[ $list ]]; then
    for version in "${versions[@]}"; do
        if fits "$version"; then echo "$version"; else echo "$version not ${wheel##*/}"; fi
    done
    exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=() report=()

lacking() { # WHAT WHY: said at once and again at the end
    report+=("NOT TESTED on $1: $2")
    echo "${report[-1]}"
}

debian() { # SUITE: unless it is there, a system with Python and a compiler
    local root=$cache/$1
    [[ -d $root ]] && return
    if ((EUID)); then
        echo "debootstrap needs root" > "$scratch/why"
        return 1
    fi
    if ! command -v debootstrap > /dev/null && ! { apt-get update -q && apt-get install -y -q debootstrap; } > "$scratch/log" 2>&1; then
        echo "debootstrap cannot be installed here" > "$scratch/why"
        return 1
    fi
    mkdir -p "$cache" && rm -rf "$root.new"
    if ! debootstrap --variant=minbase --include=python3,python3-venv,python3-dev,g++,ca-certificates \
        "$1" "$root.new" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$scratch/log" 2>&1; then
        echo "debootstrap $1 failed: $(tail -n 1 "$scratch/log")" > "$scratch/why"
        rm -rf "$root.new"
        return 1
    fi
    mv "$root.new" "$root"
}

# Names, certificates and pip's settings are those of this machine.
connected() { # ROOT
    local file
    for file in /etc/hosts /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
        [[ ! -e $file ]] || cp -L "$file" "$1$file" || return
    done
    mkdir -p "$1/root/.config/pip"
    file=${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf
    [[ ! -e $file ]] || cp -L "$file" "$1/root/.config/pip/pip.conf"
}

# Mounts are of a namespace of their own, and end with it.
inside() { # ROOT COMMAND...
    local root=$1
    shift
    unshare --mount -- bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
        exec chroot "$0" env -u XDG_CACHE_HOME -u XDG_CONFIG_HOME HOME=/root TMPDIR=/tmp PATH=/usr/bin:/bin "$@"' "$root" "$@"
}

# The kernel is built while the other packages are fetched.
# shellcheck disable=SC2016
recipe='set -e
cd "$1"
python=$2
shift 2
"$python" -m venv venv
venv/bin/python -m pip install -qq --upgrade "pip>=25.1"
[ -d dist ] || PRECALL_REQUIRE_KERNEL=1 venv/bin/python -m pip wheel -qq --no-deps --wheel-dir dist . &
venv/bin/python -m pip install -qq --group test
wait $!
venv/bin/python -m pip install -qq dist/*.whl
venv/bin/precall about
exec venv/bin/python -m pytest -q -n auto --dist worksteal -p no:cacheprovider "$@"'

tested() { # NAME ROOT PYTHON ARGUMENTS...
    local name=$1 root=$2 python=$3 start=$SECONDS folder status=0
    shift 3
    printf '\n=== %s\n' "$name"
    folder=$(mktemp -d -p "${root:-$scratch}${root:+/tmp}")
    git ls-files --cached --others --exclude-standard --deduplicate | tar -c --ignore-failed-read -T - | tar -x -C "$folder"
    [[ ! $wheel ]] || { mkdir "$folder/dist" && cp "$wheel" "$folder/dist"; }
    if [[ $root ]]; then
        connected "$root" && inside "$root" bash -c "$recipe" recipe "${folder#"$root"}" "$python" "$@" || status=$?
    else
        bash -c "$recipe" recipe "$folder" "$python" "$@" || status=$?
    fi
    rm -rf "$folder"
    report+=("$(printf '%4d s  %s' $((SECONDS - start)) "$name")")
    ((status == 0)) || failed+=("$name")
}

for version in "${versions[@]}"; do
    if [[ $prepare ]]; then
        here "$version" > /dev/null || [[ ! ${suites[$version]-} ]] || debian "${suites[$version]}" || cat "$scratch/why"
    elif ! fits "$version"; then
        lacking "Python $version" "${wheel##*/} is not for it"
    elif python=$(here "$version"); then
        tested "Python $version, $python" "" "$python" "$@"
    elif [[ ! ${suites[$version]-} ]]; then
        lacking "Python $version" "none is here, and no release of Debian has it"
    elif debian "${suites[$version]}"; then
        tested "Python $version, Debian ${suites[$version]}" "$cache/${suites[$version]}" python3 "$@"
    else
        lacking "Python $version" "$(< "$scratch/why")"
    fi
done

printf '\n%s\n' "${report[@]}"
if ((${#failed[@]})); then
    printf 'FAILED: %s\n' "${failed[@]}"
    exit 1
fi
