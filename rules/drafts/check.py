"""The checklist of a draft, for staff to review before the round is published.

Source: tournament rules, Other formulas to ship (Swiss): no rematch, minimum difference of
points, one bye.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rules.drafts.draft import (
    Draft,
    DraftMatch,
    FixedTables,
    PairingPreferences,
    Remark,
    Severity,
    match_remark,
)
from rules.drafts.tables import table_remarks
from rules.results import MatchEnding, PlayerId
from rules.stages.base import StageState, awarded_byes, has_multiplayer_tables, stage_kind
from rules.stages.knockout import match_winner
from rules.stages.swiss import entrants
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import pair_round
from rules.wording import Sentence


def draft_remarks(
    before: StageState,
    draft: Draft,
    wishes: PairingPreferences,
    *,
    extra: bool = False,
    given: bool = False,
) -> tuple[Remark, ...]:
    """Return the checklist of a round's draft, most severe remark first.

    ``before`` is the stage without the draft, ``wishes`` are the organiser's preferences. Pairings
    are checked in Swiss rounds only: elsewhere schedule and bracket determine them, in ``extra``
    (tiebreaker) rounds the standings. ``given``: the round was imported, so its point differences
    are not checked.
    """
    swiss = stage_kind(before.plan).pairs_by_points and not extra
    found = [*_seated_twice(draft), *_players_who_left(before, draft, swiss)]
    found += _absent(before, draft, wishes.not_checked_in)
    if swiss and has_multiplayer_tables(before.plan):
        found += _unpaired(draft, present_players(before))
        found += table_remarks(before, draft, wishes)
    elif swiss:
        known = {one.player: one for one in entrants(replace(before, apart=wishes.apart))}
        found += _unpaired(draft, known)
        found += _met_or_apart(before, draft, wishes)
        found += _byes(before, draft, known)
        found += () if given else _differences(before, draft, known)
    found += _unmet_fixed_tables(draft, wishes.fixed)
    order = list(Severity)
    return tuple(sorted(found, key=lambda remark: order.index(remark.weight)))


def unpaired_players(before: StageState, draft: Draft) -> tuple[PlayerId, ...]:
    """Return the present players who are in no match of a Swiss draft, in seat order.

    A player with a bye is in a match. ``before`` is the stage without the draft.
    """
    seated = {player for match in draft for player in match.seats}
    return tuple(player for player in present_players(before) if player not in seated)


def present_players(before: StageState) -> list[PlayerId]:
    """Return the players of a stage who have not withdrawn, in seat order."""
    return [player for player in before.players if player not in before.withdrawn]


def _seated_twice(draft: Draft) -> Iterator[Remark]:
    times = Counter(player for match in draft for player in match.seats)
    for player, count in times.items():
        if count > 1:
            yield Remark(
                code="twice",
                weight=Severity.FAULT,
                players=(player,),
                sentence=Sentence("Seated at more than one table."),
            )


def _players_who_left(before: StageState, draft: Draft, swiss: bool) -> Iterator[Remark]:
    for match in draft:
        gone = tuple(player for player in match.seats if player in before.withdrawn)
        if gone:
            weight = Severity.WARNING if swiss else Severity.NOTE
            yield match_remark(match, "left", weight, Sentence("Dropped: the opponent wins."), gone)


def _absent(
    before: StageState, draft: Draft, not_checked_in: frozenset[PlayerId]
) -> Iterator[Remark]:
    """Yield who is to play though nobody has seen them: at the door, or in the round before."""
    last = before.rounds[-1] if before.rounds else ()
    missing = frozenset(
        player
        for pairing, result in last
        if len(pairing.seats) == 2 and result.ended_by is MatchEnding.NO_SHOW
        for player in pairing.seats
        if player != match_winner(result)
    )
    for match in draft:
        there = [player for player in match.seats if player not in before.withdrawn]
        if unseen := [player for player in there if player in not_checked_in - missing]:
            words = Sentence("Not checked in.")
            yield match_remark(match, "not_seen", Severity.WARNING, words, unseen)
        if gone := [player for player in there if player in missing]:
            words = Sentence("Absent in the last round.")
            yield match_remark(match, "absent", Severity.WARNING, words, gone)


def _unpaired(draft: Draft, known: Collection[PlayerId]) -> Iterator[Remark]:
    seated = {player for match in draft for player in match.seats}
    for player in known:
        if player not in seated:
            yield Remark(
                code="unpaired",
                weight=Severity.FAULT,
                players=(player,),
                sentence=Sentence("No opponent and no bye."),
            )
    for match in draft:
        if match.missed and match.seats[0] in known:
            sentence = Sentence("Not paired. Discard the draft to pair this player.")
            yield match_remark(match, "missed", Severity.WARNING, sentence)


def _met_or_apart(before: StageState, draft: Draft, wishes: PairingPreferences) -> Iterator[Remark]:
    met = {frozenset(pairing.seats) for played in before.rounds for pairing, _result in played}
    for match in draft:
        if len(match.seats) == 1:
            continue
        pair = frozenset(match.seats)
        if pair in met:
            yield match_remark(match, "rematch", Severity.WARNING, Sentence("Already met."))
        if pair not in wishes.apart:
            continue
        clubs = {wishes.clubs.get(player, "").strip().casefold() for player in pair}
        if len(clubs) == 1 and clubs != {""}:
            sentence = Sentence("Same club: %(club)s.", {"club": wishes.clubs[match.seats[0]]})
            yield match_remark(match, "same_club", Severity.WARNING, sentence)
        else:
            sentence = Sentence("These players should be kept apart.")
            yield match_remark(match, "kept_apart", Severity.WARNING, sentence)


def _byes(before: StageState, draft: Draft, known: Mapping[PlayerId, Entrant]) -> Iterator[Remark]:
    awarded = awarded_byes(before)
    for match in draft:
        paired = tuple(player for player in match.seats if player in awarded)
        if paired and not match.is_bye:
            words = Sentence("Has an awarded bye.")
            yield match_remark(match, "awarded_bye", Severity.WARNING, words, paired)
    byes = [match for match in draft if match.is_bye and match.seats[0] not in awarded]
    fewest = min((one.byes for one in known.values()), default=0)
    for match in byes:
        player = match.seats[0]
        one = known.get(player)
        if one is not None and one.byes:
            weight = Severity.WARNING if one.byes > fewest else Severity.NOTE
            yield match_remark(match, "second_bye", weight, Sentence("Already had a bye."))
    could_meet = [match for match in byes if not match.half]
    if len(could_meet) > 1:
        yield Remark(
            code="byes",
            weight=Severity.WARNING,
            players=tuple(match.seats[0] for match in could_meet),
            sentence=Sentence("Two players with a bye could play each other instead."),
        )


def _differences(
    before: StageState, draft: Draft, known: Mapping[PlayerId, Entrant]
) -> Iterator[Remark]:
    """Yield matches with a larger difference of points than in the best pairing."""
    pairs = [match for match in draft if len(match.seats) == 2 and known.keys() >= set(match.seats)]
    playing = [known[player] for match in pairs for player in match.seats]
    if len({one.player for one in playing}) < len(playing):
        return  # a player is seated twice: reported first
    seed = f"{before.seed}:{len(before.rounds) + 1}"
    best = [pair.seats for pair in pair_round(playing, seed=seed)]  # even: nobody rests
    needed = {
        player: _difference_of_points(players, known) for players in best for player in players
    }
    apart = {match.number: _difference_of_points(match.seats, known) for match in pairs}
    if 2 * sum(gap**2 for gap in apart.values()) <= sum(gap**2 for gap in needed.values()):
        return
    for match in pairs:
        gap = apart[match.number]
        smaller = [needed[player] for player in match.seats if needed[player] < gap]
        if smaller:
            values = {"found": gap, "needed": max(smaller)}
            sentence = Sentence("Point difference: %(found)s (best possible: %(needed)s).", values)
            yield match_remark(match, "difference", Severity.WARNING, sentence)


def _difference_of_points(players: Iterable[PlayerId], known: Mapping[PlayerId, Entrant]) -> int:
    first, second = (known[player].points for player in players)
    return abs(first - second)


def _unmet_fixed_tables(draft: Draft, fixed: FixedTables) -> Iterator[Remark]:
    for match in draft:
        for player in _at_another_table(match, fixed):
            sentence = Sentence("Needs table %(table)s.", {"table": fixed[player]})
            yield match_remark(match, "fixed_table", Severity.WARNING, sentence, (player,))


def _at_another_table(match: DraftMatch, fixed: FixedTables) -> Sequence[PlayerId]:
    if match.table is None:
        return ()
    return [player for player in match.seats if fixed.get(player, match.table) != match.table]
