"""Names from outside are text: they never run, break the page, or reach the network."""

from __future__ import annotations

import re

import numpy as np
import pytest

import precall as pc
from precall.page.document import policy
from precall.page.record import embed, read_record

HOSTILE = [
    '</script><img src=x onerror="window.hit = 1">',
    "<!--<script>",
    "]]>--></style><script>window.hit = 2</script>",
    "'\"><svg onload=window.hit=3>",
    "javascript:window.hit=4",
    "a&lt;b&amp;c",
    "\u202egnirts\u202c",
    "line\u2028end\u2029",
    "\x00\x07null",
    "=HYPERLINK(1)",
    "ünïcødé 文字",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    qrels = {topic: {"a": 1, "b": 0} for topic in HOSTILE}
    good = {topic: {"a": 2.0, "b": 1.0} for topic in HOSTILE}
    bad = {topic: {"a": 1.0, "b": 2.0} for topic in HOSTILE[:9]} | {
        topic: good[topic] for topic in HOSTILE[9:]
    }
    report = pc.evaluate(qrels, {HOSTILE[0]: good, HOSTILE[3]: bad}, ["AP"])
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.5
    curves = {name: pc.curve(y, rng.normal(size=60) + y) for name in HOSTILE[:3]}
    path = tmp_path_factory.mktemp("hostile") / "page.html"
    return pc.report([report, curves], path, title=HOSTILE[2])


def test_nothing_runs(opened, hostile):
    page = opened(hostile)
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0 and page.locator("script").count() == 2
    assert page.locator("h1").text_content() == HOSTILE[2]
    shown = set(page.locator("#s0-topics tbody th").all_text_contents())
    unseen = re.compile("[\x00\x07\u2028\u2029\u202c\u202e\ufffd]")
    assert {unseen.sub("", one) for one in shown} == {unseen.sub("", one) for one in HOSTILE}
    page.locator("#s0-topics tbody th button").first.click()
    page.locator("#s0-first").select_option(index=1)
    turned = page.locator("#s0-topics tbody th button", has_text="gnirts")
    turned.click()
    page.locator("#s0-bars svg rect.chosen").dispatch_event("pointerover")
    assert page.locator("#s0-hover").inner_text().startswith("\ufffdgnirts\ufffd:")
    page.locator("#s0-filter").fill("<")
    page.locator("#s1-system").select_option(index=2)
    page.locator("#s1-best").click()
    assert page.evaluate("window.hit") is None and page.locator("img").count() == 0


def test_what_is_injected_is_stopped(browser, hostile):
    """Should a name become markup all the same, the policy forbids it to run, load or look."""
    context = browser.new_context()
    page = context.new_page()
    failed = {}
    page.on("requestfailed", lambda one: failed.update({one.url: one.failure}))
    page.goto(hostile.as_uri())
    page.evaluate(
        """() => { const box = document.createElement('div');
          box.innerHTML = '<img src="http://127.0.0.1:9/x" onerror="window.hit = 9"><b style="color:red">x</b>';
          document.body.append(box); const one = document.createElement('script');
          one.textContent = 'window.hit = 8'; document.body.append(one); }"""  # noqa: E501
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.hit") is None
    assert failed == {"http://127.0.0.1:9/x": "csp"}
    colour = "getComputedStyle([...document.querySelectorAll('b')].pop()).color"
    assert page.evaluate(colour) != "rgb(255, 0, 0)"
    context.close()


def test_the_policy_names_what_is_there(hostile):
    text = hostile.read_text(encoding="utf-8")
    style, script = (
        re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL) for name in ("style", "script")
    )
    told = policy(*style, *script)
    assert f'content="{told}"' in text
    assert "default-src 'none'" in told and "unsafe" not in told


def test_nothing_that_the_policy_would_stop_is_there(opened, hostile):
    page = opened(hostile)
    found = page.evaluate(
        """() => [...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].filter(
          ({ name, value }) => name === 'style' || name.startsWith('on') ||
            (['href', 'src', 'action'].includes(name) && !/^(#|data:,)/.test(value))).map((one) => one.name))"""  # noqa: E501
    )
    assert found == []


@pytest.mark.parametrize("text", HOSTILE)
def test_embedded_text_comes_back(text):
    import json

    found = embed({"x": text})
    assert not set("<>&\u2028\u2029") & set(found)
    assert json.loads(found) == {"x": text}


def test_a_half_of_a_character(tmp_path):
    name = "caf\udce9"
    path = pc.report({name: pc.curve([1, 0] * 30, range(60))}, tmp_path / "page.html")
    assert read_record(path)["sections"][0]["systems"][0]["name"] == name
