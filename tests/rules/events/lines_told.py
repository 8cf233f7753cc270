"""Lines of a log as the laws of the record read them."""

from typing import Any

from rules.events.ledger import Ledger, Line
from rules.events.record_laws import Breach, breaches
from rules.ties.draws import fingerprint

MATCH = "round/1/match/1"
RESULT = ("round/*/match/*: state, version, decision, +reports",)


def report(version: int, winner: str = "a", kind: str = "decision") -> dict[str, Any]:
    return {"version": version, "kind": kind, "winner": winner, "at": f"12:0{version}"}


def match(*reports: dict[str, Any], **columns: Any) -> dict[str, Any]:
    """Return a match whose last report counts."""
    last = reports[-1]["version"] if reports else None
    state = "final" if reports else "open"
    own = {"a": 1, "b": 2, "version": last or 0, "state": state, "decision": last}
    return own | {"reports": list(reports)} | columns


def draw(seed: str = "", told: str = "seed", **columns: Any) -> dict[str, Any]:
    """Return a draw by a seed, announced without one."""
    made = {"state": "drawn", "seed": seed} if seed else {"state": "announced"}
    return {"fingerprint": fingerprint(told), "by_hand": False} | made | columns


class Record:
    """A log that starts with what is given, by place."""

    def __init__(self, words: dict[str, Any] | None = None, **rows: Any) -> None:
        self.number, self.ledger, self.closed = 0, Ledger(), words is not None
        given = {place.replace("_", "/"): row for place, row in rows.items()}
        self.add(words, whole=True, rows=given)

    def line(self, words: dict[str, Any] | None = None, **more: Any) -> Line:
        about = {key: more.pop(key) for key in ("names", "since") if key in more}
        told = (words or {}) if self.closed else None
        return Line(number=self.number + 1, facts=more, words=told, **about)

    def add(self, words: dict[str, Any] | None = None, **more: Any) -> None:
        """Write a line without asking."""
        self.ledger.apply(self.line(words, **more))
        self.number += 1

    def broken(
        self, writes: tuple[str, ...], words: dict[str, Any] | None = None, **more: Any
    ) -> list[tuple[int, str, str]]:
        """Return the laws that a line breaks; it is not written."""
        line = self.line(words, **more)
        found = breaches(self.ledger, line, writes, self.ledger.changes_by(line))
        return [(each.law, each.place, each.column) for each in found]


__all__ = ["Breach", "Record"]
