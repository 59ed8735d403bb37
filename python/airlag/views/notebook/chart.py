"""A chart of Vega-Lite that shows itself in a notebook."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair

#: What JupyterLab, VS Code and others draw themselves; what they cannot is shown as a picture.
VEGA_LITE = "application/vnd.vegalite.v6+json"


class Chart:
    """One chart, shown in a notebook as Vega-Lite, or as a picture where that is unknown."""

    __slots__ = ("_spec",)

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec

    def __repr__(self) -> str:
        title = self._spec["title"]
        return f"Chart: {' '.join(title['text'])}\n{' '.join(title['subtitle'])}".rstrip()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:  # noqa: ARG002
        from airlag.views.pages.picture import drawn_svg

        return {
            VEGA_LITE: self._spec,
            "image/svg+xml": drawn_svg(self._spec),
            "text/plain": repr(self),
        }

    def to_altair(self) -> altair.TopLevelMixin:
        """The same as a chart of Altair, which is not installed with airlag.

        Raises
        ------
        ImportError
            With one line, where Altair is not installed.
        """
        try:
            import altair
        except ImportError:
            raise ImportError("Altair is not installed; pip install altair") from None
        return altair.Chart.from_dict(self._spec)

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
        from airlag.views.pages import chart_file

        chart_file.write("chart", self._spec, path, force=force)
