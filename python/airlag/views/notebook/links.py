"""Link profiles, and the constants of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from airlag.questions.links import Profile
from airlag.views.notebook import Showing, Table

if TYPE_CHECKING:
    import polars as pl


def _written(value: float | str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class ProfileShowing(Showing):
    """One profile; a row of the frame is a constant."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def lines(self) -> tuple[str, str]:
        """What it is, and how much is known of it."""
        profile = self.profile
        where = "a board by itself" if profile.medium is None else f"over {profile.medium}"
        return (
            f"Link {profile.name}: {profile.about}",
            f"{profile.kind}, {where}; {len(profile.parameters)} parameters, "
            f"{len(profile.published)} published figures",
        )

    def table(self) -> Table:
        """Its constants, with what they are."""
        rows = [
            [name, f"{_written(each['value'])} {each['unit']}".rstrip(), each["about"]]
            for name, each in self.profile.parameters.items()
        ]
        return Table(["parameter", "value", "what it is"], rows)

    def frame(self) -> pl.DataFrame:
        """Its constants: values as text, each with its unit and where it is from."""
        import polars as pl

        rows = [
            {
                "name": name,
                "value": _written(each["value"]),
                "unit": each["unit"],
                "about": each["about"],
                "source": each["source"],
                "from": each["from"],
            }
            for name, each in self.profile.parameters.items()
        ]
        return pl.DataFrame(rows)


class LinksShowing(Showing):
    """Profiles; a row of the frame is one of them."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self.profiles = profiles

    def lines(self) -> tuple[str, str]:
        """How many, and of which kinds."""
        kinds = ", ".join(dict.fromkeys(each.kind for each in self.profiles))
        many = len(self.profiles)
        return f"{many} link profile{'' if many == 1 else 's'}", f"kinds: {kinds or 'none'}"

    def table(self) -> Table:
        """Each with what it is."""
        return Table(["link", "what it is"], [[each.name, each.about] for each in self.profiles])

    def frame(self) -> pl.DataFrame:
        """Name, kind, medium and what it is."""
        import polars as pl

        names = ("name", "kind", "medium", "about")
        rows = [{name: getattr(each, name) for name in names} for each in self.profiles]
        return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String))
