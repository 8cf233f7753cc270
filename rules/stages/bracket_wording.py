"""Labels and descriptions of brackets."""

from collections.abc import Iterator

from rules.brackets.single import BracketMatch
from rules.plans.plan import StagePlan
from rules.wording import Sentence


def final_label(plan: StagePlan) -> Sentence:
    """Return the label of a knock-out's last match: "Final" only if it decides the event."""
    if plan.ranks_from > 1:
        return Sentence("For place %(place)s", {"place": plan.ranks_from})
    return Sentence("Final")


def match_label(plan: StagePlan, match: BracketMatch) -> Sentence:
    """Return the label of a match; the match for third place is named by its purpose."""
    if match.third_place and plan.ranks_from > 1:
        return Sentence("For place %(place)s", {"place": plan.ranks_from + 2})
    return match.label


ROUNDS = (
    *(Sentence("Semi-finals"), Sentence("Quarter-finals"), Sentence("Round of 16")),
    *(Sentence("Round of 32"), Sentence("Round of 64"), Sentence("Round of 128")),
)
"""The labels of rounds by their distance from the last one, from 1."""


def round_label(distance: int) -> Sentence:
    """Return the label of a round of a knock-out before the last one, by the players left."""
    if distance <= len(ROUNDS):
        return ROUNDS[distance - 1]
    return Sentence("Round of %(players)s", {"players": 2 ** (distance + 1)})


def describe_knockout(stage: StagePlan, rounds: int) -> Iterator[Sentence]:
    """Return the description of a knock-out or play-in; ``rounds`` is for all seats taken."""
    values: dict[str, object] = {
        "stage": stage.label,
        "players": stage.size,
        "rounds": rounds,
        "survivors": stage.survivors,
    }
    if stage.survivors > 1:
        yield Sentence(
            "%(stage)s: a knock-out from %(players)s players to %(survivors)s. Rounds: %(rounds)s.",
            values,
        )
        return
    if stage.size > 2:
        yield Sentence(
            "%(stage)s: single elimination, %(players)s players. Rounds: %(rounds)s.", values
        )
    if _begins_with_preliminary(stage.size):
        yield Sentence("Its first round is a preliminary: most players have a bye.")
    games = {"games": _games_in_words(stage.best_of[0]), "place": stage.ranks_from}
    if stage.ranks_from > 1:
        yield Sentence("The match for place %(place)s: %(games)s.", games)
    else:
        yield Sentence("Final: %(games)s.", games)
    if not stage.timed:
        yield Sentence("There is no time limit.")
    if not stage.third_place:
        return
    if stage.ranks_from > 1:
        place = {"place": stage.ranks_from + 2}
        yield Sentence("The losers of the semi-finals play for place %(place)s.", place)
    else:
        yield Sentence("The losers of the semi-finals play for third place.")


def _begins_with_preliminary(players: int) -> bool:
    """Return whether fewer players play in the first round of a knock-out than have a bye."""
    full = 1 << (players.bit_length() - 1)
    playing = 2 * (players - full)
    return 0 < playing < players - playing


def describe_double_elimination(stage: StagePlan, rounds: int) -> Iterator[Sentence]:
    """Return the description of a double elimination; ``rounds`` is without a second final."""
    values = {
        "stage": stage.label,
        "players": stage.size,
        "rounds": rounds - stage.second_final,
    }
    yield Sentence(
        "%(stage)s: a player who loses twice is out. Players: %(players)s. Rounds: %(rounds)s.",
        values,
    )
    yield Sentence("Grand final: %(games)s.", {"games": _games_in_words(stage.best_of[0])})
    if stage.second_final:
        yield Sentence(
            "The player from the lower bracket must win the grand final twice; the second "
            "match is one more round."
        )
    if not stage.timed:
        yield Sentence("There is no time limit.")


def _games_in_words(most: int) -> Sentence:
    """Return the number of games of a match in words."""
    if most == 1:
        return Sentence("one game")
    return Sentence("best of %(games)s", {"games": most})
