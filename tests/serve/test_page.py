"""The page in a real browser: Debian's Chromium, driven by playwright. Skipped where either is missing."""

from __future__ import annotations

import json
import os
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import synthetic
from explained_model import TEXT
from serve.serving import Client, serving

from laconic.corpus import Doc
from laconic.features import load_set
from laconic.pipeline import Pipeline
from laconic.serve.limits import Limits
from laconic.serve.service import ServedModel
from laconic.transition import Parser

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: the page is not tested")
CHROMIUM = os.environ.get("LACONIC_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
if not CHROMIUM:
    pytest.skip("no Chromium: the page is not tested (Debian: apt-get install chromium)", allow_module_level=True)

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        # The library of a sanitizer is for the process under test, and the browser does not start with it.
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET, env=environment)
        yield opened
        opened.close()


class Tab:
    """A page, and what went wrong in it."""

    def __init__(self, browser: Any, port: int, **options: Any) -> None:
        self.page = browser.new_page(**options)
        self.page.set_default_timeout(10_000)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        self.page.goto(f"http://127.0.0.1:{port}/")
        self.settled()

    def settled(self) -> None:
        self.page.wait_for_selector("#trees figure svg")
        self.page.wait_for_selector("#trees:not(.stale)")

    def clear(self) -> None:
        self.page.fill("#text", "")
        self.page.wait_for_function("() => document.querySelectorAll('#trees figure').length === 0")

    def write(self, text: str, sentences: int) -> None:
        self.clear()
        self.page.fill("#text", text)
        self.page.wait_for_function(
            "n => document.querySelectorAll('#trees figure').length === n && !document.querySelector('#trees.stale')",
            arg=sentences,
        )

    def words(self) -> list[str]:
        return self.page.locator("#trees .word .form").all_text_contents()

    def close(self) -> None:
        self.page.close()
        assert self.faults == []


@pytest.fixture
def tab(browser: Any, client: Client) -> Iterator[Tab]:
    opened = Tab(browser, client.port, viewport={"width": 1200, "height": 900}, color_scheme="light")
    yield opened
    opened.close()


def test_typing_draws_the_tree(tab: Tab) -> None:
    tab.clear()
    tab.page.type("#text", "Lo petum. ")
    tab.page.wait_for_function("() => document.querySelectorAll('#trees .word').length === 3")
    assert tab.words() == ["Lo", "petum", "."]
    tab.write(TEXT, 2)
    assert tab.words()[-3:] == ["del", "la", "."]
    tab.clear()


def test_a_click_on_a_word_tells_why(tab: Tab) -> None:
    tab.write(TEXT, 2)
    tab.page.check("input[value=full]", force=True)
    tab.settled()
    tab.page.click("#trees figure:first-child .word[data-word='1'] .form")
    tab.page.wait_for_selector("#why:not([hidden]) tr.stop")
    assert tab.page.text_content("#why-title") == "Why “Lo”?"
    assert "all 46 templates" in tab.page.text_content("#why-body")
    assert tab.page.locator("#why tr.step").count() >= 46
    assert str(load_set("tagger")[0]) in tab.page.text_content("#why tr.step:first-child")
    tab.page.keyboard.press("Escape")
    assert tab.page.is_hidden("#why")
    tab.page.focus("#trees figure:first-child .word[data-word='2']")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector("#why:not([hidden])")
    assert tab.page.text_content("#why-title") == "Why “sub”?"
    tab.page.click("#close")
    assert tab.page.is_hidden("#why")


def test_less_effort_shows_fewer_templates(tab: Tab) -> None:
    tab.write(TEXT, 2)
    shown = "document.querySelector(`.effort[data-effort=${e}] .templates`).textContent"
    tab.page.wait_for_function(f"() => ['full', 'balanced', 'fast'].every(e => /[0-9]/.test({shown}))")
    counts = [
        float(tab.page.text_content(f".effort[data-effort={effort}] .templates").split()[0])
        for effort in ("full", "balanced", "fast")
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2]
    assert "µs per word of a long text" in tab.page.text_content(".effort[data-effort=fast] .speed")

    def draws_fast(request: Any) -> bool:
        if not request.url.endswith("/api/parse"):
            return False
        asked = json.loads(request.post_data)
        return asked["effort"] == "fast" and bool(asked.get("svg"))

    with tab.page.expect_request(draws_fast):
        tab.page.click(".effort[data-effort=fast]")


def test_rows_under_the_words_can_be_chosen(tab: Tab) -> None:
    tab.write("Lo petum.", 1)
    tab.page.check("input[value=lemma]")
    tab.page.wait_for_selector("#trees .word .row")
    assert "petum" in tab.page.locator("#trees .word .row").all_text_contents()


def test_hostile_text_is_shown_and_not_run(tab: Tab) -> None:
    hostile = "<img src=x onerror=document.title='run'> <script>document.title='run'</script> \"' &lt;"
    tab.clear()
    tab.page.fill("#text", hostile)
    tab.page.wait_for_function("() => document.querySelectorAll('#trees .word').length > 0")
    tab.settled()
    assert tab.page.locator("#trees img, #trees script").count() == 0
    assert "".join(tab.words()).startswith("<img")
    tab.page.locator("#trees .word .form").first.click()
    tab.page.wait_for_selector("#why:not([hidden])")
    assert tab.page.title() == "laconic"


