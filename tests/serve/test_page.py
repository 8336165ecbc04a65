"""The page in a real browser: Debian's Chromium, driven by playwright. Skipped where either is missing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from explained_model import TEXT
from serve.serving import Client, serving

from laconic.features import load_set
from laconic.pipeline import Pipeline
from laconic.serve.limits import Limits
from laconic.serve.service import ServedModel

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


def test_what_a_beam_finds_is_not_offered_to_be_explained(tab: Tab) -> None:
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
