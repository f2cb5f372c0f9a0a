"""Every recipe of docs/how-to/recipes.md is run, as a reader would, and gives what precall gives.

What needs a tool that is not installed is skipped, and says so: `make test-recipes` installs all of
them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path

import pytest

import precall

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "how-to" / "recipes.md").read_text(encoding="utf-8")
#: Tool → language and text of its recipe.
RECIPES = {
    tool: (language, text)
    for language, tool, text in re.findall(r"^```(\w+) (\w+)\n(.*?)^```$", TEXT, re.M | re.S)
}

#: What must hold after a recipe: it goes on in its namespace.
CHECKS = {
    "mlflow": """
told = mlflow.get_run(run.info.run_id)
assert told.data.metrics == report.flat() and list(report.flat())[:3] == ["ap", "ap_low", "ap_high"]
assert told.data.params == {name: str(text) for name, text in report.conventions.items()}
assert [one.path for one in mlflow.MlflowClient().list_artifacts(run.info.run_id)] == ["report.html"]
# Every name that a measure can have is taken.
import mlflow.utils.validation as validation
from tests.laws.parameters import VARIANTS, said
from precall.results.flat import flat_name
names = {flat_name(pc.measure(said(name, one)).name) for name, tried in VARIANTS.items() for one in tried}
assert len(names) > 1000
for name in names:
    validation._validate_metric_name(name)
""",  # noqa: E501
    "wandb": """
import time
from pathlib import Path
wandb.teardown()  # what is logged is on the disk then
(path,) = Path("wandb").glob("offline-run-*/*.wandb")
last = list(report.flat())[-1].encode()
for _ in range(100):  # its service writes in its own time
    data = path.read_bytes()
    if last in data:
        break
    time.sleep(0.2)
assert len(report.flat()) == 4 and "pixels/ap" in report.flat()
for name, value in report.flat().items():
    assert name.encode() in data and repr(value).encode() in data, name
assert run.config["ties"] == "docno"
""",
    "lightning": """
with torch.no_grad():
    import precall as pc
    expected = pc.average_precision(y.numpy() == 1, model.layer(x)[:, 0].numpy())
assert abs(val_ap - expected) < 1e-6 and 0.2 < val_ap < 1, (val_ap, expected)
""",
    "pyterrier": """
assert report["AP"] == 0.625 and table["map"].tolist() == [0.625]
assert abs(table["ndcg_cut_10"][0] - report["nDCG@10"]) < 1e-12
""",
    "polars": """
told = dict(table.iter_rows())
assert told == {"a": (1 + 2 / 3) / 2, "b": (1 / 2 + 2 / 4) / 2}
""",
    "duckdb": """
for topic, value in table:
    rows = con.sql(f"select label, score from cases where topic = {topic}").fetchnumpy()
    assert value == pc.average_precision(rows["label"], rows["score"])
assert len(table) == 3 and 0 < report["AP"] < 1 and report.runs[0].counts.topics == 3
""",
}


@pytest.fixture
def folder(tmp_path):
    """Where the files are that recipes name."""
    for path in (ROOT / "examples" / "digits").iterdir():
        if path.suffix in (".run", ".qrels"):
            shutil.copy(path, tmp_path)
    return tmp_path


def environment(folder: Path, **more: str) -> dict[str, str]:
    home = str(Path(precall.__file__).parent.parent)
    kept = {
        name: text
        for name, text in os.environ.items()
        if name not in ("GITHUB_STEP_SUMMARY", "PYTHONPATH")
    }
    paths = {"PYTHONPATH": os.pathsep.join([home, str(ROOT)]), "HOME": str(folder)}
    paths["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return kept | paths | more


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("tool", CHECKS)
def test_recipe(tool, folder):
    if find_spec(tool) is None:
        pytest.skip(
            f"{tool} is not installed: its recipe was NOT RUN; make test-recipes installs it"
        )
    language, text = RECIPES[tool]
    assert language == "python"
    (folder / "recipe.py").write_text(text + CHECKS[tool], encoding="utf-8")
    settings = {
        "MLFLOW_TRACKING_URI": f"sqlite:///{folder}/mlflow.db",
        "WANDB_SILENT": "true",
        "GIT_PYTHON_REFRESH": "quiet",
    }
    done = subprocess.run(
        [sys.executable, "recipe.py"],
        cwd=folder,
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def test_every_recipe_is_run():
    assert set(RECIPES) == {*CHECKS, "actions"}


def steps() -> list[str]:
    """The commands of the workflow, without those that install."""
    language, text = RECIPES["actions"]
    assert language == "yaml"
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: the workflow was not read")
    # YAML 1.1 reads `on` as true.
    workflow = yaml.safe_load(text)
    assert set(workflow) == {"name", True, "jobs"} and set(workflow["jobs"]) == {"search"}
    listed = workflow["jobs"]["search"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in listed)
    assert all(
        re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in listed if "uses" in step
    )
    (kept,) = [step["with"]["path"].split() for step in listed if "upload" in step.get("uses", "")]
    assert kept == ["gates.xml", "report.html"]
    return [step["run"].strip() for step in listed if "run" in step]


@pytest.mark.nightly
@pytest.mark.parametrize(("new", "code"), [("pixels", 0), ("profiles", 1)])
def test_the_commands_of_the_workflow(folder, new, code):
    install, tests, search, compare, page = steps()
    assert install.startswith("pip install ") and tests == "pytest"
    (folder / "runs").mkdir()
    (folder / "pixels.run").rename(folder / "runs" / "base.run")
    source = folder / "runs" / "base.run" if new == "pixels" else folder / f"{new}.run"
    (folder / "digits.qrels").rename(folder / "news.qrels")
    (folder / "search.py").write_text(
        f"print(open({str(source)!r}).read(), end='')\n", encoding="utf-8"
    )
    (folder / "precall").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m precall "$@"\n', encoding="utf-8"
    )
    (folder / "precall").chmod(0o755)
    summary = folder / "summary.md"
    told = environment(folder, GITHUB_STEP_SUMMARY=str(summary), CI="true")
    told["PATH"] = os.pathsep.join([str(folder), told["PATH"]])
    lines = {search: 0, compare: code} | ({page: 0} if code else {})
    for line, wanted in lines.items():
        done = subprocess.run(
            ["sh", "-ec", line], cwd=folder, env=told, capture_output=True, text=True
        )
        assert done.returncode == wanted, done.stdout + done.stderr
    assert summary.read_text(encoding="utf-8").startswith(
        "Failed: a loss of 0.01 or more of AP" if code else "Passed: 2 gates"
    )
    assert ET.parse(folder / "gates.xml").getroot().get("failures") == str(2 * code)
    assert not code or "<h1>" in (folder / "report.html").read_text(encoding="utf-8")
