"""The page: as text, and as a reader meets it in a real browser."""

import dataclasses
import html
import math
import re
from html.parser import HTMLParser

import pytest

from reports.page import Cell, Game, Page, Picture, Table, render
from tests.browser import browser, visit  # noqa: F401

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "' onmouseover='alert(3)",
    "</style><script>alert(4)</script>",
    "</title><script>alert(5)</script>",
    "{{ 6 * 7 }}{% raw %}",
    "javascript:alert(8)//",
    "--><script>alert(9)</script>",
]
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="576pt" height="300pt" viewBox="0 0 576 300">'
    '<path d="M 40 260 H 560" style="stroke: var(--grid)"/>'
    '<text x="50" y="50" style="fill: var(--ink)">5 players</text></svg>'
)
COLUMNS = ["strategy", "players", "games", "win %", "95 % interval", "under ten %", "mean left", "better"]
RATES = {"greedy": 1.25, "backward": 9.66, "reservation": 21.77, "mybot10": 9.66, "mybot9": 100.0, "stuck": math.nan}


def row(name, rate):
    shown = "–" if math.isnan(rate) else f"{rate:.2f}"
    numbers = [Cell("5", 5), Cell("1 000 000", 1e6), Cell(shown, rate), Cell(f"{shown} to {shown}", rate)]
    return [Cell(name), *numbers, Cell(shown, rate), Cell(f"{shown} ± 0.01", rate), Cell("yes" if rate > 9 else "no")]


def sample(**changes):
    page = Page(
        title="Three strategies",
        lead="The same decks for all of them.",
        headlines=["reservation wins most.", "Three players have it hardest."],
        verdicts=["reservation wins 20.5\u00a0±\u00a00.1 points more than greedy."],
        pictures=[
            Picture("win-rate", "Games won", "Lines that rise.", SVG),
            Picture("left", "Cards left", "Humps.", SVG),
        ],
        tables=[
            Table("Results", COLUMNS, [row(name, rate) for name, rate in RATES.items()], "One million games each."),
            Table("Pairs", ["pair", "points"], [[Cell("reservation, greedy"), Cell("+20.52", 20.52)]]),
        ],
        games=[Game("reservation wins, greedy leaves 61", "thegame replay reservation -p 4 --seed 1 --game 5")],
        facts=[("Seed", "1"), ("Signature", "9f2ac81e" * 12)],
        commands=["thegame compare -n 1000000 --seed 1"],
        warnings=["Partial: interrupted after 12 of 20 million games."],
    )
    return dataclasses.replace(page, **changes)


def hostile():
    """Every text of the page is hostile, all of them everywhere."""
    long = " ".join(HOSTILE)
    return Page(
        title=long,
        lead=long,
        headlines=HOSTILE,
        verdicts=HOSTILE,
        pictures=[Picture(text, text, text, SVG) for text in HOSTILE],
        tables=[Table(text, [text, text], [[Cell(text), Cell(text, text)]], text) for text in HOSTILE],
        games=[Game(text, text) for text in HOSTILE],
        facts=[(text, text) for text in HOSTILE],
        commands=HOSTILE,
        warnings=HOSTILE,
    )


class Outline(HTMLParser):
    """The elements of a page with their attributes, and that they are closed in the order they were opened."""

    VOID = ("meta", "link", "img", "br", "hr", "input")

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)


def test_everything_given_is_on_the_page():
    page = sample()
    text = render(page)
    outline = Outline(text)
    assert (outline.count("figure"), outline.count("svg"), outline.count("table")) == (2, 2, 2)
    assert outline.count("tr") == sum(1 + len(table.rows) for table in page.tables)
    expected = [page.title, page.lead, *page.headlines, *page.verdicts, *page.commands, *page.warnings]
    expected += [text for picture in page.pictures for text in (picture.title, picture.alt, picture.svg)]
    expected += [text for table in page.tables for text in (table.title, table.note, *table.columns)]
    expected += [cell.text for table in page.tables for cells in table.rows for cell in cells]
    expected += [text for game in page.games for text in (game.why, game.command)]
    expected += [text for fact in page.facts for text in fact]
    assert [part for part in expected if part not in text] == []
    links = [values["href"] for tag, values in outline.elements if tag == "a"]
    assert {"win-rate.png", "win-rate.svg", "left.png", "left.svg"} <= set(links)


