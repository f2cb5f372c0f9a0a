"""Public functions that the table of `growth.py` has no row for."""

#: Public functions that have no row, and why; * stands for any end of a name.
LEFT_OUT = {
    "plot.*": "drawn by pictures.py", "ScannedCases.*": "reads off what scan has made", "ScoredCases.scan": "scale.py",
    "compat.lingpipe.Curve.*": "the class that Curve is", "compat.lingpipe.curve": "the function that curve is",
    "compat.lingpipe.Table.*": "columns that exist, handed on", "compat.lingpipe.Writer.*": "a type of what is written to",
    "compat.lingpipe.ScoredPrecisionRecallEvaluation.*": "reads off the curve that pr_curve has made",
    "compat.ir_measures.*": "what calc calls, names of measures, tuples", "compat.pytrec_eval.parse_qrel": "parse_run",
    "compat.pytrec_eval.compute_*": "one sum", "compat.sklearn.*": "sklearn_names.py times them beside scikit-learn's",
    "null.Law.*": "an alias", "null.Normal.*": "one evaluation of a formula",
    "null.NullDistribution.*": "declares what each has; measured where it is made", "null.location_*": "closed forms",
    "null.reciprocal_location_*": "closed forms, and sums of n terms at most",
    "null.Locations.*": "closed forms; drawn as null.AveragePrecision.rvs", "null.Outcome.of": "puts two things together",
    "Bounds.*": "a tuple's", "Comparison*": "a few numbers", "Interval.*": "a few numbers", "OperatingPoint.*": "four counts",
    "Ranking.points": "Curve.points", "Curve.plot": "drawn by pictures.py",
    "every result.flat": "every result.to_csv", "Report.bounds": "looks one up",
    "compare.gates": "compare", "testing.*": "evaluate, and compare of two",
    "Measure.*": "what evaluate, Curve.value and Decisions.value call", "Subtopics.*": "a loop over topics",
    "Example.located": "a worked example", "Hits.at_ranks": "rows of three columns", "Hits.needed": "a product",
    "Hits.of": "users' lists of a few ranks", "Located.weighted": "one bincount", "Curve.measured": "Curve.value",
    "Curve.to_dict": "every result.to_dict", "Curve.warn_undefined": "says a text", "Decisions.precision": "Decisions.f",
    "Decisions.recall": "Decisions.f", "Decisions.e": "Decisions.f", "Decisions.error": "Decisions.accuracy",
    "Decisions.measured": "Decisions.value", "Decisions.support": "Decisions.counts",
    "Decisions.undefined_in": "Decisions.value", "Status.measured": "Status.by_category",
    "Status.baselines": "Decisions.baselines", "Thresholds.matched": "a list of categories",
    "read_thresholds": "a list of categories", "ScoredCases.add_missed": "adds one number",
    "every result.save": "every result.to_csv, and a file",
}  # fmt: skip
