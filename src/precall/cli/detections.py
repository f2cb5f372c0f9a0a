"""`precall detections`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click

from precall.cli import options
from precall.core.errors import Fact, UsageError


def _missed(
    context: click.Context, parameter: click.Parameter, typed: tuple[str, ...]
) -> dict[str, int] | int | None:
    """Counts by class, CLASS=N, or one number."""
    counts: dict[str, int] = {}
    for text in typed:
        name, is_pair, count = text.rpartition("=")
        if not count.isdecimal() or (not is_pair and len(typed) > 1) or name in counts:
            raise UsageError(
                argument="--missed",
                allowed="CLASS=N once for each class, or one number",
                got=Fact(", ".join(typed)),
            )
        if not is_pair:
            return int(count)
        counts[name] = int(count)
    return counts or None


@click.command("detections", context_settings=options.HELP)
@click.argument("file", type=click.Path(allow_dash=True))
@options.column("--score", required=True, help="Column of the scores of detections.")
@options.column(
    "--matched",
    required=True,
    multiple=True,
    help="Column that is 1 if a detection was matched with a true object, else 0. Repeat for "
    "other thresholds of overlap.",
)
@options.column(
    "category", "--class", "--category", help="Column of classes (default: there is only one)."
)
@options.column("--image", help="Column of images, the sample of --interval and --against.")
@click.option(
    "--objects",
    type=click.Path(),
    metavar="FILE",
    help="Table of all true objects, a row for each, with the columns of class and image.",
)
@options.column(
    "--count", help="Column of --objects with the number of objects of a row (default: one each)."
)
@click.option(
    "--missed",
    multiple=True,
    callback=_missed,
    metavar="CLASS=N",
    help="Instead of --objects: number of objects of a class that no detection matched; repeat "
    "for other classes. One number if there is no --class, or 0 if all were found.",
)
@options.column(
    "--ignored",
    multiple=True,
    help="Column that is 1 if a detection is left out, such as one that matched a crowd. One "
    "column, or one for each --matched with the same name.",
)
@click.option(
    "--ties",
    type=click.Choice(("block", "input")),
    default="block",
    show_default=True,
    help="Order of equal scores: they count as one block, or stand in the order of the rows.",
)
@click.option(
    "--recall",
    type=click.Choice(("exact", "pycocotools")),
    default="exact",
    show_default=True,
    help="When one of the 101 recalls is reached: by whole numbers of objects, or by doubles as "
    "pycocotools compares them.",
)
@click.option(
    "--max-per-image",
    type=options.Whole(min=1),
    metavar="N",
    help="Use only this number of detections of an image and a class, the best (default: all; "
    "COCO's is 100).",
)
@click.option(
    "--interval",
    is_flag=True,
    help="Add intervals of the 101-point average of each class and of their mean.",
)
@click.option(
    "--against",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Detections of a second detector on the same images, in a table with the same columns: "
    "compare the mean over classes, and each class, by the 101-point average.",
)
@options.level("Level of --interval and --against.")
@options.short_form
@options.output
@options.input_format
@options.max_expansion
@options.plugin
def detections(
    file: str,
    score: str,
    matched: tuple[str, ...],
    category: str | None,
    image: str | None,
    objects: str | None,
    count: str | None,
    missed: Any,
    ignored: tuple[str, ...],
    ties: str,
    recall: str,
    max_per_image: int | None,
    interval: bool,
    against: str | None,
    level: float,
    form: str,
    output: str | None,
    input_format: str | None,
) -> int:
    """Measure detected objects. FILE is a table with a row for each detection.

    Prints the recall and four average precisions of each class, and their means over classes: that
    of COCO (101-point), the two of PASCAL VOC (11-point, and interpolated at all points), and the
    one without interpolation (step). Boxes are matched elsewhere; --matched says which detections
    were matched. With --against, prints the differences of two detectors, their intervals, and p.

    \b
    Examples:
      precall detections found.csv --score s --matched m50 --class c --image i --objects gold.csv
      precall detections found.csv --score s --matched m50 --class c --missed car=3 --missed bus=0
      precall detections found.csv --score s --matched m50 --matched m75 --class c --image i --objects gold.csv --interval
      precall detections new.csv --against old.csv --score s --matched m50 --class c --image i --objects gold.csv
      precall detections found.csv --score s --matched m50 --class c --image i --objects gold.csv --ties input --recall pycocotools
    """  # noqa: E501
    from precall.cases.table import about, describe_table
    from precall.cli import files, outputs
    from precall.comparison.api import compare
    from precall.core.errors import map_problems
    from precall.core.notes import collect_notes
    from precall.core.text import percent
    from precall.intervals import interval as make_interval
    from precall.object_detection.files import read_detections
    from precall.read.sources import label_of, stem

    tables = [each for each in (file, against, objects) if each is not None]
    files.check(tables, output)
    options.check_level(level, {"interval": interval, "against": against})
    options.check_exclusive({"interval": interval or None, "against": against})
    options.check_exclusive({"recall": recall if recall != "exact" else None, "against": against})
    options.check_exclusive({"objects": objects, "missed": missed})
    if count is not None and objects is None:
        raise UsageError(
            argument="--count", what="is a column of --objects", remedy="also give --objects"
        )
    source = label_of(file)
    with outputs.Progress(2) as progress, about(source):
        progress(0, file)
        read = partial(
            read_detections,
            score=score,
            matched=matched,
            category=category,
            image=image,
            ignored=ignored,
            objects=objects,
            count=count,
            missed=missed,
            format=input_format,
            ties=ties,
            max_per_image=max_per_image,
        )
        with collect_notes():  # the sheet has them
            made = read(file)
            progress(1, file)
            intervals = make_interval(made, level=level) if interval else None
            compared = None
            if against is not None:
                names = stem(file), stem(against)
                names = names if names[0] != names[1] else (source, label_of(against))
                if names[0] == names[1]:
                    raise UsageError(
                        argument="--against",
                        what="{got} is FILE itself",
                        got=against,
                        remedy="name the detections of another detector",
                    )
                second, label = read(against), label_of(against)
                with map_problems(lambda problem: problem._replace(source=label)):
                    compared = compare.detections(made, second, level=level, names=names)
        conventions = describe_table(
            source,
            against=None if against is None else label_of(against),
            score=score,
            matched=", ".join(matched),
            category=category,
            image=image,
            objects=None if objects is None else label_of(objects),
            count=count,
            ignored=", ".join(ignored) or None,
            max_per_image=None if max_per_image is None else str(max_per_image),
            interval=f"{percent(level)} (logit)" if interval else None,
        )
        if compared is not None:
            conventions |= compared.conventions
            sheet = replace(compared, conventions=conventions).sheet()
        else:
            sheet = made.sheet(recall=recall, conventions=conventions, intervals=intervals)
    return outputs.write_sheet(sheet, form, output)