def test_ids_are_unique_and_references_lead_somewhere():
    elements = Outline(render(sample())).elements
    ids = [values["id"] for _, values in elements if "id" in values]
    assert len(ids) == len(set(ids))
    references = [values["aria-labelledby"] for _, values in elements if "aria-labelledby" in values]
    references += [values["href"][1:] for _, values in elements if values.get("href", "").startswith("#")]
    assert references
    assert set(references) <= set(ids)


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("headlines", "Summary"),
        ("verdicts", "Verdicts"),
        ("pictures", "Charts"),
        ("tables", "Tables"),
        ("games", "Games worth replaying"),
        ("facts", "How it was produced"),
        ("commands", "Produce it again"),
    ],
)
def test_an_empty_section_is_left_out_with_its_heading_and_link(name, heading):
    assert f">{heading}<" in render(sample())
    assert f">{heading}<" not in render(sample(**{name: []}))


def test_a_bare_page_has_a_title_and_nothing_else():
    outline = Outline(render(Page("Nothing yet", "")))
    assert not {"section", "nav", "aside", "p", "table", "figure", "dl", "ul"} & {tag for tag, _ in outline.elements}


def test_warnings_come_before_the_verdicts():
    text = render(sample())
    assert text.index("Partial: interrupted") < text.index("reservation wins most.")
    assert "<aside" not in render(sample(warnings=[]))


def test_no_line_ends_between_a_number_and_its_sign():
    text = render(sample(headlines=["5 % or 5 ± 1 points"], verdicts=["9.2 ± 0.1 %"]))
    assert "5\u00a0% or 5\u00a0±\u00a01 points" in text
    assert "9.2\u00a0±\u00a00.1\u00a0%" in text


def test_hostile_texts_stay_texts():
    text = render(hostile())
    outline = Outline(text)
    assert outline.count("script") == outline.count("style") == outline.count("title") == 1
    assert outline.count("img") == 0
    assert [values for _, values in outline.elements if any(name.startswith("on") for name in values)] == []
    assert "42" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    for name in HOSTILE:
        assert html.unescape(text).count(name) >= 9, name


def test_no_name_of_a_picture_leaves_the_folder():
    for name in [*HOSTILE, "../../etc/passwd", "//example.org/x", "https://example.org/x", "\udcff"]:
        text = render(sample(pictures=[Picture(name, "t", "a", SVG)]))
        links = [values["href"] for tag, values in Outline(text).elements if tag == "a" and "download" in values]
        assert len(links) == 2
        assert all(re.fullmatch(r"[\w.~%-]+\.(png|svg)", link) for link in links), links


def test_names_that_are_not_utf8_can_be_written():
    assert "bot?.py" in render(sample(lead="bot\udcff.py")).encode("utf-8").decode("utf-8")


def test_nothing_is_fetched():
    text = render(sample())
    for tag, values in Outline(text).elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        for name in ("src", "href", "srcset", "action", "xlink:href"):
            assert "//" not in (values.get(name) or ""), (tag, values)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|import\(", text)
    assert (
        "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"" in text
    )


def test_a_column_is_numeric_when_its_cells_sort_by_numbers():
    cells = [Cell("a"), Cell("1", 1), Cell("–"), Cell("x", "y"), Cell("7")]
    other = [Cell("b"), Cell("2", 2.5), Cell("3", 3), Cell("4", 4), Cell("8")]
    assert Table("t", "abcde", [cells, other]).numeric == [False, True, True, False, False]
    assert Table("t", "ab", []).numeric == [False, False]


@pytest.mark.parametrize(
    ("sort", "key"),
    [(None, None), ("x", "x"), ("", ""), (3, "3.0"), (-0.5, "-0.5"), (math.nan, None), (-math.inf, "-Infinity")],
)
def test_the_key_of_a_cell_is_a_number_that_scripts_can_read(sort, key):
    assert Cell("shown", sort).key == key


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="'Results': a row of 1 cells for 2 columns"):
        Table("Results", ["a", "b"], [[Cell("1")]])


