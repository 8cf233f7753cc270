"""Faults of custom formulas in words: the location and the problem."""

from collections.abc import Iterator

from rules.formulas.custom.definition import (
    BestOfRank,
    Definition,
    GroupDefinition,
    GroupRank,
    MatchWinner,
    Source,
    StartPlace,
)
from rules.wording import Sentence

Faults = Iterator[Sentence]


def in_stage(
    definition: Definition,
    number: int,
    problem: Sentence,
    group: GroupDefinition | None = None,
) -> Sentence:
    """Return a fault with its stage, numbered from 1, and its group if given."""
    values: dict[str, object] = {
        "number": number,
        "stage": definition.stages[number - 1].name,
        "problem": problem,
    }
    if group is None:
        return Sentence("Stage %(number)s, %(stage)s: %(problem)s", values)
    values["group"] = group.name
    return Sentence("Stage %(number)s, %(stage)s, group %(group)s: %(problem)s", values)


def in_words(source: Source) -> Sentence:
    """Return a source in words, as the subject of a sentence."""
    match source:
        case StartPlace(start=number):
            return Sentence("no. %(number)s of the start", {"number": number})
        case GroupRank(stage=stage, group=group, rank=rank):
            return Sentence(
                "rank %(rank)s of group %(group)s in stage %(stage)s",
                {"rank": rank, "group": group, "stage": stage},
            )
        case BestOfRank(stage=stage, best=rank, nth=nth):
            return Sentence(
                "no. %(nth)s of those on rank %(rank)s in stage %(stage)s",
                {"nth": nth, "rank": rank, "stage": stage},
            )
        case MatchWinner(stage=stage, winner=number):
            return Sentence(
                "the winner of match %(match)s in stage %(stage)s",
                {"match": number, "stage": stage},
            )
        case _:
            return Sentence(
                "the loser of match %(match)s in stage %(stage)s",
                {"match": source.loser, "stage": source.stage},
            )
