"""Golden tables as questions to ``rank``: the request, and the check of the response.

A command and the API rank one list of players. Players of different groups are compared by ranking
all groups as one list without head-to-head: each has only met their own group, so every value is
the one they have there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tests.golden.tables import FORMULA, PENDING, cases, in_text, table, tables

Rows = list[dict[str, Any]]
Check = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Case:
    """One question; ``case`` is the golden case it belongs to."""

    case: str
    sent: dict[str, Any]
    check: Check


def in_words(rows: Rows) -> Rows:
    """Return rows with values as text: integers may be given as a number or as text."""
    return [{**row, "values": in_text(row["values"])} for row in rows]


def every_question() -> Iterator[Case]:
    """Yield every question that the golden files contain about ranks."""
    for case in cases("hand-worked"):
        yield Case(f"hand-worked {case['id']}", case["input"], as_ranks(case))
    for case in table("hand-worked")["across"]:
        yield Case(f"hand-worked {case['id']}", *across_by_hand(case))
    for case in cases("swiss"):
        yield Case(f"swiss {case['id']}", case["input"], as_whole(case["expected"]))
    for name, event in tables("magic-*").items():
        sent = {**event, "criteria": event["expected"]["criteria"]}
        yield Case(name, sent, as_whole(event["expected"]))
    for name, edition in tables("football-*").items():
        yield from football(name, edition)
    for case in cases("groups"):
        yield from groups(case)
    for case in FORMULA["cases"]:
        yield from formula(case)
    for case in PENDING["cases"]:
        yield from pending(case)


def football(name: str, edition: dict[str, Any]) -> Iterator[Case]:
    """Yield each group of an edition, and its third-placed teams."""
    order = {"points": edition["points"], "criteria": edition["criteria"]}
    for letter, group in edition["groups"].items():
        yield Case(f"{name} {letter}", {**group, **order}, as_table(group))
    if edition["thirds_through"]:
        sent = {
            "points": edition["points"],
            "criteria": edition["across_criteria"],
            "players": [one for group in edition["groups"].values() for one in group["players"]],
            "matches": [one for group in edition["groups"].values() for one in group["matches"]],
            "penalties": {
                player: count
                for group in edition["groups"].values()
                for player, count in (group.get("penalties") or {}).items()
            },
        }
        thirds = edition["thirds"]
        classes, why = thirds["ranking"], thirds["placed_by"]
        check = as_classes([one for level in classes for one in level], classes, why, sent)
        yield Case(f"{name} thirds", sent, check)


def groups(case: dict[str, Any]) -> Iterator[Case]:
    """Yield each group of a stage, and the players compared for the last places."""
    order = {"points": table("groups")["points"], "criteria": case["criteria"]}
    for group in case["groups"]:
        yield Case(f"groups {case['id']}", one_group(group, case["lots"], order), as_whole(group))
    sent = all_groups(case["groups"], case["lots"], order)
    advance = case["advance"]
    players = [one for level in advance["compared"]["classes"] for one in level]
    why = advance["compared"]["why"]
    check = as_classes(players, advance["compared"]["classes"], why, sent)
    yield Case(f"groups {case['id']} advance", sent, check)


def formula(case: dict[str, Any]) -> Iterator[Case]:
    """Yield each group of each stage of an event, and the players compared between groups."""
    order = {"points": FORMULA["points"], "criteria": FORMULA["criteria"]}
    for stage in case["stages"]:
        for group in stage.get("groups", []):
            yield Case(
                f"formula {case['id']}", one_group(group, case["lots"], order), as_whole(group)
            )
        compared = stage.get("compared") or {}
        for part in [compared] if "classes" in compared else compared.values():
            sent = all_groups(stage["groups"], case["lots"], order)
            players = [one for level in part["classes"] for one in level]
            check = as_classes(players, part["classes"], part["why"], sent)
            yield Case(f"formula {case['id']}", sent, check)


def pending(case: dict[str, Any]) -> Iterator[Case]:
    """Yield the groups of a first stage without lots, and which third-placed players are tied."""
    order = {"points": PENDING["points"], "criteria": PENDING["criteria"]}
    for group in case["tables"]:
        yield Case(f"pending {case['id']}", one_group(group, [], order), as_whole(group))
    sent = all_groups(case["tables"], [], order)
    third = {group["standings"][2]["player"]: group["name"] for group in case["tables"]}

    def check(answer: Any) -> None:
        ranks: dict[int, list[str]] = {}
        for row in answer["standings"]:
            if row["player"] in third:
                ranks.setdefault(row["rank"], []).append(third[row["player"]])
        level = [sorted(names) for names in ranks.values() if len(names) > 1]
        assert level == case["thirds_of_groups_level"]

    yield Case(f"pending {case['id']} thirds", sent, check)


def one_group(
    group: Mapping[str, Any], lots: Sequence[str], order: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the question about one group."""
    return {
        **order,
        "players": group["seats"],
        "matches": group["matches"],
        "lots": [player for player in lots if player in group["seats"]],
    }


