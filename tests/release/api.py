"""Which public names are lost or called otherwise since the last tag: `make api-check`.

By griffe, from the sources of both; and by `tests/data/public-names.txt` of both, which knows what
is made while precall is imported. docs/develop/promises.md says what is promised.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = "tests/data/public-names.txt"


def breakages(before: Path, after: Path, package: str = "precall") -> list[str]:
    """What griffe finds between two folders that hold the package: a line each."""
    import griffe

    old, new = (griffe.load(package, search_paths=[str(folder)]) for folder in (before, after))
    promised = {f"{package}.{name}" for name in old.exports or ()}
    # A change is told of where the name is defined.
    promised |= {old[name].final_target.path for name in old.exports or () if old[name].is_alias}
    return [
        f"{found.obj.path}: {found.kind.value}{_which(found)}"
        for found in griffe.find_breaking_changes(old, new)
        if any(f"{found.obj.path}.".startswith(f"{name}.") for name in promised)
    ]


def _which(found: Any) -> str:
    """The parameter, where it is one that changed."""
    name = getattr(found.old_value, "name", "")
    return f" ({name})" if name and name != found.obj.name else ""


def lost(before: str, after: str) -> list[str]:
    """Lines of public names that are not there any more."""
    kept = set(after.splitlines())
    return [line for line in before.splitlines() if line and line not in kept]


def git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def last_tag() -> str | None:
    """The last tag of a release that this commit comes after; a tag of this very commit is of what
    is looked at.
    """
    try:
        return git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^").strip()
    except (subprocess.CalledProcessError, FileNotFoundError):
        return None


def main() -> int:
    tag = last_tag()
    if tag is None:
        sys.stdout.write("no tag v* is here: there is nothing yet that could have been promised\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", tag, "src"], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        changed = breakages(Path(folder) / "src", ROOT / "src")
    changed += lost(git("show", f"{tag}:{NAMES}"), (ROOT / NAMES).read_text(encoding="utf-8"))
    for line in changed:
        sys.stdout.write(f"since {tag}: {line}\n")
    sys.stdout.write(f"{len(changed)} public names changed or were lost since {tag}\n")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
