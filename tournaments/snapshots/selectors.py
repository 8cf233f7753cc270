"""What snapshots hold, compared with the present event."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.people.person_names import join_names
from tournaments.archive.writer import archive_document, archive_from_internal
from tournaments.core.labels import format_games
from tournaments.models import Event, Report, Snapshot

Result = tuple[int, str, str, str]
"""Round, table (or number of the match), names of the players, score."""


class EventCounts(NamedTuple):
    """The numbers of players, rounds and results."""

    players: int
    rounds: int
    results: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotComparison:
    """How a snapshot (``then``) differs from the present event (``now``).

    ``lost`` are results that only the present event has, ``back`` those only the snapshot has, each
    as (round, table, names of the players, score).
    """

    then: EventCounts
    now: EventCounts
    lost: tuple[Result, ...]
    back: tuple[Result, ...]


def snapshot_document(snapshot: Snapshot) -> bytes:
    """Return a snapshot's internal document as JSON bytes; no query."""
    return gzip.decompress(bytes(snapshot.document))


def snapshot_archive(snapshot: Snapshot) -> bytes:
    """Return a snapshot as the JSON bytes of an archive, which names no accounts.

    At most three queries.
    """
    return archive_from_internal(snapshot_document(snapshot))


def compare_snapshot(event: Event, content: bytes) -> SnapshotComparison:
    """Return how a snapshot's document differs from the event; one query a table."""
    then, now = json.loads(content)["tables"], archive_document(event)["tables"]
    had, has = dict(_results(then)), dict(_results(now))
    return SnapshotComparison(
        then=_count(then, had),
        now=_count(now, has),
        lost=tuple(words for key, words in has.items() if key not in had),
        back=tuple(words for key, words in had.items() if key not in has),
    )


def _count(tables: Mapping[str, Any], results: Mapping[Any, Any]) -> EventCounts:
    return EventCounts(
        players=len(tables["entries"]), rounds=len(tables["rounds"]), results=len(results)
    )


def _results(tables: Mapping[str, Any]) -> Iterator[tuple[tuple[Any, ...], Result]]:
    """Yield a key and a row for each result that was not made automatically."""
    names = [row["name"] for row in tables["entries"]]
    rounds = [row["ordinal"] for row in tables["rounds"]]
    reports = tables["reports"]
    seats = _seats(tables)
    for at, match in enumerate(tables["matches"], start=1):
        report = reports[match["decision"] - 1] if match["decision"] else None
        if report is None or report["kind"] == Report.Kind.AUTOMATIC:
            continue
        ordinal = rounds[match["round"] - 1]
        players = [names[entry - 1] for _seat, entry in sorted(seats.get(at, []))]
        ended = [report[key] for key in ("winner", "score_a", "score_b", "games", "ended_by")]
        ended += [report.get("places"), report.get("marks")]
        place = str(match["table"] or match["number"])
        key = (ordinal, *players, json.dumps(ended))
        yield key, (ordinal, place, join_names(players), _score(report))


def _seats(tables: Mapping[str, Any]) -> dict[int, list[tuple[int, int]]]:
    """Return (number, player) of the seats of each match, by its row; by a and b in older ones."""
    seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in tables["match_seats"]:
        if "number" in row:
            seats[row["match"]].append((row["number"], row["entry"]))
    for at, match in enumerate(tables["matches"], start=1):
        if at not in seats:
            seats[at] = [(n, match[side]) for n, side in enumerate("ab", start=1) if match[side]]
    return seats


def _score(report: Mapping[str, Any]) -> str:
    if report["score_a"] is not None:
        return f"{report['score_a']}–{report['score_b']}"
    if report["games_a"] is not None:
        games = report["games_a"], report["games_b"], report.get("games_drawn") or 0
        return format_games(games)
    return "–".join(str(place or "×") for place in report.get("places") or ())
