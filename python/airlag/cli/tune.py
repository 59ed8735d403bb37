"""``airlag tune``: the best setting of a link for what is asked for, all knobs together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from airlag._airlag import LinkError
from airlag.cli import options, spaces, terminal
from airlag.cli.explain import Size
from airlag.cli.law import REGIONS, chosen
from airlag.cli.run import Period, Seed
from airlag.cli.settings import Neighbours, Settings, pairs_of

#: Titles of groups in ``--help``.
SPACE, STUDY = "What is turned", "Where the study is kept"
#: Most settings of one search.
MOST = 100_000


def _trials(text: str) -> int:
    return options.whole(text, "number of settings", 1, MOST, 128)


def _messages(text: str) -> int:
    return options.whole(text, "number of messages", 1, 10_000_000, 1000)


Link = Annotated[str, typer.Argument(metavar="LINK", help="A link profile.", show_default=False)]
Minimise = Annotated[
    str,
    typer.Option(
        "--minimise",
        metavar="METRIC,…",
        help="What is to become small: mean, p50, p95, p99, max, loss or charge. Several, or with "
        "--maximise, give a front.",
    ),
]
Maximise = Annotated[
    str,
    typer.Option("--maximise", metavar="METRIC,…", help="What is to become large: goodput."),
]
SubjectTo = Annotated[
    str,
    typer.Option(
        "--subject-to",
        metavar="LIMIT,…",
        help="What a setting has to keep with 95 % confidence: 'charge<50uC,loss<0.1%'.",
    ),
]
Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="KEY=VALUES,…",
        help="What a parameter may be: a=1ms..50ms, a=1ms..50ms/250us in steps, or b=x|y. It "
        "narrows a knob of the link, or adds a parameter; repeatable.",
        rich_help_panel=SPACE,
    ),
]
Free = Annotated[
    bool,
    typer.Option("--free", help="Turn only to what gives up nothing.", rich_help_panel=SPACE),
]
Trials = Annotated[
    int | None,
    typer.Option(parser=_trials, metavar="N", help="Settings to try. Default: 128."),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count", parser=_messages, metavar="N", help="Messages of each run. Default: 1000."
    ),
]


Within = Annotated[
    str | None,
    options.choice(
        "region",
        REGIONS,
        about="Turn to nothing that this region does not allow.",
        panel=SPACE,
    ),
]
Storage = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Keep the study as Optuna does, such as sqlite:///tuning.db; one that is there goes "
        "on. Default: nowhere.",
        rich_help_panel=STUDY,
    ),
]
StudyName = Annotated[
    str | None,
    typer.Option(
        "--study",
        metavar="NAME",
        help="What it is called there. Default: by what is asked.",
        rich_help_panel=STUDY,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw the front, or the settings tried, as .svg, .png or .html, or write the table as "
        ".csv, .md or .json.",
    ),
]


def tune(
    link: Link,
    minimise: Minimise = "",
    maximise: Maximise = "",
    subject_to: SubjectTo = "",
    size: Size = None,
    over: Over = None,
    free: Free = False,
    settings: Settings = None,
    neighbours: Neighbours = None,
    region: Within = None,
    trials: Trials = None,
    messages: Count = None,
    period: Period = None,
    seed: Seed = None,
    storage: Storage = None,
    study: StudyName = None,
    output: Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Find the best setting of a link for what is asked for, all knobs together.

    What is found is measured anew under fresh seeds, beside the link as it is, and returned only
    if it keeps every limit there with 95 % confidence. Exits with 1 when nothing does.
    """
    wanted = spaces.wanted(output)
    pairs = pairs_of(settings, neighbours)
    try:
        from airlag.cli import tuned
        from airlag.tuning.choosing import tune as search
        from airlag.tuning.wish import TRIALS, Wish

        wish = Wish(
            link=link,
            size=spaces.sent(link, size),
            minimise=spaces.words(minimise),
            maximise=spaces.words(maximise),
            subject_to=subject_to,
            over=spaces.spanned(over),
            settings=pairs,
            free=free,
            count=messages or 1000,
            period_ns=period,
            region=chosen(region),
            trials=trials or TRIALS,
            seed=1 if seed is None else seed,
            storage=storage,
            study=study,
        )
        with terminal.progress("tuning", wish.trials) as step:
            told = search(wish, step)
    except LinkError as error:
        terminal.refuse(error)
    spaces.tell(told, tuned.shown(told), tuned.tables(told), wanted, force=force, json=json)
    if not told.found:
        raise typer.Exit(terminal.FOUND)
