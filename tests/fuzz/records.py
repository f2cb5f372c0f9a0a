"""Any bytes as the record of a page: what `target_python.cpp` calls under libFuzzer and the
sanitizers.

`precall report --from` must tell it again (exit code 0) or refuse it (2), in every form. As a
program, this makes the corpus again, of small pages: python tests/fuzz/records.py
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
import tempfile
from pathlib import Path

os.environ["PRECALL_KERNEL"] = "twin"

from precall.cli.main import run

FORMS = ("table", "csv", "json", "html", "markdown", "latex")
CORPUS = Path(__file__).parent / "corpus" / "records"
_BEGIN = '<script type="application/json" id="record" data-sha256="'


def one_input(data: bytes) -> None:
    """One input of the fuzzer: its first byte chooses the form, the others are the text of the
    record.
    """
    form, text = FORMS[(data[:1] or b"0")[0] % len(FORMS)], data[1:].decode("utf-8", "replace")
    sha = hashlib.sha256(text.encode()).hexdigest()
    with tempfile.TemporaryDirectory() as place, io.StringIO() as out, io.StringIO() as said:
        page, target = Path(place, "page.html"), Path(place, "out")
        page.write_text(f'{_BEGIN}{sha}">{text}</script>', encoding="utf-8", newline="")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            code = run(["report", "--from", str(page), "--format", form, "-o", str(target)])
        if code not in (0, 2):
            raise AssertionError(f"exit code {code}: {said.getvalue()}")


def main() -> None:
    """Make the corpus: the records of pages of runs, cases and categories."""
    CORPUS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        Path("q.qrels").write_text("".join(f"q{i % 3} 0 d{i} {i % 2}\n" for i in range(12)))
        for name, turn in (("a", 1), ("b", -1)):
            Path(f"{name}.run").write_text(
                "".join(f"q{i % 3} 0 d{i} 1 {turn * i} x\n" for i in range(12))
            )
        rows = "".join(f"{i % 2},{i * 7 % 5},{i * 3 % 7}\n" for i in range(20))
        Path("cases.csv").write_text(f"y,s,t\n{rows}")
        labels = "".join(f"{'abc'[i % 3]},{i % 5},{i % 4},{i % 3}\n" for i in range(12))
        Path("labels.csv").write_text(f"truth,p_a,p_b,p_c\n{labels}")
        commands = {
            "run": ["q.qrels", "a.run"],
            "runs": ["q.qrels", "a.run", "b.run"],
            "cases": ["--cases", "cases.csv", "--label", "y", "--score", "s"],
            "scores": ["--cases", "cases.csv", "--label", "y", "--score", "s", "--score", "t"],
            "categories": ["labels.csv", "--truth", "truth", "--scores", "p_*"],
        }
        for place_of_form, (name, command) in enumerate(commands.items()):
            if run(["report", *command, "-o", "page.html"]) != 0:
                sys.exit(f"no page of {name}")
            text = Path("page.html").read_text(encoding="utf-8").split(_BEGIN)[1]
            record = text[text.index(">") + 1 : text.index("</script>")]
            (CORPUS / name).write_bytes(bytes([place_of_form]) + record.encode())


if __name__ == "__main__":
    main()
