"""Elements of pages: text is escaped once, where it is put into one."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

#: Elements that hold nothing.
VOID = ("input",)


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


#: What an element holds: text, elements, or several of these; ``None`` is nothing.
Content = str | Iterable["Content"] | None


def joined(*content: Content) -> Html:
    """Text and elements behind each other."""
    parts: list[str] = []
    for each in content:
        if isinstance(each, str):
            parts.append(each if isinstance(each, Html) else escape(each))
        else:
            parts += map(joined, each or ())
    return Html("".join(parts))


def tag(name: str, /, *content: Content, **attributes: object) -> Html:
    """An element.

    In names of attributes ``_`` is a dash, but none at the end, as in ``class_``. ``True`` has no
    value; ``None`` and ``False`` are left out.
    """
    written = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in ((key.strip("_").replace("_", "-"), of) for key, of in attributes.items())
        if value is not None and value is not False
    )
    end = "" if name in VOID else f"</{name}>"
    return Html(f"<{name}{written}>{joined(*content)}{end}")


def tags(name: str, contents: Iterable[Content], /, **attributes: object) -> Html:
    """Elements with the same attributes, one for each content."""
    return joined(tag(name, content, **attributes) for content in contents)


def heads(*names: Content) -> Html:
    """Heads of columns."""
    return tags("th", names, scope="col")


def row(name: Content, /, *cells: Content, **attributes: object) -> Html:
    """A row of a table whose first cell names it; what is a cell already stays as it is."""
    made = (
        cell if isinstance(cell, Html) and cell.startswith("<td") else tag("td", cell)
        for cell in cells
    )
    return tag("tr", tag("th", name, scope="row"), made, **attributes)


def table(
    caption: Content, head: Content, rows: Iterable[str], *, above: Content = None, **of: object
) -> Html:
    """A table that scrolls where it is too wide; ``above`` is a row of heads above the others."""
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
    """A list to choose one of these values from, or all."""
    every = [("", "all"), *values]
    choices = (tag("option", text, value=value) for value, text in every)
    return tag("label", f"{of} ", tag("select", choices, name=of))


#: A field for a part of a name.
NAME_HAS = Html('<label>name has <input name="name" type="search" autocomplete="off"></label>')
