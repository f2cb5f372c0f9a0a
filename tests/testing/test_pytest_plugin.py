"""The fixture as projects use it: pytest in a process of its own, on the example project and on
small tests.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from importlib.metadata import entry_points
from pathlib import Path

import pytest

# Pytest in pytest forgets what was imported in it, and NumPy cannot be loaded twice.

ROOT = Path(__file__).resolve().parents[2]
#: Where precall is on the path only, and not installed, pytest does not know its plugin.
KNOWN = any(each.value == "precall.pytest_plugin" for each in entry_points(group="pytest11"))
PLUGIN = () if KNOWN else ("-p", "precall.pytest_plugin")
pytest_plugins = ["pytester"]
#: The relevant item of so many topics is at rank 2, of the others at rank 1.
SMALL = """
import precall
QRELS = {f"q{i}": {"x": 1} for i in range(12)}
def measured(worse, measures=("AP",)):
    run = {f"q{i}": {"x": 1.0, "y": 2.0 * (i < worse), "z": 0.5} for i in range(12)}
    return precall.evaluate(QRELS, run, measures)
"""


def run(folder: Path, *arguments: str, ci: str = "") -> tuple[int, str]:
    environment = {
        name: text for name, text in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")
    }
    environment |= {"CI": ci} if ci else {}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *PLUGIN, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path):
    """A copy of the example project, beside the data that it reads."""
    for name in ("gate", "digits"):
        shutil.copytree(
            ROOT / "examples" / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path / "gate"


@pytest.mark.nightly
def test_the_example_passes_and_fails_when_search_gets_worse(project):
    code, told = run(project, ci="true")
    assert code == 0, told
    search = project / "search.py"
    text = search.read_text(encoding="utf-8")
    search.write_text(
        text.replace('("components", "pixels")', '("components", "profiles")'), encoding="utf-8"
    )
    code, told = run(project, "--junit-xml=out.xml", ci="true")
    readme = (project / "README.md").read_text(encoding="utf-8")
    verdict = next(line for line in told.splitlines() if line.startswith("a loss of"))
    assert code == 1 and verdict in readme and "\n67 of 100 topics lost, the worst first:\n" in told
    assert (
        "\n  q009  0.6273  0.3930     -0.2343\n" in told
        and "baseline: base.json;" in told
        and "Traceback" not in told
    )
    (failure,) = ET.parse(project / "out.xml").getroot().iter("failure")
    assert verdict in str(failure.get("message"))
    code, told = run(project, "--precall-update", ci="true")
    assert code == 0 and "precall: wrote the baseline base.json; commit it" in told


def inside(pytester: pytest.Pytester, *arguments: str, ci: str = "") -> tuple[int, str]:
    """Pytest in this process, which has all modules already."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("CI", ci)
        done = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", *PLUGIN, *arguments)
    return int(done.ret), done.stdout.str() + done.stderr.str()


