"""`precall eval`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from precall.cli import options
from precall.core.errors import Fact, UsageError
from precall.stats.intervals.methods import DECLARED, METHODS

if TYPE_CHECKING:
    from precall.location import Located

#: The first one, the default, depends on the number of topics and the range of the measure.
INTERVALS = ("default", *METHODS["mean"])
_DRAWN = tuple(name for name in METHODS["mean"] if DECLARED[name].draws)


@click.command("eval", context_settings=options.HELP)
@click.argument("qrels", type=click.Path(allow_dash=True), required=False)
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, metavar="RUN...")
@options.lists
@options.measures(
    "A measure, such as AP, P@10, nDCG(gain=exp)@10 or trec_eval's map; repeat for more."
)
@options.per_topic
@options.form_option(
    "precall.report/2",
    " trec is the layout of trec_eval. With csv and trec, notes go to standard error.",
)
@options.length
@options.output
@options.conventions()
@options.seed(f"--ties random, and of --interval {'|'.join(_DRAWN)}")
@options.qrels_columns
@options.qrels_format
@options.runs_format
@options.threads
@options.memory
@options.interval(
    "every average",
    INTERVALS,
    (
        ". The default method is t; with fewer than 30 topics, or if t leaves the range of the "
        "measure, bayesian-bootstrap"
    ),
)
@options.level(options.LEVEL_OF_INTERVAL)
@click.option(
    "--unjudged",
    type=click.Choice(("zero", "bounds")),
    default="zero",
    show_default=True,
    help=(
        "Items that nobody judged are not relevant; or add bounds over all labels that they may "
        "have."
    ),
)
@click.option(
    "--by",
    type=click.Path(allow_dash=True),
    metavar="FILE|COLUMN",
    help="Also print averages of groups of topics, such as languages. FILE has a topic and its "
    "group on each line, or is a table with a column of topics (FILE:COLUMN names that of the "
    "groups); COLUMN is one of the table of QRELS or a RUN (column:NAME if a file has its name).",
)
@options.topic_weights
@options.max_expansion
@options.plugin
def evaluate(
    measures: tuple[str, ...],
    per_topic: bool,
    form: str,
    output: str | None,
    seed: int | None,
    interval: str | None,
    level: float,
    unjudged: str,
    by: str | None,
    topic_weights: str | None,
    **typed: Any,
) -> int:
    """Measure each RUN against the judgements QRELS and print the averages over topics.

    Inputs are TREC files (also .gz, .zst), CSV, TSV, JSON lines, Parquet or Arrow tables; - is
    standard input. The default measures are AP, P@10, RR, Rprec and nDCG@10, and for --lists
    Recall, MRR, HitRate and nDCG. Measures of diversity take judgements by subtopic, as in TREC's
    web tracks: lines of topic, subtopic, item and grade.

    \b
    Examples:
      precall eval news.qrels bm25.run dense.run -m AP -m nDCG@10
      precall eval news.qrels bm25.run -m map -m P_10 -q --format trec
      precall eval news.qrels bm25.run --topics qrels --format json -o bm25.json
      precall eval news.qrels bm25.run --interval --level 0.9
      precall eval news.qrels bm25.run --unjudged bounds
      precall eval news.qrels bm25.run --by languages.tsv
      precall eval news.qrels bm25.run --topic-weights traffic.csv
      precall eval web.qrels bm25.run dense.run -m alpha-nDCG@20 -m ERR-IA@20 --interval
      precall eval q.csv run.parquet --columns topic=qid,item=docid
      zcat bm25.run.gz | precall eval news.qrels -
      precall eval --lists rag.jsonl -m Recall@5 -m MRR -m HitRate@3 --interval
    """
    from precall.cli import files, outputs
    from precall.cli.inputs import Inputs
    from precall.cli.topic_groups import groups_for
    from precall.core.notes import sentences

    options.check_level(level, {"interval": interval})
    inputs = Inputs(conventions=options.conventions_of(typed), **typed)
    inputs.check()
    ties = inputs.conventions.ties
    if interval is not None and form == "trec":
        raise UsageError(
            argument="--interval",
            what="--format trec has no place for intervals",
            remedy="choose another form",
        )
    if unjudged == "bounds" and form == "trec":
        raise UsageError(
            argument="--unjudged",
            what="--format trec has no place for bounds",
            remedy="choose another form",
        )
    if topic_weights is not None and form == "trec":
        raise UsageError(
            argument="--topic-weights",
            what="--format trec has no place for weights",
            remedy="choose another form",
        )
    if by is not None and form == "trec":
        raise UsageError(
            argument="--by",
            what="--format trec has no place for groups",
            remedy="choose another form",
        )
    if seed is not None and ties != "random" and interval not in _DRAWN:
        raise UsageError(
            "--seed applies to --ties random",
            got=Fact(f"--ties {ties}"),
            remedy="leave one of them out",
        )
    groups = groups_for(by, inputs)
    # Checked now, not after an hour of work.
    files.check([*inputs.paths, *groups.files, *filter(None, [topic_weights])], output)
    located: list[Located] | None = [] if form == "html" else None
    with outputs.Progress(len(inputs.systems)) as progress:
        report = inputs.evaluate(
            measures or None,
            progress,
            seed or 0,
            located,
            unjudged,
            by=groups.read(),
            topic_weights=topic_weights,
            interval=interval is not None and (interval == "default" or interval),
            level=level,
        )
    outputs.write_sheet(
        report.sheet(per_topic=per_topic and located is None),
        form,
        output,
        lambda: inputs.section(report, located or [], level, seed or 0),
    )
    if form in ("csv", "trec"):
        # The parts that these forms have no room for.
        outputs.say("note", "\n".join([*sentences(report.notes), report.signature]))
    return 0