def test_what_the_server_refuses_is_told(browser: Any, models: dict[str, ServedModel]) -> None:
    with serving(models, Limits(words=30)) as client:
        opened = Tab(browser, client.port)
        opened.page.fill("#text", "petum " * 40)
        opened.page.wait_for_selector("#notice:not([hidden])")
        assert "too many" in opened.page.text_content("#notice")
        assert opened.page.locator("#trees figure").count() == 0  # the tree before was of another text
        assert opened.page.is_hidden("#hint")
        assert not any(opened.page.locator(".effort .figure").all_text_contents())
        opened.write("petum", 1)
        assert opened.page.is_visible("#hint")
        assert opened.page.is_hidden("#notice")
        assert all("413" in fault for fault in opened.faults)
        opened.faults.clear()
        opened.close()


def test_what_cannot_be_explained_is_not_offered(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Parser, "explainable", property(lambda self: self.search is None or self.search.width == 2))
    tab.page.reload()
    tab.write(TEXT, 2)
    assert tab.page.text_content("#hint").startswith("Click a word")
    tab.page.click(".effort[data-effort=beam]")
    tab.page.wait_for_function("() => document.querySelector('#hint').textContent.includes('another effort')")
    tab.page.locator("#trees .word .form").first.click()
    tab.page.locator("#trees .arc .label").first.click()
    assert tab.page.locator("#trees [role=button], #trees .asked").count() == 0
    tab.page.click(".effort[data-effort=full]")
    tab.page.wait_for_selector("#trees .explained")
    tab.page.locator("#trees .word .form").first.click()
    tab.page.wait_for_selector("#why:not([hidden])")
    assert tab.page.is_hidden("#notice")


def test_a_click_on_an_arc_tells_why(tab: Tab) -> None:
    tab.write(TEXT, 2)
    tab.page.wait_for_selector("#trees .arc")
    tab.page.locator("#trees figure:first-child .arc[data-word='1'] .label").click()
    tab.page.wait_for_selector("#why:not([hidden])")
    assert "Lo" in tab.page.text_content("#why-title")
    assert [title.split(":")[0] for title in tab.page.locator("#why h3").all_text_contents()] == ["head", "deprel"]
    assert tab.page.text_content("#why .effect").endswith("becomes the head of Lo")
    assert tab.page.locator("#why tr.stop").count() == 2
    assert tab.page.locator("#trees .arc.asked").count() == 1


@pytest.mark.parametrize(("scheme", "size"), [("light", (1200, 900)), ("dark", (1200, 900)), ("dark", (390, 800))])
def test_the_page_fits_light_dark_and_phone(
    browser: Any, client: Client, pipeline: Pipeline, tmp_path: Path, scheme: str, size: tuple[int, int]
) -> None:
    opened = Tab(browser, client.port, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    text = f"{TEXT} " * 3
    opened.write(text, len(pipeline(text).sentences))
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    widths = page.evaluate("[...document.querySelectorAll('#trees svg')].map(e => e.getBoundingClientRect().width)")
    assert max(widths) <= size[0]
    paper = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)"
    assert (sum(page.evaluate(paper)) < 150) == (scheme == "dark")
    ink = "getComputedStyle(document.querySelector('#trees .form')).fill.match(/[0-9]+/g).map(Number)"
    assert (sum(page.evaluate(ink)) > 450) == (scheme == "dark")
    page.click("#theme")
    assert (sum(page.evaluate(paper)) < 150) != (scheme == "dark")
    assert (sum(page.evaluate(ink)) > 450) != (scheme == "dark")
    page.click("#theme")
    page.locator("#trees .word .form").first.click()
    page.wait_for_selector("#why:not([hidden])")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    picture = page.screenshot(path=tmp_path / "page.png", timeout=10_000)
    assert picture.startswith(b"\x89PNG")
    opened.close()


def saved(tab: Tab, kind: str) -> str:
    """What the button of a format saves."""
    with tab.page.expect_download() as waiting:
        tab.page.click(f"[data-export={kind}]")
    assert waiting.value.suggested_filename == f"laconic.{kind}"
    return Path(waiting.value.path()).read_text("utf-8")


def test_what_is_shown_can_be_saved(tab: Tab, pipeline: Pipeline) -> None:
    tab.write(TEXT, 2)
    tab.page.click(".effort[data-effort=full]")
    tab.page.wait_for_selector("#trees .explained")
    tab.settled()
    pipeline.effort = "full"
    doc = pipeline(TEXT)
    assert saved(tab, "conllu") == doc.to_conllu()
    assert Doc.from_json(saved(tab, "json")) == doc
    tab.page.check("input[value=lemma]")
    tab.settled()
    picture = ET.fromstring(saved(tab, "svg"))
    words = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text") if element.text]
    assert set(doc.strings("form")) <= set(words)
    assert set(doc.strings("lemma")) <= set(words)


