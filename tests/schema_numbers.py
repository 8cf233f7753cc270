"""Every number that a program can send, found in the schema: in path, query and body."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Shape = dict[str, Any]
Made = Callable[[object], Any]
"""What makes of a number the document in which it stands."""


class Number(NamedTuple):
    """A number: the operation, where it stands, its shape, and what makes a body or query of it."""

    path: str
    method: str
    where: str
    name: str
    shape: Shape
    made: Made


class Numbers:
    """The numbers of a schema."""

    def __init__(self, schema: Shape) -> None:
        self.schema = schema

    def __iter__(self) -> Iterator[Number]:
        for path, operations in self.schema["paths"].items():
            for method, operation in operations.items():
                for each in operation.get("parameters", []):
                    for name, shape, made in self.inside(each["schema"]):
                        where, at = each["in"], each["name"] + name
                        yield Number(path, method, where, at, shape, made)
                bodies = operation.get("requestBody", {}).get("content", {})
                for content in bodies.values():
                    for name, shape, made in self.inside(content["schema"]):
                        yield Number(path, method, "body", name, shape, made)

    def resolved(self, shape: Shape) -> Shape:
        """Return a shape itself where it is only named."""
        if "$ref" not in shape:
            return shape
        found: Shape = self.schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
        return found

    def inside(self, shape: Shape) -> Iterator[tuple[str, Shape, Made]]:
        """Yield each number of a shape: its name, its own shape, and what makes the whole of it."""
        shape = self.resolved(shape)
        if shape.get("type") in ("integer", "number"):
            yield "", shape, lambda value: value
        for key, field in shape.get("properties", {}).items():
            for name, found, made in self.inside(field):
                rest = self.filled(shape)
                yield f".{key}{name}", found, _field(rest, key, made)
        if isinstance(shape.get("additionalProperties"), dict):
            for name, found, made in self.inside(shape["additionalProperties"]):
                yield f".*{name}", found, _field({}, "a", made)
        if isinstance(shape.get("items"), dict):
            others = [self.filled(shape["items"])] * max(0, shape.get("minItems", 1) - 1)
            for name, found, made in self.inside(shape["items"]):
                yield f"[]{name}", found, _item(others, made)
        for key in ("oneOf", "anyOf", "allOf"):
            for way in shape.get(key, ()):
                yield from self.inside(way)

    def filled(self, shape: Shape) -> Any:
        """Return the shortest value of a shape."""
        shape = self.resolved(shape)
        for key in ("oneOf", "anyOf", "allOf"):
            if key in shape:
                return self.filled(shape[key][0])
        if "enum" in shape:
            return shape["enum"][0]
        if shape.get("type") == "object":
            fields = shape.get("properties", {})
            return {key: self.filled(fields[key]) for key in shape.get("required", ())}
        if shape.get("type") == "array":
            return [self.filled(shape["items"])] * shape.get("minItems", 0)
        if shape.get("type") == "string":
            return "2027-01-09T10:00:00Z" if shape.get("format") == "date-time" else "a"
        return {"integer": max(1, shape.get("minimum", 1)), "boolean": True}.get(shape.get("type"))


def _field(rest: Any, key: str, made: Made) -> Made:
    return lambda value: {**rest, key: made(value)}


def _item(others: list[Any], made: Made) -> Made:
    return lambda value: [*others, made(value)]


def replaced(document: Any) -> Iterator[tuple[str, Made]]:
    """Yield each number of a document: its name, and what makes the document with another."""
    if type(document) in (int, float):
        yield "", lambda value: value
    elif isinstance(document, dict):
        for key, inside in document.items():
            for name, made in replaced(inside):
                yield f".{key}{name}", _field(document, key, made)
    elif isinstance(document, list):
        for index, inside in enumerate(document):
            before, behind = document[:index], document[index + 1 :]
            for name, made in replaced(inside):
                yield f"[{index}]{name}", _among(before, made, behind)


def _among(before: list[Any], made: Made, behind: list[Any]) -> Made:
    return lambda value: [*before, made(value), *behind]
