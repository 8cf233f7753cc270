"""The page of a correction: what changes, and the ways to go on with what each costs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.corrections.fates import Fate
from rules.results import PlayerId
from rules.stages.knockout import winner_of
from tournaments.core.mapping import result_of
from tournaments.core.told_ranks import rank_ordinal
from tournaments.corrections.selectors.choices import Correction, matches_by_key
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.ranks import RankTable, rank_tables
from tournaments.corrections.selectors.result_words import lost_win, result_in_words
from tournaments.corrections.selectors.wording import (
    Fact,
    at_table,
    exchanged,
    facts_of,
    fate_words,
    place_of_change,
    sentences,
)

MOST_SENTENCES = 3
MOST_RESULTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Two numbers shown for a way to go on, as matches or players, and minutes of play lost."""

    first: int
    second: int
    minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The names of two players who change places; ``out`` is where the second plays now, or "".

    All are empty if several change places.
    """

    new: str = ""
    old: str = ""
    out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicesPage:
    """What a correction changes, in words, and the ways to go on that there are.

    ``outs``: who plays no more, each with the place. ``follow`` and ``becomes`` are empty where
    nothing can follow, for the reason ``why_not``.
    """

    found: Correction
    sentences: tuple[str, ...]
    more_sentences: tuple[str, ...]
    facts: tuple[Fact, ...]
    tables: tuple[RankTable, ...]
    exchange: Exchange
    outs: tuple[tuple[str, str], ...]
    place: str
    follow: Costs | None
    becomes: tuple[str, ...]
    back: Costs
    back_to: str
    rounds: tuple[int, ...]
    results: tuple[str, ...]
    more_results: tuple[str, ...]
    why_not: str


def choices_page(found: Correction, names: ShortNames) -> ChoicesPage:
    """Return the page of a correction; no query."""
    numbers = found.facts.numbers
    every = tuple(dict.fromkeys(sentences(found, names)))
    results = tuple(
        result_in_words(result_of(row, item.number, numbers), names)
        for item, row in found.results_gone
    )
    can_follow = found.follows is not None and found.why_not is None
    return ChoicesPage(
        found=found,
        sentences=every[:MOST_SENTENCES],
        more_sentences=every[MOST_SENTENCES:],
        facts=(*_wins_lost(found, names), *facts_of(found, names)),
        tables=tuple(rank_tables(found)),
        exchange=exchange_of(found, names),
        outs=outs_of(found, names),
        place=place_of_change(found),
        follow=_cost_of_following(found) if can_follow else None,
        becomes=tuple(_fates_in_words(found, names)) if can_follow else (),
        back=_cost_of_taking_back(found),
        back_to=translate(found.reopened.plan.label),
        rounds=tuple(item.ordinal for item in found.goes[::-1]),
        results=results[:MOST_RESULTS],
        more_results=results[MOST_RESULTS:],
        why_not=translate(found.why_not) if found.why_not else "",
    )


def _wins_lost(found: Correction, names: ShortNames) -> Iterator[Fact]:
    """Yield the matches of which the correction gives somebody else, or nobody, the win."""
    old, new = found.stage, found.changed.state
    regular = zip(old.regular_rounds, old.state.rounds, new.rounds, strict=True)
    extra = (
        (item, was.played, now.played)
        for (item, was), now in zip(old.extra_sets, new.extra, strict=True)
    )
    for item, played, corrected in (*regular, *extra):
        rows = {row.number: row for row in old.matches_of(item)}
        for (pairing, was), (_same, becomes) in zip(played, corrected, strict=True):
            if winner_of(was) != winner_of(becomes) and (words := lost_win(was, names)):
                yield Fact(where=at_table(item, rows[pairing.number]), words=words)


def exchange_of(found: Correction, names: ShortNames) -> Exchange:
    """Return the two that exchange a seat, if they are the only ones."""
    pairs = set(exchanged(found))
    if len(pairs) != 1:
        return Exchange()
    ((old, new),) = pairs
    return Exchange(new=names.of(new), old=names.of(old), out=_place_outside(found, old))


def outs_of(found: Correction, names: ShortNames) -> tuple[tuple[str, str], ...]:
    """Return who plays no more, however many seats change hands, each with the place afterwards."""
    places = {old: _place_outside(found, old) for old, _new in exchanged(found)}
    return tuple((names.of(old), place) for old, place in places.items() if place)


def _place_outside(found: Correction, player: PlayerId) -> str:
    """Return "13th", the place afterwards of a player who plays no more; "" for others."""
    if found.follows is None or player in found.follows.state.players:
        return ""
    ranking, plan = found.after.ranking, found.after.plan
    still_in = plan.players - sum(map(len, ranking)) if plan is not None else 0
    rank = still_in + 1
    for level in ranking:
        if player in level:
            return rank_ordinal(rank, shared=len(level) > 1)
        rank += len(level)
    return ""


def _cost_of_following(found: Correction) -> Costs:
    """Return how many matches are void or played again, how many pass on, and for how long."""
    begun = [each for each in found.changes if each.begun]
    passes = [each for each in found.changes if each.fate is Fate.PASSES]
    rounds = found.target.regular_rounds if found.target else ()
    again = [
        (each.pairing.seats, clock.minutes)
        for each in begun
        if each.fate is Fate.AGAIN and (clock := rounds[each.round].clock)
    ]
    return Costs(first=len(begun), second=len(passes), minutes=longest_of(again))


def longest_of(again: Iterable[tuple[tuple[PlayerId, ...], int]]) -> int:
    """Return the minutes of the player with most to play again; all others play meanwhile.

    Each match is its players and its minutes: nobody plays two at a time.
    """
    minutes: Counter[PlayerId] = Counter()
    for players, each in again:
        minutes.update(dict.fromkeys(players, each))
    return max(minutes.values(), default=0)


def _cost_of_taking_back(found: Correction) -> Costs:
    """Return how many results go, of how many who still play, and the minutes that were played."""
    gone, entries = found.results_gone, found.facts.entries.values()
    players = {each.pk for each in entries if each.plays}
    players &= {key for _item, match in gone for key in match.seats}
    played = {item.pk: item.clock.minutes for item, _match in gone if item.clock}
    return Costs(first=len(gone), second=len(players), minutes=sum(played.values()))


def _fates_in_words(found: Correction, names: ShortNames) -> Iterator[str]:
    """Yield what becomes of each match, in words: whose win counts no more, who plays again."""
    if found.target is None:
        return
    rounds, rows = found.target.regular_rounds, matches_by_key(found.target)
    for change in found.changes:
        if not change.begun:
            where = at_table(rounds[change.round], rows[change.key])
            yield f"{where}: {fate_words(change, names)}"
            continue
        becomes = fate_words(change, names)
        if lost := lost_win(change.was, names):
            yield f"{lost}: {becomes}"
            continue
        was = names.pair(change.pairing.seats)
        if change.was.is_played:
            was = result_in_words(change.was, names)
        yield _("%(was)s: counts no more; %(becomes)s") % {"was": was, "becomes": becomes}
