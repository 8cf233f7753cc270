"""Bodies at their dearest, made from a schema or from the keys of a form."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

SIGNS = ("a", "1", "\n", " ", "(", "[", '"', "é", "a\n", "1 a\n", "a,", "1 a (b) 1\n")
ASKED = ("a", "1", "\n", "1,")
FEW = ("a", "\n", "1 a\n")
"""Signs for texts within a list or an object."""
TEXTS = frozenset({"text", "information", "about", "rulings", "login", "password", "file"})
"""Fields of long texts: every sign for them; others get few."""
HUGE = 10**18
FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 5_000
LINE = 60_000
"""Bytes of an address or a header; servers take fewer."""
DEEPEST = 5
LARGE = 4 * 1024 * 1024
FORMATS = {
    "date-time": "2027-01-09T10:00:00Z",
    "date": "2027-01-09",
    "time": "10:00",
    "email": "a@example.org",
}


class Body(NamedTuple):
    """What is sent."""

    content: bytes
    kind: str = "application/json"
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()


def json_body(value: object) -> Body:
    """Return a value as JSON, as short as it can be written."""
    return Body(written(value))


def written(value: object) -> bytes:
    """Return JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def form(values: dict[str, str]) -> Body:
    """Return a form with few short fields."""
    return Body(urlencode(values).encode(), FORM)


