"""Small collections, each with something that tools get wrong, and the commands that are compared
on them.
"""

from __future__ import annotations

_GRADED = """\
10 0 a 2
10 0 b 0
10 0 c 1
10 0 d 3
10 0 e 0
2 0 a 1
2 0 f 0
2 0 g 2
2 0 h 1
9 0 z 0
"""
_RANKED = """\
10 Q0 b 1 9.5 first
10 Q0 a 2 9 first
10 Q0 x 3 8 first
10 Q0 c 4 7 first
10 Q0 e 5 6 first
2 Q0 g 1 3 first
2 Q0 y 2 2 first
2 Q0 a 3 1 first
9 Q0 z 1 1 first
9 Q0 w 2 0 last
"""
_EVERY = "all_trec", "yaap"
_EVERY_10 = "dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"
_PARAMETERS = (
    "P.5,1,10",
    "recall.2,3",
    "ndcg_cut.10,2",
    "map_cut.2",
    "success.2,3",
    "relative_P.1,4",
    "iprec_at_recall.0.33,.7,1",
    "11pt_avg.0.2,0.5,0.8",
    "11pt_avg.0.8,0.2",
    "Rprec_mult.0.5,1.5",
    "relstring.3",
    "relstring.0",
    "set_F.0.25",
    "set_F.0",
    "utility.1,-1,0,0",
    "utility.2,-0.5,-1,0.001",
    "ndcg.1=3.5,2=9,3=12",
    "G.1=3,3=7",
    "ndcg_rel.2=5",
    "Rndcg.1=2,2=2",
    "map.7",
    "P.23.4,7",
    "P.1000000",
    "iprec_at_recall.123456.789",
)
_REFUSED = "P.", "P.0", "P.3,3", "P.x", "ndcg.1", "ndcg.1=2,", "utility.1,2", "nonsense", "P_5"


def _each(measures: tuple[str, ...], *options: str) -> list[list[str]]:
    return [[*options, *(word for name in measures for word in ("-m", name))]]


_ORDINARY = [
    [],
    ["-q", "-n"],
    ["-n"],
    ["-q", "-m", "set"],
    ["-m", "num_q", "-m", "runid"],
    ["-m", "P", "-m", "official"],
    *_each(_EVERY, "-q", "-c"),
    *_each(_EVERY, "-q", "-c", "-l", "2"),
    *_each(_EVERY, "-J"),
    *_each(_EVERY, "-M", "2"),
    *_each(_EVERY, "-l2", "-M3", "-J", "-N", "100"),
    *_each(_EVERY, "-qcJ", "-M0"),
    *_each(_EVERY, "-l", "0"),
    ["-q", "-D", "0.10"],
    ["-q", "-D", "0.nowhere"],
    ["-c", "-D0.2"],
    ["-q", "-c", "-n"],
]
_SOME = [["-q"], *_each(_EVERY, "-q", "-c"), *_each(_EVERY, "-q", "-l2", "-M3", "-J", "-N", "100")]
_NUMBERED = [["-q", "-m", name] for name in _PARAMETERS] + [["-m", name] for name in _REFUSED]
_SPELLED = [
    ["--query_eval_wanted", "--measure", "P.5"],
    ["--quer", "--meas=P.5"],
    ["--q", "--Max", "2"],
    ["--level_for_rel=2"],
    ["--nonsense"],
    ["-x"],
    ["-m"],
    ["-M"],
    ["--nosummary", "-q"],
    ["-R", "nonsense"],
    ["-T", "nonsense"],
    ["-R", "prefs"],
    ["-R", "qrels_jg"],
    ["-v"],
    ["-m", "nonsense", "-v"],
    ["-q", "-o"],
    ["--Output_old_results_format", "x"],
]
_NEW = [
    ["-q", "-c", "-m", name]
    for name in (*_EVERY_10, "dcg.1=2", "rbp.p=0.5", "rbp_resid.p=0.8", "unj.1,3")
]
_TIED = ("16777217", "16777216", ".9", "0.90000000001", "1", "1.0", "1e0", "-0", "0", "inf", "-inf")
_SAMPLED = (1, 0, -1, 2, 0, -2, 1, -1, 12, 0)

