"""The variables of specifications: what depends on data in a file of Vega-Lite.

``"${unit}"``
    The value of that name, of any type. A member or element whose value is ``None`` is left out.
``"latency, ${unit}"``
    Text with the value in it; ``${panel.name}`` is a member of a value.
``{"$each": "panels", ...}``
    In a list: one copy for each item of that list, in which the members of the item are names.
``{"$if": "legend", ...}``
    The object if that value is true; ``!legend`` if it is not.
``{"$use": "row-axis", ...}``
    The part of that name, with the members that stand here in the place of its own; ``$with`` names
    values for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

Values = Mapping[str, Any]

_PLACE = re.compile(r"\$\{([\w.]+)\}")
_DIRECTIVES = {"$each", "$if", "$use", "$with"}
_MISSING = object()


def expanded(source: Any, values: Values, parts: Values) -> Any:
    """What a specification becomes with these values; parts are objects that it uses by name.

    Raises
    ------
    KeyError
        When a variable has no value, or no part has a name.
    """
    if isinstance(source, str):
        whole = _PLACE.fullmatch(source)
        if whole:
            found = _value(whole[1], values)
            return _MISSING if found is None else found
        return _PLACE.sub(lambda place: str(_value(place[1], values)), source)
    if isinstance(source, list):
        each = [one for item in source for one in _copies(item, values, parts)]
        return [one for one in each if one is not _MISSING]
    if not isinstance(source, dict):
        return source
    if "$if" in source:
        condition = source["$if"]
        if bool(_value(condition.lstrip("!"), values)) == condition.startswith("!"):
            return _MISSING
    own = {key: each for key, each in source.items() if key not in _DIRECTIVES}
    if "$use" in source:
        given = expanded(source.get("$with", {}), values, parts)
        used = expanded(parts[source["$use"]], {**values, **given}, parts)
        if not isinstance(used, dict):
            return used
        return {**used, **_members(own, values, parts)}
    return _members(own, values, parts)


def _members(source: Values, values: Values, parts: Values) -> dict[str, Any]:
    members = {key: expanded(each, values, parts) for key, each in source.items()}
    return {key: each for key, each in members.items() if each is not _MISSING}


def _copies(item: Any, values: Values, parts: Values) -> Iterator[Any]:
    if not (isinstance(item, dict) and "$each" in item):
        yield expanded(item, values, parts)
        return
    rest = {key: each for key, each in item.items() if key != "$each"}
    for one in _value(item["$each"], values):
        yield expanded(rest, {**values, **one}, parts)


def _value(path: str, values: Values) -> Any:
    found: Any = values
    for key in path.split("."):
        found = found[key]
    return found
