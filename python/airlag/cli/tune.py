"""``airlag tune``: the best setting of a link for what is asked for, all knobs together."""

from __future__ import annotations

from typing import Annotated

import typer

from airlag._airlag import LinkError
from airlag.cli import options, spaces, terminal
from airlag.cli.explain import Size
from airlag.cli.run import Period, Seed
from airlag.cli.settings import Neighbours, Settings

#: Title of a group in ``--help``.
STUDY = "Where the study is kept"


def _trials(text: str) -> int:
    return options.whole(text, "number of settings", 1, 100_000, 128)


Minimise = Annotated[
    str,
    typer.Option(
        "--minimise",
        metavar="METRIC,…",
        help="Metrics to minimise: mean, p50, p95, p99, max, loss or charge. Several, also with "
        "--maximise, give a Pareto front.",
    ),
]
Maximise = Annotated[
    str,
    typer.Option("--maximise", metavar="METRIC,…", help="Metrics to maximise: goodput."),
]
SubjectTo = Annotated[
    str,
    typer.Option(
        "--subject-to",
        metavar="LIMIT,…",
        help="Limits to keep with 95 % confidence: 'charge<50uC,loss<0.1%'.",
    ),
]
Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="KEY=VALUES,…",
        help="Values of a parameter: a=1ms..50ms, a=1ms..50ms/250us in steps, or b=x|y. They "
        "narrow a knob of the link, or add a parameter; repeatable.",
        rich_help_panel=spaces.SPACE,
    ),
]
Free = Annotated[
    bool,
    typer.Option("--free", help="Change only what gives up nothing.", rich_help_panel=spaces.SPACE),
]
Trials = Annotated[
    int | None,
    typer.Option(parser=_trials, metavar="N", help="Settings to try. Default: 128."),
]
Storage = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Storage of Optuna for the study, such as sqlite:///tuning.db; an existing study is "
        "continued. Default: none.",
        rich_help_panel=STUDY,
    ),
]
StudyName = Annotated[
    str | None,
    typer.Option(
        "--study",
        metavar="NAME",
        help="Name of the study. Default: made of the objective.",
        rich_help_panel=STUDY,
    ),
]


def tune(
    link: spaces.Link,
    minimise: Minimise = "",
    maximise: Maximise = "",
    subject_to: SubjectTo = "",
    size: Size = None,
    over: Over = None,
    free: Free = False,
    settings: Settings = None,
    neighbours: Neighbours = None,
    region: spaces.Within = None,
    trials: Trials = None,
    messages: spaces.Count = None,
    period: Period = None,
    seed: Seed = None,
    storage: Storage = None,
    study: StudyName = None,
    output: spaces.Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Find the best setting of a link for an objective, all knobs together.

    The settings found are measured again under fresh seeds, beside the unchanged link, and returned
    only if they keep every limit there with 95 % confidence. Exits with 1 when none does.
    """
    wanted = spaces.wanted(output)
    try:
        from airlag.cli import tuned
        from airlag.questions.tuning.choosing import tune as search
        from airlag.questions.tuning.objective import TRIALS, Objective

        objective = Objective(
            **spaces.scope(link, size, over, settings, neighbours, region, messages, period, seed),
            minimise=spaces.words(minimise),
            maximise=spaces.words(maximise),
            subject_to=subject_to,
            free=free,
            trials=trials or TRIALS,
            storage=storage,
            study=study,
        )
        with terminal.progress("tuning", objective.trials) as step:
            told = search(objective, step)
    except LinkError as error:
        terminal.refuse(error)
    spaces.show(told, tuned.shown(told), tuned.tables(told), wanted, force=force, json=json)
    if not told.found:
        raise typer.Exit(terminal.FOUND)
