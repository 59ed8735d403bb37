"""HTML elements that escape their text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

#: Void elements.
VOID = ("input",)


class Html(str):
    """Text that is already HTML."""

    __slots__ = ()


#: Content of an element: text, elements, or several of these; ``None`` is empty.
Content = str | Iterable["Content"] | None


def joined(*content: Content) -> Html:
    """Concatenates text and elements."""
    parts: list[str] = []
    for each in content:
        if isinstance(each, str):
            parts.append(each if isinstance(each, Html) else escape(each))
        else:
            parts += map(joined, each or ())
    return Html("".join(parts))


def tag(name: str, /, *content: Content, **attributes: object) -> Html:
    """Returns an HTML element.

    In attribute names, ``_`` becomes a hyphen, and a trailing ``_`` is dropped, as in ``class_``.
    ``True`` yields an attribute without a value. ``None`` and ``False`` omit the attribute.
    """
    written = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in ((key.strip("_").replace("_", "-"), of) for key, of in attributes.items())
        if value is not None and value is not False
    )
    end = "" if name in VOID else f"</{name}>"
    return Html(f"<{name}{written}>{joined(*content)}{end}")


def tags(name: str, contents: Iterable[Content], /, **attributes: object) -> Html:
    """Returns one element for each content, all with the same attributes."""
    return joined(tag(name, content, **attributes) for content in contents)


def heads(*names: Content) -> Html:
    """Returns column headings."""
    return tags("th", names, scope="col")


def row(name: Content, /, *cells: Content, **attributes: object) -> Html:
    """Returns a table row with ``name`` as its header; ready-made cells stay unchanged."""
    made = (
        cell if isinstance(cell, Html) and cell.startswith("<td") else tag("td", cell)
        for cell in cells
    )
    return tag("tr", tag("th", name, scope="row"), made, **attributes)


def table(
    caption: Content, head: Content, rows: Iterable[str], *, above: Content = None, **of: object
) -> Html:
    """Returns a scrollable table. ``above`` is an additional row of headings on top."""
    return tag(
        "div",
        tag(
            "table",
            None if caption is None else tag("caption", caption),
            tag("thead", None if above is None else tag("tr", above), tag("tr", head)),
            tag("tbody", *((Html("\n"), each) for each in rows), Html("\n")),
            **of,
        ),
        class_="scroll",
    )


def options(of: str, values: Iterable[tuple[object, str]]) -> Html:
    """Returns a select field with these values and "all"."""
    every = [("", "all"), *values]
    choices = (tag("option", text, value=value) for value, text in every)
    return tag("label", f"{of} ", tag("select", choices, name=of))


#: Search field for part of a name.
NAME_HAS = Html('<label>name has <input name="name" type="search" autocomplete="off"></label>')
