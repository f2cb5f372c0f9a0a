"""The help text: every option, format and measure, in our own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall.compat.trec_eval.families import NICKNAMES, Family, families

if TYPE_CHECKING:
    from precall.compat.trec_eval.arguments import Options

_HELP = """\
precall trec_eval [options] QRELS RESULTS

Evaluates a run as trec_eval does, byte for byte; what differs is listed in docs/trec_eval.md.

 -h --help                       this text; with -m, the parameters of those measures too
 -v --version                    the version of trec_eval that is followed
    --as 10.0|9.0.8              the version to follow (default 10.0)
 -q --query_eval_wanted          print the values of each topic, too
 -n --nosummary                  do not print the values over all topics
 -m --measure NAME[.PARAMETERS]  measure or set of measures; may be repeated (default: official)
 -c --complete_rel_info_wanted   average over all topics of the qrels, also those without results
 -l --level_for_rel N            grades of N and above are relevant (default 1); not for measures by gains
 -M --Max_retrieved_per_topic N  evaluate the first N documents of a ranking only
 -J --Judged_docs_only           take unjudged documents out of the rankings first
 -N --Number_docs_in_coll N      documents in the collection (for utility)
 -D --Debug_level N[.TOPIC]      evaluate only TOPIC; no debugging output is printed
 -R --Rel_info_format FORMAT     of QRELS: qrels, qrels_jg, prefs or qrels_prefs (default qrels)
 -T --Results_format FORMAT      of RESULTS: trec_results
 -Z --Zscore FILE                print z-scores; FILE has lines of topic, measure, mean, standard deviation

Lines of QRELS, by format:
  qrels         topic  ignored  document  grade
  qrels_jg      topic  group    document  grade
  qrels_prefs   topic  group    document  level
  prefs         topic  group    subgroup  document  level
Lines of RESULTS: topic  ignored  document  ignored  score  run. RESULTS may be - for standard input (10.0).
Files may be compressed (.gz, .zst).
"""

_PARAMETERS = {
    "cutoffs": "cutoffs",
    "shares": "recall points or multiples of R",
    "numbers": "numbers",
    "gains": "grade=gain pairs",
    "": "no parameters",
}


def help_text(options: Options) -> str:
    """The help, and the measures: all by name, those asked for with their parameters."""
    table = families(options.version)
    parts = [_HELP, "\nSets of measures: " + ", ".join(NICKNAMES[options.version]) + "\n"]
    if options.measures:
        wanted = set(options.requested)
        parts += [_described(family) for name, family in table.items() if name in wanted]
    else:
        parts.append("Measures: " + ", ".join(table) + "\n")
    return "".join(parts)


def _described(family: Family) -> str:
    default = ",".join(f"{key}" for key in family.default)
    text = _PARAMETERS[family.parameters] + (f" (default {default})" if default else "")
    source, over = family.rel or "any format", family.summary or "not printed"
    return f"  {family.name:<24} from {source}; {text}; over topics: {over}\n"