def write(folder: Path, *bodies: str) -> None:
    tests = (
        f"def test_{place}(assert_not_worse):\n    {body}\n" for place, body in enumerate(bodies)
    )
    (folder / "test_it.py").write_text(SMALL + "\n".join(tests), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


@pytest.mark.nightly
def test_absent_then_written_then_compared_beside_the_test(pytester):
    (pytester.path / "tests").mkdir()
    write(
        pytester.path / "tests",
        "assert_not_worse(measured(0), 'left/out.json')",
        "assert_not_worse(measured(0))",
    )
    (pytester.path / "tests" / "left").mkdir()
    code, told = inside(pytester, "tests", ci="1")
    assert code == 1 and told.count("there is no such baseline, and in CI") >= 2
    code, told = inside(pytester, "tests")
    assert code == 0 and "wrote the baseline tests/left/out.json" in told.replace("\\", "/")
    assert sorted(path.name for path in (pytester.path / "tests").rglob("*.json")) == [
        "base.json",
        "out.json",
    ]
    write(
        pytester.path / "tests",
        "assert_not_worse(measured(9), 'left/out.json')",
        "assert_not_worse(measured(5))",
    )
    code, told = inside(pytester, "tests", "-W", "default", ci="1")
    # p of 5 losses and no win is 2^-4, which cannot fail; that is warned of.
    assert (
        code == 1
        and "NeverFailsWarning" in told
        and "1 failed, 1 passed" in told
        and "AP of run is worse than its baseline: 0.6250, was 1.0000" in told
    )


def test_a_mismatch_is_a_failure_that_names_it(pytester):
    write(pytester.path, "assert_not_worse(measured(0))")
    assert inside(pytester)[0] == 0
    write(pytester.path, "assert_not_worse(measured(0, ['RR']))")
    code, told = inside(pytester)
    assert code == 1 and "measures: the baseline lacks 'RR'; only the baseline has 'AP'" in told


@pytest.mark.nightly
def test_a_place_that_is_none_is_said_in_a_line(pytester):
    """A traceback of precall's own files: old tests wrote baselines where they can be."""
    (pytester.path / "folder.json").mkdir()
    (pytester.path / "link.json").symlink_to("/dev/zero")
    write(
        pytester.path,
        "assert_not_worse(measured(0), 'absent/base.json')",
        "assert_not_worse(measured(0), 'folder.json')",
        "assert_not_worse(measured(0), 'link.json')",
        "assert_not_worse(measured(0), 'base.json/under.json')",
        "assert_not_worse(measured(0))",
    )
    (pytester.path / "base.json").write_text("[1]", encoding="utf-8")
    code, told = inside(pytester)
    assert (
        code == 1
        and "5 failed" in told
        and "Traceback" not in told
        and "core/saving.py" not in told
    ), told
    for said in (
        "absent/base.json: there is no folder absent; create it first",
        "folder.json: is a directory, expected a file; give a",
        "link.json: is a device, expected a file; name a file",
        "base.json/under.json: there is no folder base.json",
        "base.json: is no baseline of precall",
    ):
        assert said in told, (said, told)


def test_two_tests_do_not_write_one_baseline(pytester):
    write(
        pytester.path,
        "assert_not_worse(measured(0))",
        "assert_not_worse(measured(5))",
        "assert_not_worse(measured(0))",
    )
    code, told = inside(pytester, "--precall-update")
    assert (
        code == 1
        and (
            "base.json: is the baseline of test_it.py::test_0, too, with other values; give each "
            "test its own"
        )
        in told
    )


def test_an_update_replaces_baselines_only(pytester):
    """The run that was evaluated was replaced, and the test itself; updates had been tried on
    baselines only.
    """
    kept = {
        "a.run": "q Q0 d 1 1 x\n",
        "other.json": '{"format": "precall.report/2"}\n',
        "empty.json": "",
        "later.json": '{"format": "precall.baseline/2"}\n',
    }
    for name, text in kept.items():
        (pytester.path / name).write_text(text, encoding="utf-8")
    write(
        pytester.path,
        *(f"assert_not_worse(measured(0), {name!r})" for name in (*kept, "test_it.py", "new.json")),
    )
    kept["test_it.py"] = (pytester.path / "test_it.py").read_text(encoding="utf-8")
    code, told = inside(pytester, "--precall-update")
    assert code == 1 and "3 failed, 3 passed" in told and "Traceback" not in told, told
    assert told.count("wrote the baseline") == 3, (
        "of a later version, an empty one, and the new one"
    )
    del kept["later.json"], kept["empty.json"]
    for name, text in kept.items():
        assert (pytester.path / name).read_text(encoding="utf-8") == text, name
        assert f"{name}: " in told


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        ("'x' * 300 + '.json'", "File name too long"),
        ("None", "baseline: must be a path, got NoneType"),
        ("3", "baseline: must be a path, got int"),
        ("'new/'", "is the name of a directory"),
    ],
)
def test_what_is_no_file_is_told_in_a_line(pytester, baseline, said):
    """A traceback through pathlib was; of new/ the file new was written."""
    write(pytester.path, f"assert_not_worse(measured(0), {baseline})")
    code, told = inside(pytester)
    assert code == 1 and said in told and "Traceback" not in told and "pathlib" not in told
    assert not (pytester.path / "new").exists()


@pytest.mark.nightly
def test_workers_tell_what_they_wrote(pytester):
    write(pytester.path, "assert_not_worse(measured(0))")
    code, told = inside(pytester, "-p", "xdist", "-n", "1")
    assert code == 0 and "precall: wrote the baseline base.json" in told
    assert json.loads((pytester.path / "base.json").read_bytes())["format"] == "precall.baseline/2"


@pytest.mark.nightly
def test_the_plugin_is_declared_and_light(tmp_path):
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "entry-points"
    ]["pytest11"]
    assert set(declared.values()) == {"precall.pytest_plugin"}
    assert importlib.import_module(declared["precall"]).assert_not_worse
    (tmp_path / "test_it.py").write_text(
        (
            "import sys\ndef test_it():\n    assert 'numpy' not in sys.modules\n"
            "    ours = {name for name in sys.modules if name.split('.')[0] == 'precall'}\n"
            "    assert ours == {'precall', 'precall.version', 'precall.pytest_plugin', "
            "'precall.core', 'precall.core.hooks', 'precall.core.moved'}, ours\n"
        ),
        encoding="utf-8",
    )
    code, told = run(tmp_path, "-p", "no:hypothesispytest", "-p", "no:anyio")
    assert code == 0, told


def test_characters_that_turn_text_are_not_printed(pytester):
    name = "b\u202egnp.json"
    write(pytester.path, f"assert_not_worse(measured(0), {name!r})")
    code, told = inside(pytester)
    assert code == 0 and "\u202e" not in told and "wrote the baseline b" in told
