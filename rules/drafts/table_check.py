"""The checklist of a draft of tables.

Source: tables, 5.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations

from rules.drafts.draft import Draft, DraftMatch
from rules.drafts.remarks import PairingWishes, Remark, Weight, remark_on
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.kind import kind_of
from rules.stages.tables import table_entrants
from rules.tables.field import Entrant
from rules.wording import Sentence


def table_remarks(before: StageState, draft: Draft, wishes: PairingWishes) -> Iterator[Remark]:
    """Yield who meets again, sits at a small table again, or rests again."""
    known = {one.player: one for one in table_entrants(before)}
    sizes = kind_of(before.plan).sizes_of(before.plan)
    fewest = min((one.byes for one in known.values()), default=0)
    for match in draft:
        if match.is_bye:
            yield from _byes(match, known, fewest)
        elif not match.missed:
            yield from _company(match, known, wishes)
            yield from _size(match, known, sizes)


def _company(
    match: DraftMatch, known: Mapping[PlayerId, Entrant], wishes: PairingWishes
) -> Iterator[Remark]:
    for one, other in combinations(match.seats, 2):
        if one in known and known[one].met.get(other):
            sentence = Sentence("Have sat at one table before.")
            yield remark_on(match, "rematch", Weight.WARNING, sentence, (one, other))
        if frozenset((one, other)) in wishes.apart:
            sentence = Sentence("Were to be kept apart.")
            yield remark_on(match, "kept_apart", Weight.WARNING, sentence, (one, other))


def _size(
    match: DraftMatch, known: Mapping[PlayerId, Entrant], sizes: tuple[int, ...]
) -> Iterator[Remark]:
    if len(match.seats) not in sizes:
        values = {"size": len(match.seats)}
        sentence = Sentence("A table of %(size)s is none of this stage.", values)
        yield remark_on(match, "size", Weight.WARNING, sentence)
    if len(match.seats) < sizes[0]:
        again = tuple(player for player in match.seats if player in known and known[player].small)
        if again:
            sentence = Sentence("Sat at a small table before.")
            yield remark_on(match, "small_again", Weight.NOTE, sentence, again)


def _byes(match: DraftMatch, known: Mapping[PlayerId, Entrant], fewest: int) -> Iterator[Remark]:
    (player,) = match.seats
    if player in known and known[player].byes:
        weight = Weight.WARNING if known[player].byes > fewest else Weight.NOTE
        yield remark_on(match, "second_bye", weight, Sentence("Rested before."))