# In a browser.


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The pages as files; the folder's name wants quoting."""
    folder = tmp_path_factory.mktemp("a page #1")
    pages = {"sample": sample(), "hostile": hostile()}
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(render(page), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


def column(page, place):
    return page.locator("table").first.locator(f"tbody tr > :nth-child({place + 1})").all_inner_texts()


def sorting(page):
    return page.locator("table").first.locator("thead th").evaluate_all("all => all.map(th => th.ariaSort)")


@pytest.mark.parametrize("name", ["sample", "hostile"])
def test_the_page_runs_alone_and_without_complaint(browser, files, name):  # noqa: F811
    with visit(browser, files[name]) as (page, seen):
        for button in page.locator("thead button").all():
            button.click()
        page.locator(".games").hover()
        page.wait_for_timeout(100)
        assert seen.requests == [files[name].as_uri()]
        assert (seen.errors, seen.dialogs) == ([], [])
        assert page.locator("thead button").count() == page.locator("thead th").count() > 0


def test_the_script_would_be_caught_running(browser, tmp_path):  # noqa: F811
    """The test above can fail: dialogs, errors and requests are seen."""
    path = tmp_path / "bad.html"
    path.write_text("<script>alert(1); missing()</script><img src='data:,x'><img src='other.png'>", encoding="utf-8")
    with visit(browser, path) as (_, seen):
        assert seen.dialogs == ["1"]
        assert any("missing" in error for error in seen.errors)
        assert (tmp_path / "other.png").as_uri() in seen.requests


def test_tables_sort_by_number_and_by_text(browser, files):  # noqa: F811
    names = list(RATES)
    with visit(browser, files["sample"]) as (page, _):
        heads = page.locator("table").first.locator("thead button")
        assert column(page, 0) == names

        heads.nth(3).click()  # numbers: the highest first, what has none last, equals as they were
        assert column(page, 0) == ["mybot9", "reservation", "backward", "mybot10", "greedy", "stuck"]
        assert sorting(page) == [None] * 3 + ["descending"] + [None] * 4
        heads.nth(3).click()
        assert column(page, 3) == ["1.25", "9.66", "9.66", "21.77", "100.00", "–"]
        assert column(page, 0)[1:3] == ["backward", "mybot10"]
        assert sorting(page)[3] == "ascending"

        heads.nth(0).focus()  # texts: from A, by keyboard, and 9 before 10
        page.keyboard.press("Enter")
        assert column(page, 0) == ["backward", "greedy", "mybot9", "mybot10", "reservation", "stuck"]
        page.keyboard.press("Space")
        assert column(page, 0) == ["stuck", "reservation", "mybot10", "mybot9", "greedy", "backward"]
        assert sorting(page) == ["descending"] + [None] * 7

        heads.nth(7).click()  # stable: within yes and no the order of the click before
        assert column(page, 0) == ["stuck", "greedy", "reservation", "mybot10", "mybot9", "backward"]


@pytest.mark.parametrize("name", ["sample", "hostile"])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_the_page_never_scrolls_sideways(browser, files, name, width):  # noqa: F811
    with visit(browser, files[name], viewport={"width": width, "height": 700}) as (page, _):
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollWidth") <= page.evaluate(f"{root}.clientWidth") == width
        frames = page.evaluate("[...document.querySelectorAll('.scroll')].map(e => e.getBoundingClientRect().right)")
        assert max(frames) <= width


def test_charts_stay_legible_on_a_phone_and_scroll_in_their_frames(browser, files):  # noqa: F811
    with visit(browser, files["sample"], viewport={"width": 375, "height": 700}) as (page, _):
        chart = page.locator(".picture").first
        assert chart.locator("svg").bounding_box()["width"] >= 600
        assert chart.evaluate("e => { e.scrollLeft = 1000; return e.scrollLeft }") > 200


def test_a_wide_table_scrolls_in_its_own_frame(browser, files):  # noqa: F811
    with visit(browser, files["sample"], viewport={"width": 375, "height": 700}) as (page, _):
        frame = page.locator(".table .scroll").first
        assert frame.evaluate("e => e.scrollWidth > e.clientWidth")
        frame.evaluate("e => { e.scrollLeft = 1000 }")
        assert frame.locator("tbody th").first.bounding_box()["x"] >= frame.bounding_box()["x"]


CONTRASTS = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    const [r, g, b] = numbers(colour).map((c) => linear(c / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const opaque = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return numbers(colour)[3] === 0 ? opaque(element.parentElement) : colour;
  };
  const texts = [...document.body.querySelectorAll("*:not(script):not(style)")].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  return texts.map((element) => {
    const style = getComputedStyle(element);
    const both = [light(element.closest("svg") ? style.fill : style.color), light(opaque(element))];
    const ratio = (Math.max(...both) + .05) / (Math.min(...both) + .05);
    return [element.localName, ratio, light(opaque(document.documentElement))];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(browser, files, scheme):  # noqa: F811
    with visit(browser, files["sample"], color_scheme=scheme) as (page, _):
        page.locator("thead button").first.click()
        found = page.evaluate(CONTRASTS)
        assert {"h1", "p", "li", "a", "text", "td", "th", "button", "code", "dt", "dd"} <= {tag for tag, *_ in found}
        assert [(tag, ratio) for tag, ratio, _ in found if ratio < 4.5] == []
        assert all((paper < 0.05) == (scheme == "dark") for *_, paper in found)


def test_print_is_light_and_has_headings_but_no_buttons(browser, files):  # noqa: F811
    with visit(browser, files["sample"], color_scheme="dark") as (page, _):
        boxes = "[...document.querySelectorAll('button')].filter(e => e.getClientRects().length).length"
        assert page.evaluate(boxes) > 0
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(boxes) == 0
        assert page.locator("table").first.locator("thead th").all_inner_texts() == COLUMNS
        assert all(ratio >= 4.5 and paper > 0.9 for _, ratio, paper in page.evaluate(CONTRASTS))
        assert page.locator("figure").first.evaluate("e => getComputedStyle(e).breakInside") == "avoid"


def test_without_scripts_only_the_buttons_are_missing(browser, files):  # noqa: F811
    texts = []
    for enabled in (True, False):
        with visit(browser, files["sample"], java_script_enabled=enabled) as (page, _):
            assert (page.locator("button").count() > 0) == enabled
            texts.append(page.locator("body").inner_text().replace("Copy", "").split())
    assert texts[0] == texts[1]


def test_commands_are_copied_whole(browser, files):  # noqa: F811
    command = sample().games[0].command
    options = {"permissions": ["clipboard-read", "clipboard-write"], "viewport": {"width": 375, "height": 700}}
    with visit(browser, files["sample"], **options) as (page, seen):
        button = page.locator(".games button")
        button.click()
        page.wait_for_function("document.querySelector('.games button').textContent === 'Copied'")
        assert page.evaluate("navigator.clipboard.readText()") == command
        assert seen.errors == []


def test_commands_are_copied_where_the_clipboard_is_closed(browser, files):  # noqa: F811
    with visit(browser, files["sample"]) as (page, seen):
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('closed')) }")
        page.locator(".games button").click()
        page.wait_for_function("document.querySelector('.games button').textContent !== 'Copy'")
        assert page.evaluate("getSelection().toString().trim()") == sample().games[0].command
        assert seen.errors == []
