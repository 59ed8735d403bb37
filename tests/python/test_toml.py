"""TOML that no person wrote is refused in one line, before it costs anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from airlag.core import toml

HOSTILE = {
    "a dotted key": ("a" + ".a" * 40_000 + " = 1", "line 1: deeper than 8 levels"),
    "a dotted table": ("x = 1\n[a" + ".a" * 9 + "]", "line 2: deeper than 8 levels"),
    "quoted parts": ('"a"' + ' . "a"' * 9 + " = 1", "deeper than 8 levels"),
    "nested lists": ("a = " + "[" * 50_000, "deeper than 8 levels"),
    "nested tables": ("a = " + "{a = " * 9 + "1" + "}" * 9, "deeper than 8 levels"),
    "a long number": ("a = " + "1" * 5_000, "no TOML"),
    "a long hexadecimal number": ("a = 0x" + "f" * 5_000, "64 bits"),
    "many values": ("a = [" + "1," * 30_000 + "]", "more than 20000 values"),
    "a large file": ("#" * 300_000, "longer than 256 KiB"),
    "no text": ("a = '\ud800'", "no TOML"),
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_what_no_person_wrote_is_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    text, why = HOSTILE[kind]
    path = tmp_path / "hostile.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(toml.TomlError, match=why) as caught:
        toml.load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "a = '" + "." * 100 + "'",
        'a = "' + "[" * 100 + '"',
        'a = """\n' + ".\n[" * 100 + '"""',
        "# " + "[." * 100,
        "a = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5]",
        "a.b.c.d.e.f.g.h = 1",
    ],
)
def test_dots_and_brackets_that_nest_nothing_are_fine(text: str, tmp_path: Path) -> None:
    path = tmp_path / "fine.toml"
    path.write_text(text)
    assert "a" in toml.load(path) or text.startswith("#")