def all_groups(
    groups: Iterable[Mapping[str, Any]], lots: Sequence[str], order: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the question about all groups as one list, without head-to-head."""
    found = list(groups)
    whole = {
        "seats": [player for group in found for player in group["seats"]],
        "matches": [match for group in found for match in group["matches"]],
    }
    criteria = [key for key in order["criteria"] if not key.startswith("head_to_head")]
    return one_group(whole, lots, order) | {"criteria": criteria}


def across_by_hand(case: dict[str, Any]) -> tuple[dict[str, Any], Check]:
    """Return the question about players of different groups that was solved by hand."""
    seated = [{"seats": g["players"], "matches": g["matches"]} for g in case["groups"]]
    sent = all_groups(seated, case["lots"], {"criteria": case["criteria"]})

    def check(answer: Any) -> None:
        rows = {
            row["player"]: row for row in answer["standings"] if row["player"] in case["values"]
        }
        assert list(rows)[: case["k"]] == case["expected"]
        for player, values in case["values"].items():
            assert in_text(values).items() <= in_text(rows[player]["values"]).items()

    return sent, check


def as_ranks(case: dict[str, Any]) -> Check:
    """Return a check of ranks and of the values that the case names."""

    def check(answer: Any) -> None:
        ranks = sorted([row["rank"], row["player"]] for row in answer["standings"])
        assert ranks == sorted(case["expected"])
        values = {row["player"]: in_text(row["values"]) for row in answer["standings"]}
        for player, expected in case.get("values", {}).items():
            assert in_text(expected).items() <= values[player].items()

    return check


def as_whole(expected: dict[str, Any]) -> Check:
    """Return a check of every row and of the tied players."""

    def check(answer: Any) -> None:
        assert in_words(answer["standings"]) == in_words(expected["standings"])
        assert answer["tied"] == expected["tied"]

    return check


def as_table(group: dict[str, Any]) -> Check:
    """Return a check of the official order of a football group."""
    keys = ("rank", "player", "placed_by", "won", "drawn")

    def check(answer: Any) -> None:
        found = [[row[key] for key in keys] for row in answer["standings"]]
        assert found == [[row[key] for key in keys] for row in group["table"]]
        assert answer["tied"] == group["tied"]

    return check


def as_classes(
    players: Sequence[str],
    classes: Sequence[Sequence[str]],
    why: Sequence[str | None],
    sent: Mapping[str, Any],
) -> Check:
    """Return a check of some of the players: who is tied with whom, and what separates them."""

    def check(answer: Any) -> None:
        rows = [row for row in answer["standings"] if row["player"] in players]
        found: dict[int, list[str]] = {}
        for row in rows:
            found.setdefault(row["rank"], []).append(row["player"])
        assert list(found.values()) == [list(level) for level in classes]
        reasons = [separates(one, other, sent["criteria"]) for one, other in pairwise(rows)]
        assert [None, *reasons] == list(why)

    return check


def separates(one: Mapping[str, Any], other: Mapping[str, Any], criteria: Iterable[str]) -> str:
    """Return the first criterion in which two players differ; lots if none has a number."""
    for key in criteria:
        if key in one["values"] and Fraction(one["values"][key]) != Fraction(other["values"][key]):
            return key
    return "lots"


CASES: tuple[Case, ...] = tuple(every_question())
