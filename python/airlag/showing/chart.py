"""A chart of Vega-Lite that a notebook shows as Altair would."""

from __future__ import annotations

import json
import os
from typing import Any

from airlag.showing import Drawing


class Chart:
    """One chart: shown in a notebook by the renderer that Altair is set to.

    Altair's own classes would write its parts anew, and a selection that several layers share
    twice.
    """

    __slots__ = ("_spec",)

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec

    @classmethod
    def of(cls, drawing: Drawing) -> Chart:
        """The chart of a result, with the look of airlag.

        Raises
        ------
        ValueError
            With one line, where there is nothing to draw.
        """
        import altair as alt

        from airlag.pages import theme

        drawn = drawing.spec()
        title = drawn["title"]
        lines = {key: _lines(title.get(key, "")) for key in ("text", "subtitle")}
        look = {"$schema": alt.SCHEMA_URL, "config": theme.config()}
        return cls(look | drawn | {"title": title | lines})

    def __repr__(self) -> str:
        title = self._spec["title"]
        return f"Chart: {' '.join(title['text'])}\n{' '.join(title['subtitle'])}".rstrip()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:  # noqa: ARG002
        import altair as alt

        return alt.renderers.get()(self.to_dict())  # type: ignore[misc]

    def to_dict(self) -> dict[str, Any]:
        """The Vega-Lite specification."""
        return self._spec

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self._spec)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the chart; it appears complete or not at all.

        Parameters
        ----------
        path
            Ends in ``.svg``, ``.png``, or ``.html`` (a page that needs no network).
        force
            Replace a file that is there even if airlag did not draw it.

        Raises
        ------
        ValueError
            When the ending is another; one line.
        FileExistsError
            When the file is there and not airlag's, unless ``force``.
        OSError
            When it cannot be written.
        """
        from airlag.pages import chart_file

        chart_file.write(self._spec, path, name="chart", what="results", force=force)


def _lines(text: str | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)
