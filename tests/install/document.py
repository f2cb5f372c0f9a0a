"""Run a Markdown document's examples: `python document.py FILE`, from the root of the checkout.

Blocks marked `python` run one after the other in one namespace, as a reader would type them; those
with `>>>` are compared with what they show. In blocks marked `console` every `$ precall ...` runs,
and what is shown under it is compared if anything is; `...` stands for anything. Exit status: the
number of failures.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(text: str) -> Iterator[tuple[str, str, int]]:
    """Language, contents and line of every block that is an example."""
    for found in BLOCK.finditer(text):
        yield found[1], found[2], text.count("\n", 0, found.start()) + 2


def shell_examples(contents: str) -> Iterator[tuple[str, str]]:
    """Commands, continued over lines that end in a backslash, and the output shown under each."""
    for part in re.split(r"^\$ ", contents.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def run_python(contents: str, line: int, path: str, names: dict[str, object]) -> int:
    if ">>>" not in contents:
        exec(compile("\n" * (line - 1) + contents, path, "exec"), names)
        return 0
    test = doctest.DocTestParser().get_doctest(contents, names, path, path, line - 1)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    return runner.failures


def run_console(contents: str, line: int, path: str) -> int:
    failed = 0
    place = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for command, shown in shell_examples(contents):
        if not command.startswith("precall "):
            continue
        done = subprocess.run(
            ["sh", "-c", command],
            capture_output=True,
            text=True,
            env=os.environ | {"PATH": place, "COLUMNS": "120"},
        )
        same = not shown.strip() or doctest.OutputChecker().check_output(shown, done.stdout, FLAGS)
        if done.returncode or not same:
            failed += 1
            sys.stdout.write(f"{path}:{line}: $ {command}\n")
            sys.stdout.write(
                f"exit {done.returncode}\nshown:\n{shown}\ngot:\n{done.stdout}{done.stderr}\n"
            )
    return failed


def main(path: str) -> int:
    names: dict[str, object] = {"__name__": "__main__"}
    failed = 0
    for language, contents, line in blocks(Path(path).read_text(encoding="utf-8")):
        if language == "python":
            failed += run_python(contents, line, path, names)
        else:
            failed += run_console(contents, line, path)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
