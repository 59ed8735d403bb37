"""Text of pictures fits in whatever font a viewer has, which here is that of the machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_runs import every_kind

from airlag._airlag import finished_svg as fitted
from airlag._airlag import text_width as width
from airlag.views.pages.page import write_report
from browsing import browser as browser

PICTURES = sorted((Path(__file__).resolve().parents[3] / "docs" / "pictures").glob("*.svg"))

#: Texts of a picture with the corners of what is drawn of them, less the room above and below
#: letters; then which of them leave the picture, and which lie on each other.
MEASURE = """
const svg = document.documentElement;
const box = svg.getBoundingClientRect();
const seen = (text) => {
  for (let node = text; node !== svg; node = node.parentNode) {
    if (node.getAttribute("opacity") === "0") return false;
  }
  return text.textContent.trim() !== "";
};
const texts = [...svg.querySelectorAll("text")].filter(seen).map((text) => {
  const { x, y, width, height } = text.getBBox();
  const { a, b, c, d, e, f } = text.getScreenCTM();
  const at = (right, down) => [a * right + c * down + e, b * right + d * down + f];
  const [top, foot] = [y + 0.14 * height, y + 0.86 * height];
  const corners = [at(x, top), at(x + width, top), at(x + width, foot), at(x, foot)];
  return { said: text.textContent, corners };
});
const inside = ([x, y]) =>
  x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1;
const apart = (one, other) =>
  one.some(([x1, y1], nth) => {
    const [x2, y2] = one[(nth + 1) % 4];
    const along = (corners) => corners.map(([x, y]) => x * (y1 - y2) + y * (x2 - x1));
    const far = 0.5 * Math.hypot(x2 - x1, y2 - y1);
    const beyond = (mine, its) => Math.min(...mine) >= Math.max(...its) - far;
    return beyond(along(one), along(other)) || beyond(along(other), along(one));
  });
const clipped = texts.filter(({ corners }) => !corners.every(inside)).map(({ said }) => said);
const collided = texts.flatMap((one, nth) =>
  texts
    .slice(0, nth)
    .filter((other) => !apart(one.corners, other.corners) && !apart(other.corners, one.corners))
    .map((other) => `${other.said} / ${one.said}`),
);
return { texts: texts.length, clipped, collided };
"""


@pytest.fixture
def measured(browser: Any) -> Callable[[Path], dict[str, Any]]:
    """Opens a picture; returns what of its text does not fit."""

    def measure(picture: Path) -> dict[str, Any]:
        browser.get(picture.as_uri())
        found: dict[str, Any] = browser.execute_script(MEASURE)
        return found

    return measure


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_no_text_of_a_picture_is_clipped_or_collides(
    picture: Path, measured: Callable[[Path], dict[str, Any]]
) -> None:
    found = measured(picture)
    assert found["texts"] > 5
    assert (found["clipped"], found["collided"]) == ([], [])


def test_no_text_of_a_report_is_clipped_or_collides(
    tmp_path: Path, measured: Callable[[Path], dict[str, Any]]
) -> None:
    write_report(every_kind(), tmp_path / "report.svg")
    found = measured(tmp_path / "report.svg")
    assert found["texts"] > 100
    assert (found["clipped"], found["collided"]) == ([], [])


def test_a_text_that_does_not_fit_is_noticed(
    tmp_path: Path, measured: Callable[[Path], dict[str, Any]]
) -> None:
    lines = ("one", 10), ("on it", 12), ("far too long for its picture" * 9, 60)
    texts = "".join(f'<text x="5" y="{y}" font-size="12px">{said}</text>' for said, y in lines)
    (tmp_path / "bad.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80">{texts}</svg>'
    )
    found = measured(tmp_path / "bad.svg")
    assert found["clipped"] == [lines[2][0]]
    assert found["collided"] == ["one / on it"]


def test_each_line_of_an_svg_has_its_width() -> None:
    drawn = (
        '<text x="1" font-size="10px" fill="#222"/>'
        '<text x="1" font-size="10px">a &lt; b</text>'
        '<text font-size="20px" font-weight="bold"><tspan>a</tspan><tspan dy="9">b</tspan></text>'
    )
    lengths = [float(each) for each in re.findall(r'textLength="([\d.]+)"', fitted(drawn))]
    expected = [width("a < b", 10), width("a", 20, True), width("b", 20, True)]
    assert lengths == pytest.approx(expected, abs=0.05)
