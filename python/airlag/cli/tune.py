"""``airlag tune``: the best setting of a link for what is asked for, all knobs together."""

from __future__ import annotations

from typing import Annotated

import typer

from airlag.cli import options, spaces, terminal
from airlag.cli.explain import Size
from airlag.cli.options import option, whole
from airlag.cli.run import Period, Seed
from airlag.cli.settings import Neighbours, Settings
from airlag.cli.work import table_or_chart

_study = options.panel("Where the study is kept")

MINIMISE = option(
    "--minimise METRIC,…",
    "Metrics to minimise: mean, p50, p95, p99, max, loss or charge. Several, also with "
    "--maximise, give a Pareto front.",
)
MAXIMISE = option("--maximise METRIC,…", "Metrics to maximise: goodput.")
SUBJECT_TO = option(
    "--subject-to LIMIT,…", "Limits to keep with 95 % confidence: 'charge<50uC,loss<0.1%'."
)
OVER = spaces.space(
    "--over KEY=VALUES,…",
    "Values of a parameter: a=1ms..50ms, a=1ms..50ms/250us in steps, or b=x|y. They narrow a "
    "knob of the link, or add a parameter; repeatable.",
)
FREE = spaces.space("--free", "Change only what gives up nothing.")
TRIALS = option(
    "--trials N", "Settings to try. Default: 128.", whole("number of settings", 1, 100_000, 128)
)
STORAGE = _study(
    "--storage URL",
    "Storage of Optuna for the study, such as sqlite:///tuning.db; an existing study is "
    "continued. Default: none.",
)
STUDY_NAME = _study("--study NAME", "Name of the study. Default: made of the objective.")


def tune(
    link: spaces.Link,
    minimise: Annotated[str, MINIMISE] = "",
    maximise: Annotated[str, MAXIMISE] = "",
    subject_to: Annotated[str, SUBJECT_TO] = "",
    size: Size = None,
    over: Annotated[list[str] | None, OVER] = None,
    free: Annotated[bool, FREE] = False,
    settings: Settings = None,
    neighbours: Neighbours = None,
    region: spaces.Within = None,
    trials: Annotated[int | None, TRIALS] = None,
    messages: spaces.Count = None,
    period: Period = None,
    seed: Seed = None,
    storage: Annotated[str | None, STORAGE] = None,
    study: Annotated[str | None, STUDY_NAME] = None,
    output: spaces.Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Find the best setting of a link for an objective, all knobs together.

    The settings found are measured again under fresh seeds, beside the unchanged link, and returned
    only if they keep every limit there with 95 % confidence. Exits with 1 when none does.
    """
    wanted = table_or_chart(output)
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
    spaces.show(told, tuned.shown(told), tuned.tables(told), wanted, force=force, json=json)
    if not told.found:
        raise typer.Exit(terminal.FOUND)
