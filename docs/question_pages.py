"""Pages of campaigns that ask a question: question, answer, picture and table.

All numbers come from the runs; a new campaign only needs its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from airlag._airlag import LinkError
from airlag.questions import campaign
from airlag.questions.campaign import Answer, Point, measure_each
from airlag.views.pages import output
from airlag.views.pages.question import chart

CAMPAIGNS = Path(__file__).resolve().parents[1] / "campaigns"


@dataclass(frozen=True, slots=True)
class Page:
    """Results of one campaign."""

    name: str
    answer: Answer

    @property
    def text(self) -> str:
        """Returns the complete page."""
        question, sentences = self.answer.question, self.answer.sentences
        heads = ["curve", *(column.head for column in self.answer.columns[1:])]
        rows = zip(*(column.texts for column in self.answer.columns), strict=True)
        table = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
        lines = "\n".join("| " + " | ".join(row) + " |" for row in table)
        answer = "\n".join(f"- {line}" for line in sentences)
        return f"""# {question.title}

**{question.text}**

{answer}

![{question.text}](../pictures/question-{self.name}.svg)

{lines}

All numbers on this page are from the virtual bench, with
[`campaigns/{self.name}.toml`](../../campaigns/{self.name}.toml), which states the assumptions:

```
$ airlag campaign campaigns/{self.name}.toml
```
"""

    def draw(self, folder: Path) -> None:
        """Writes the picture."""
        picture = folder / f"question-{self.name}.svg"
        output.write_chart("question", chart(self.answer), picture, force=True)


def pages() -> Iterator[Page]:
    """Runs every campaign that asks a question."""
    for path in sorted(CAMPAIGNS.glob("*.toml")):
        asked = campaign.load(path)
        if asked.question is None:
            continue
        points: list[Point] = []
        for result in measure_each(asked.works):
            if isinstance(result, LinkError):
                raise result
            points.append(result)
        yield Page(path.stem, Answer.of(asked.question, points))


def blocks(asked: Iterable[Page]) -> dict[str, str]:
    """Generated list of questions."""
    lines = [f"- [{each.answer.question.text}]({each.name}.md)\n" for each in asked]
    return {"questions": "".join(lines)}


def write(asked: Iterable[Page], folder: Path, *, check: bool) -> list[Path]:
    """Rewrites the pages, or returns the outdated ones."""
    made = {folder / f"{each.name}.md": each.text for each in asked}
    stale = [file for file, text in made.items() if not file.exists() or file.read_text() != text]
    for file in () if check else stale:
        file.write_text(made[file])
    return stale