class Schema(NamedTuple):
    """An operation of the API, and the document in which its parts are named."""

    operation: dict[str, Any]
    whole: dict[str, Any]

    @staticmethod
    @cache
    def document() -> dict[str, Any]:
        """Return the schema of the API."""
        from drf_spectacular.generators import SchemaGenerator

        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
        return found

    @property
    def takes_body(self) -> bool:
        """Say whether something is sent."""
        return "requestBody" in self.operation

    @property
    def body(self) -> dict[str, Any]:
        """Return the schema of what is sent."""
        (content,) = self.operation["requestBody"]["content"].values()
        found: dict[str, Any] = content["schema"]
        return found

    @property
    def queries(self) -> list[str]:
        """Return the names of its questions."""
        return [one["name"] for one in self.operation.get("parameters", ()) if one["in"] == "query"]

    def resolved(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return a part itself, where a reference or a choice stands for it."""
        while True:
            if "$ref" in part:
                part = self.whole["components"]["schemas"][part["$ref"].rpartition("/")[2]]
            elif found := next((key for key in ("allOf", "oneOf", "anyOf") if key in part), ""):
                part = part[found][0]
            else:
                return part

    def least(self, part: dict[str, Any]) -> Any:
        """Return the smallest value that is allowed."""
        part = self.resolved(part)
        if "enum" in part:
            return part["enum"][0]
        match kind_of(part):
            case "object":
                needed = part.get("required", ())
                return {name: self.least(part["properties"][name]) for name in needed}
            case "array":
                return [self.least(part["items"])] * part.get("minItems", 0)
            case "string":
                return FORMATS.get(part.get("format", ""), "a" * max(1, part.get("minLength", 1)))
            case "integer" | "number":
                return max(1, part.get("minimum", 1))
            case "boolean":
                return True
        return {}

    def dear(
        self, part: dict[str, Any], room: int, signs: tuple[str, ...] = SIGNS, depth: int = 0
    ) -> Iterator[tuple[str, Any]]:
        """Yield values that are dear, in so many bytes of JSON, each with the name of its shape."""
        part = self.resolved(part)
        if depth > DEEPEST or "enum" in part:
            return
        match kind_of(part):
            case "object":
                yield from self._dear_object(part, room, signs, depth)
            case "array":
                yield from self._dear_array(part, room, signs, depth)
            case "string" if part.get("format", "") not in FORMATS:
                for sign in signs:
                    times = room // (len(written(sign)) - 2)
                    length = min(part.get("maxLength", room) // len(sign), times)
                    yield repr(sign), sign * length
            case "integer" | "number":
                yield "largest", part.get("maximum", HUGE)

    def _dear_object(
        self, part: dict[str, Any], room: int, signs: tuple[str, ...], depth: int
    ) -> Iterator[tuple[str, Any]]:
        usual = self.least(part)
        own = part.get("properties", {})
        for name, inner in own.items():
            for shape, value in self.dear(inner, room, signs, depth + 1):
                yield f"{name} {shape}", usual | {name: value}
        inner = part.get("additionalProperties")
        if isinstance(inner, dict):
            one = self.least(inner)
            many = room // (len(written(one)) + 10)
            yield "most keys", {**usual, **{f"k{at}": one for at in range(many)}}
            for shape, value in self.dear(inner, room, FEW, depth + 1):
                yield f"k {shape}", usual | {"k": value}

    def _dear_array(
        self, part: dict[str, Any], room: int, signs: tuple[str, ...], depth: int
    ) -> Iterator[tuple[str, Any]]:
        most = part.get("maxItems", room)
        one = self.least(part["items"])
        yield "most", [one] * min(most, room // (len(written(one)) + 1))
        if isinstance(one, int | str) and not isinstance(one, bool):
            like = int if isinstance(one, int) else "a{}".format
            yield "distinct", [like(at) for at in range(1, min(most, room // 8))]
        for shape, value in self.dear(part["items"], room // min(most, 100), FEW, depth + 1):
            many = room // (len(written(value)) + 1)
            yield f"each {shape}", [value] * min(most, max(1, many))


def kind_of(part: dict[str, Any]) -> str:
    """Return the type of a part; the first where it may be null too."""
    kind = part.get("type", "")
    return kind if isinstance(kind, str) else str(kind[0])


def of_json(schema: Schema, usual: Body, largest: int) -> Iterator[tuple[str, Body]]:
    """Yield bodies of an operation: by its schema, then such as any parser has to read."""
    begun = json.loads(usual.content) if usual.content else {}
    room = largest - len(usual.content) - 100
    if schema.takes_body and largest <= LARGE:
        for shape, value in schema.dear(schema.body, room):
            whole = begun | value if isinstance(begun, dict) and isinstance(value, dict) else value
            yield shape, json_body(whole)
    room = min(room, LARGE)
    for shape, piece in (("[]", b"[],"), ("{}", b'{"":0},'), ("texts", b'"a",'), ("ones", b"1,")):
        many = piece * ((room - 20) // len(piece))
        beside = written(begun)[:-1] + (b"," if begun else b"") if isinstance(begun, dict) else b"{"
        yield f"beside {shape}", Body(beside + b'"zz":[' + many + b"0]}")
        yield f"list of {shape}", Body(b"[" + many + b"0]")
    for shape, sign in (("[", b"["), ("digits", b"1"), ("{", b'{"a":'), ("escapes", b'"\\')):
        yield f"all {shape}", Body(sign * (largest // len(sign)))


def of_form(usual: Body, keys: list[str], largest: int) -> Iterator[tuple[str, Body]]:
    """Yield forms: each field at its longest of each sign, all of them, the most fields."""
    begun = usual.content + (b"&" if usual.content else b"")
    room = largest - len(begun) - 100
    for key in keys:
        name = quote(key).encode() + b"="
        for sign in SIGNS if key in TEXTS else FEW:
            sent = quote(sign, safe="\n(,é[\"'").replace("%20", "+").encode()
            yield f"{key} {sign!r}", Body(begun + name + sent * (room // len(sent)), FORM)
        yield f"{key} most", Body(begun + (name + b"1&") * (MOST_FIELDS - 100), FORM)
    if keys:
        each = "a" * (room // len(keys) - 60)
        yield "all 'a'", Body(urlencode(dict.fromkeys(keys, each)).encode(), FORM)
    for piece in ("seed_{}=1&", "place_{}=1&", "form-{}-name=a&", "line-{}=1&"):
        many = "".join(map(piece.format, range(MOST_FIELDS - 100)))
        yield piece, Body(begun + many.encode(), FORM)
    yield "all &", Body(b"&" * largest, FORM)


def of_headers(keys: list[str]) -> Iterator[tuple[str, Body]]:
    """Yield questions: each at its longest of each sign, and long headers."""
    for key in keys:
        for sign in ASKED:
            sent = quote(sign)
            yield f"?{key} {sign!r}", Body(b"", query=f"{key}={sent * (LINE // len(sent))}")
        yield f"?{key} most", Body(b"", query=f"{key}=1&" * 4000)
    for name, piece in (
        *(("If-None-Match", '"a",'), ("Accept-Language", "it;q=0.1,"), ("Accept", "a/b;q=0.1,")),
        *(("Cookie", "a=b;"), ("If-None-Match", '"')),
    ):
        long = piece * (LINE // len(piece))
        yield f"{name} {piece}", Body(b"", headers=((name, long),))
