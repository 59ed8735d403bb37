"""JSON Schemas (2020-12) of what ``--json`` prints, made from the types.

Further keys are allowed: more may follow in later versions.
"""

import inspect
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from airlag.json_types import (
    burst,
    channels,
    comparison,
    emulation,
    explanation,
    files,
    link,
    load,
    matching,
    question,
    recommendation,
    rpc,
    run,
    sensitivity,
    sweep,
    thread,
    tuning,
    tunnel,
    tunnel_bench,
)

#: What each command prints with ``--json``; ``sensitivity`` is of ``links --sensitivity``, and a
#: hyphen stands for the space before the name of a subcommand.
RESULTS: Mapping[str, Any] = {
    "links": list[link.Link],
    "sensitivity": list[sensitivity.Sensitivity],
    "run": list[run.VirtualRun | burst.Burst],
    "explain": list[explanation.ExplainedRun | burst.ExplainedBurst],
    "goodput": list[load.Goodput],
    "load": list[load.Load],
    "recommend": recommendation.Recommendation,
    "tune": tuning.Tuned,
    "indices": tuning.Indices,
    "thread": thread.Network,
    "emulate": list[emulation.EmulatedRun],
    "campaign": list[run.CampaignRun | question.Answered],
    "sweep": sweep.Swept,
    "analyze": list[run.Run],
    "channels": list[channels.Channels],
    "match": list[
        matching.MatchedCapture | matching.ExplainedCapture | matching.UnexplainedCapture
    ],
    "compare": list[comparison.Comparison],
    "report": list[files.Reported],
    "convert": list[files.Converted],
    "demo": list[run.LessonRun],
    "tunnel-up": tunnel.Tunnel,
    "tunnel-key": tunnel.Key,
    "tunnel-doctor": list[tunnel.Check],
    "tunnel-bench": list[tunnel_bench.VirtualLoad | tunnel_bench.RealLoad],
    "rpc-test": list[rpc.RpcTest],
    "rpc-bench": list[rpc.RpcBenchmark],
}

_PLAIN = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    NoneType: "null",
}

Schema = dict[str, Any]


def schema(name: str) -> Schema:
    """The JSON Schema of what ``airlag NAME --json`` prints.

    Parameters
    ----------
    name
        Name of a command, one of :data:`RESULTS`.

    Raises
    ------
    KeyError
        When no command of this name prints JSON.
    """
    objects: dict[str, Schema] = {}
    top = _of(RESULTS[name], objects)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"airlag {name.replace('-', ' ')} --json",
        **top,
        "$defs": dict(sorted(objects.items())),
    }


def _of(hint: Any, objects: dict[str, Schema]) -> Schema:
    """The schema of a type; objects it meets are put among ``objects`` by name."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if is_typeddict(hint):
        if hint.__name__ not in objects:
            objects[hint.__name__] = {}
            objects[hint.__name__] = _object(hint, objects)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if origin is Annotated:
        return _annotated(_of(arguments[0], objects), hint.__metadata__)
    if origin is NotRequired:
        return _of(arguments[0], objects)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return _union([_of(each, objects) for each in arguments])
    if origin is list:
        return {"type": "array", "items": _of(arguments[0], objects)}
    if origin is dict:
        names, values = (_of(each, objects) for each in arguments)
        named = {} if names == {"type": "string"} else {"propertyNames": names}
        return {"type": "object", **named, "additionalProperties": values}
    raise TypeError(f"{hint} has no schema; write it with what JSON has")


def _object(shape: Any, objects: dict[str, Schema]) -> Schema:
    hints = get_type_hints(shape, include_extras=True)
    return {
        "description": inspect.cleandoc(shape.__doc__ or ""),
        "type": "object",
        "required": [key for key in hints if key in shape.__required_keys__],
        "properties": {key: _of(hint, objects) for key, hint in hints.items()},
        "additionalProperties": True,
    }


def _annotated(plain: Schema, metadata: tuple[str | tuple[str, Any], ...]) -> Schema:
    keywords = (("description", each) if isinstance(each, str) else each for each in metadata)
    return plain | dict(keywords)


def _union(several: list[Schema]) -> Schema:
    if all(each.keys() == {"type"} for each in several):
        return {"type": [each["type"] for each in several]}
    return {"anyOf": several}