def test_an_address_brings_text_and_settings_back(tab: Tab, browser: Any, client: Client) -> None:
    tab.write(TEXT, 2)
    tab.page.click(".effort[data-effort=fast]")
    tab.page.check("input[value=xpos]")
    tab.page.wait_for_function("() => location.hash.includes('effort=fast') && location.hash.includes('xpos')")
    tab.page.click("#link")
    tab.page.wait_for_function("() => document.querySelector('#link').textContent !== 'link'")
    address = tab.page.url
    assert address.startswith(f"http://127.0.0.1:{client.port}/#text=")
    other = Tab(browser, client.port, viewport={"width": 1200, "height": 900})
    other.page.goto("about:blank")
    other.page.goto(address)
    other.settled()
    assert other.page.input_value("#text") == TEXT
    assert other.page.is_checked("input[value=fast]")
    assert other.page.is_checked("input[value=xpos]")
    assert not other.page.is_checked("#compare")
    assert other.words() == tab.words()
    other.page.evaluate("() => { location.hash = 'text=Kui+la.&effort=full&compare=1' }")
    other.page.wait_for_selector("#trees.compared")
    assert other.page.input_value("#text") == "Kui la."
    assert other.page.is_checked("input[value=full]")
    other.close()


def plain_text(seed: int) -> str:
    """Sentences of the invented language."""
    return Doc.from_conllu(synthetic.conllu(6, seed)).text


def test_sentences_are_counted_and_entities_shown(tab: Tab, pipeline: Pipeline) -> None:
    text, doc = TEXT, pipeline(TEXT)
    for seed in range(1, 60):  # some name of the invented language
        text = f"{TEXT} " + plain_text(seed)
        doc = pipeline(text)
        if doc.entities:
            break
    assert doc.entities, "the model finds no entity in any of these texts"
    tab.write(text, len(doc.sentences))
    assert tab.page.text_content("#count") == f"{len(doc.sentences)} sentences, {len(doc)} words"
    shown = tab.page.locator("#trees .entity").all_text_contents()
    assert shown == [f"{entity.text}{entity.label}" for entity in doc.entities]
    numbers = tab.page.locator("#trees figcaption").all_text_contents()
    assert numbers[0].startswith(f"1 of {len(doc.sentences)}")


def test_efforts_are_compared_side_by_side(tab: Tab, pipeline: Pipeline) -> None:
    text = f"{TEXT} {TEXT}"
    tab.write(text, 4)
    tab.page.check("#compare")
    tab.page.wait_for_selector("#trees.compared .column")
    tab.settled()
    titles = tab.page.locator("#trees .column h2").all_text_contents()
    assert [title.split()[0] for title in titles] == list(pipeline.efforts)
    assert sum("chosen" in title for title in titles) == 1
    answers = {}
    for effort in pipeline.efforts:
        pipeline.effort = effort
        answers[effort] = pipeline(text)
    chosen = answers[tab.page.get_attribute(".effort:has(input:checked)", "data-effort")]
    names = ("upos", "lemma", "feats", "head_index", "deprel")
    for title, (effort, doc) in zip(titles, answers.items(), strict=True):
        if [len(sentence) for sentence in doc.sentences] != [len(sentence) for sentence in chosen.sentences]:
            continue
        count = sum(
            any(getattr(a, name) != getattr(b, name) for name in names) for a, b in zip(doc, chosen, strict=True)
        )
        told = "the same" if count == 0 else "1 word differs" if count == 1 else f"{count} words differ"
        assert title == f"{effort} {'chosen' if doc is chosen else told}"
    boxes = tab.page.evaluate("[...document.querySelectorAll('.column')].map(e => e.getBoundingClientRect().left)")
    assert boxes == sorted(boxes)
    assert len(set(boxes)) > 1  # beside each other
    tab.page.uncheck("#compare")
    tab.page.wait_for_selector("#trees:not(.compared) > figure")


def test_on_a_phone_the_tree_comes_before_the_efforts(browser: Any, client: Client) -> None:
    opened = Tab(browser, client.port, viewport={"width": 390, "height": 800})
    opened.write(TEXT, 2)
    place = "document.querySelector({}).getBoundingClientRect().top + scrollY"
    tree, cards = (opened.page.evaluate(place.format(repr(one))) for one in ("#trees figure", "#efforts"))
    assert tree < cards
    opened.page.check("#compare")
    opened.page.wait_for_selector("#trees.compared .column")
    opened.settled()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    opened.close()


def test_text_from_right_to_left_is_laid_out_so(tab: Tab) -> None:
    tab.clear()
    tab.page.fill("#text", "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \u05d8\u05d5\u05d1")
    tab.page.wait_for_function("() => document.querySelectorAll('#trees .word').length >= 3")
    tab.settled()
    lefts = tab.page.evaluate(
        "[...document.querySelectorAll('#trees .word .form')].map(e => e.getBoundingClientRect().left)"
    )
    assert lefts == sorted(lefts, reverse=True)
