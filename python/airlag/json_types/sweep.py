"""A sweep, as ``--json`` prints it."""

from typing import Annotated, TypedDict

from airlag.json_types.run import Count


class Configuration(TypedDict):
    """All runs that differ in nothing but their seed."""

    configuration: Annotated[Count, "Its number, as in the dataset."]
    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    settings: Annotated[
        dict[str, bool | int | float | str],
        "Parameters that are set, in the unit of each; what cannot be set as it was asked.",
    ]
    runs: Annotated[Count, "How many replications there are."]
    problem: Annotated[str | None, "Why the link cannot be run like this; null: it can."]
    triggers: Annotated[Count, "Of all replications."]
    delivered: Annotated[Count, "Of all replications."]
    lost: Annotated[Count, "Of all replications."]
    means: Annotated[
        dict[str, float | None],
        "Means over the replications of the other results, by column of the dataset; null where "
        "none has it.",
    ]


class Swept(TypedDict):
    """A dataset, and what is in it."""

    name: Annotated[str, "Of the sweep."]
    folder: Annotated[str, "Where the dataset is."]
    links: Annotated[list[str], "Link profiles."]
    configurations: Annotated[Count, "How many there are to be."]
    replications: Annotated[Count, "Of each; at most, where an interval says when to stop."]
    runs: Annotated[Count, "Rows of the dataset."]
    before: Annotated[Count, "Of these, those that were there before the command."]
    problems: Annotated[Count, "Rows of combinations that cannot be run."]
    complete: Annotated[bool, "Whether all runs are there."]
    table: Annotated[list[Configuration], "The first 1000 configurations."]
