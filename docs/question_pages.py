"""A page for each campaign that asks a question: question, answer, picture, table.

Every number is of the runs; a new campaign needs nothing but its file.
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
    """What one campaign answered."""

    name: str
    answer: Answer

    @property
    def text(self) -> str:
        """The page, whole."""
        question, sentences = self.answer.question, self.answer.sentences
        heads = ["line", *(column.head for column in self.answer.columns[1:])]
        rows = zip(*(column.texts for column in self.answer.columns), strict=True)
        table = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
        lines = "\n".join("| " + " | ".join(row) + " |" for row in table)
        answer = "\n".join(f"- {line}" for line in sentences)
        return f"""# {question.title}

**{question.text}**

{answer}

![{question.text}](../pictures/question-{self.name}.svg)

{lines}

Every number on this page is of the virtual bench, by
[`campaigns/{self.name}.toml`](../../campaigns/{self.name}.toml), where its assumptions are:

```
$ airlag campaign campaigns/{self.name}.toml
```
"""

    def draw(self, folder: Path) -> None:
        """Writes its picture."""
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
    """The generated list of questions."""
    lines = [f"- [{each.answer.question.text}]({each.name}.md)\n" for each in asked]
    return {"questions": "".join(lines)}


def write(asked: Iterable[Page], folder: Path, *, check: bool) -> list[Path]:
    """Rewrites the pages, or only says which are out of date."""
    made = {folder / f"{each.name}.md": each.text for each in asked}
    stale = [file for file, text in made.items() if not file.exists() or file.read_text() != text]
    for file in () if check else stale:
        file.write_text(made[file])
    return stale