#: Name → (qrels, results, commands, z-scores).
COLLECTIONS: dict[str, tuple[str, str, list[list[str]], str]] = {
    "graded": (_GRADED, _RANKED, _ORDINARY + _NUMBERED + _SPELLED + _NEW, ""),
    "missing": (
        _GRADED + "11 0 a 1\n11 0 b 0\n3 0 q -1\n3 0 r 2\n",
        _RANKED + "12 Q0 a 1 5 last\n",
        [*_SOME, ["-q", "-c", "-m", "relstring.3", "-m", "utility.1,-1,0,0"], *_NEW],
        "",
    ),
    "nothing-shared": (
        _GRADED,
        "77 Q0 a 1 5 last\n",
        [[], ["-q"], ["-q", "-c"], ["-c", "-m", "all_trec"]],
        "",
    ),
    "ties": (
        _GRADED,
        "".join(
            f"{topic} Q0 {item} 0 {score} t\n"
            for topic in ("10", "2", "9")
            for item, score in zip("abcdefghzAé", _TIED, strict=True)
        ),
        _SOME,
        "",
    ),
    "unjudged": (
        "".join(f"1 0 {item} {grade}\n" for item, grade in zip("abcdefghij", _SAMPLED, strict=True))
        + "2 0 a -1\n2 0 b 1\n3 0 a -1\n3 0 b -1\n",
        "".join(
            f"{topic} Q0 {item} 0 {-rank} t\n"
            for topic in "123"
            for rank, item in enumerate("xcabyfidzgheK")
        ),
        [*_SOME, *_NUMBERED],
        "",
    ),
    "first-unjudged": (
        "1 0 a -1\n2 0 a 1\n",
        "1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n",
        [[], ["-m", "num_q"], ["-D", "0.2"]],
        "",
    ),
    "odd-ids": (
        "été\t0\tdoc#1\t1\r\n日本\t0\t文書\t2\r\nété\t0\tDOC#1\t0\r\n日本\t0\t<a&b>\t1\r\n",
        "  日本 \t Q0 <a&b> 1 2.5 \trun one\n\nété Q0 doc#1 1 1e1 x\n \n"
        "été Q0 DOC#1 7 10 x y z\n日本 Q0 文書 0 3 最後\n",
        _SOME,
        "",
    ),
    "words-for-numbers": (
        "1 0 a 1.9\n1 0 b rel\n1 0 c +1\n1 0 d 0.7\n1 0 e 2x\n",
        "1 Q0 f 0 1e39 t\n1 Q0 a 0 0x10 t\n1 Q0 b 0 high t\n1 Q0 c 0 7up t\n1 Q0 d 0 1,5 t\n"
        "1 Q0 e 0 1e400 t\n",
        _SOME,
        "",
    ),
    "comments": (
        "# made by hand\n1 0 a 1\n",
        "# made by hand\n# twice\n1 Q0 a 1 1 t\n1 Q0 #b 1 2 t\n",
        [["-q"]],
        "",
    ),
    "comments-twice": ("# made\n# by hand\n1 0 a 1\n", "1 Q0 a 1 1 t\n", [["-q"]], ""),
    "blank-line": ("1 0 a 1\n\n1 0 b 1\n", "1 Q0 a 1 1 t\n", [["-q"]], ""),
    "five-fields": ("1 0 a 1\n", "1 Q0 a 1 1\n", [["-q"]], ""),
    "five-judged": ("1 0 a 1 x\n", "1 Q0 a 1 1 t\n", [["-q"]], ""),
    "empty-results": ("1 0 a 1\n", "", [["-q"]], ""),
    "empty-qrels": ("", "1 Q0 a 1 1 t\n", [["-q"]], ""),
    "twice-retrieved": (
        "1 0 a 1\n2 0 a 1\n",
        "1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n2 Q0 b 2 2 t\n2 Q0 a 3 1 t\n",
        [["-q"], ["-q", "-M", "2"], ["-q", "-M", "3"], ["-m", "num_q"], ["-q", "-D", "0.1"]],
        "",
    ),
    "twice-judged": (
        "1 0 a 1\n2 0 a 1\n2 0 a 1\n",
        "1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n",
        [["-q"], ["-D0.1"], ["-m", "runid"]],
        "",
    ),
    "z-scores": (
        _GRADED,
        _RANKED,
        [
            ["-q", "-Z", "{zscores}"],
            ["-q", "-m", "all_trec", "-Z", "{zscores}"],
            ["-c", "-Z", "{zscores}"],
            ["-Z", "nowhere"],
        ],
        "10 P_5 0.2 0.1\n10 map 0.3 0.1\n10 num_ret 4 2\n2 P_5 0.5 0\n"
        "2 map 0.5 0.25\n2 num_ret 3 0\n9 map 0 0\nzz zz 0 1\n",
    ),
    "z-scores-malformed": (_GRADED, _RANKED, [["-Z", "{zscores}"]], "10 map 0.3\n"),
    "groups": (
        (
            "1 A a 1\n1 A b 0\n1 B a 0\n1 B b 2\n1 B c 1\n2 A a 1\n10 C a 1\n10 C b -1\n10 D x 0\n"
            "10 E b 1\n"
        ),
        "1 Q0 a 0 3 t\n1 Q0 b 0 2 t\n1 Q0 c 0 1 t\n2 Q0 b 0 2 t\n2 Q0 a 0 1 t\n"
        "10 Q0 b 0 2 t\n10 Q0 a 0 1 t\n",
        [
            ["-R", "qrels_jg", *options, "-m", name]
            for name in (
                "qrels_jg",
                "P_avgjg.1,2",
                "Rprec_mult_avgjg.0.5,3",
                "num_q",
                "map",
                "official",
            )
            for options in ([], ["-q"], ["-q", "-J"], ["-q", "-c", "-M", "1"], ["-q", "-l", "2"])
        ],
        "",
    ),
    "groups-missing": (
        "1 A a 1\n2 A a 1\n2 B b 1\n",
        "1 Q0 a 0 3 t\n",
        [
            ["-R", "qrels_jg", "-m", "qrels_jg", *options]
            for options in ([], ["-q"], ["-q", "-c"], ["-c", "-m", "num_rel"])
        ],
        "",
    ),
    "preferences": (
        """\
1 u1 s1 a 3.0
1 u1 s1 b 2.0
1 u1 s1 c 0.0
1 u1 s1 d 6.0
1 u1 s1 e 0.0
1 u1 s1 f 2.0
1 u2 s1 a 0.0
1 u2 s1 c 6.0
1 u2 s1 d 2.0
1 u2 s2 a 0.0
1 u2 s2 b 8.0
2 u1 s1 a 3.0
2 u1 s1 b 2.0
2 u1 s1 c 1.0
2 u1 s2 b 5.0
2 u1 s2 e 4.0
2 u1 s2 f 0.0
2 u1 s2 g 0.0
2 u1 s2 h 0.0
2 u1 s2 i 0.0
""",
        "1 Q0 b 0 9 t\n1 Q0 x 0 8 t\n1 Q0 d 0 7 t\n1 Q0 c 0 7 t\n1 Q0 e 0 7 t\n"
        "2 Q0 f 0 5 t\n2 Q0 g 0 5 t\n2 Q0 a 0 4 t\n"
        "2 Q0 h 0 3 t\n2 Q0 b 0 1 t\n",
        [
            ["-R", "prefs", *options, "-m", name]
            for name in ("all_prefs", "prefs", "map")
            for options in ([], ["-q"], ["-q", "-M", "3"], ["-q", "-c", "-J"])
        ],
        "",
    ),
    "preferences-from-qrels": (
        _GRADED,
        _RANKED,
        [
            ["-R", "qrels_prefs", *options, "-m", "all_prefs"]
            for options in ([], ["-q"], ["-q", "-M", "2"])
        ],
        "",
    ),
    "preferences-at-odds": (
        "1 u s a 1\n1 u s b 0\n1 u t a 0\n",
        "1 Q0 a 0 9 t\n",
        [["-R", "prefs", "-m", "all_prefs"]],
        "",
    ),
}
