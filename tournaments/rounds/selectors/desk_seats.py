"""The seats of a table of three and more, as its row on the desk shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules.matches.quorum import needed
from rules.matches.tables.shorthand import typed_as
from rules.results import Mark, Outcome
from tournaments.core.labels import ordinal
from tournaments.core.mapping import outcome_of
from tournaments.core.names import with_initial
from tournaments.core.rows import AnyEntry, AnyMatch
from tournaments.matches.selectors import PlayersByAccount, reports_by_player
from tournaments.matches.table_words import mark_word
from tournaments.matches.words import with_names
from tournaments.models import Match, Report

LONGEST, LONGEST_WORD = 16, 8
"""Characters of a name, and of each of its words, that have room in one of five seats of a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCell:
    """A seat: who sits there, in a word what became of them, and the ``tone`` to show it in.

    ``short`` is the name as a seat has room for it.
    Tones: ``won``, ``drawn``, ``away``, ``claimed`` by one report, ``disputed``, or none.
    """

    number: int
    name: str
    words: str
    tone: str
    short: str = ""


def seat_cells(
    match: AnyMatch, names: Sequence[str], players: Sequence[AnyEntry], claims: Sequence[Report]
) -> tuple[SeatCell, ...]:
    """Return the seats of a table; ``claims`` are the reports of an undecided one, latest last."""
    if match.size < 3:
        return ()
    decision = match.decision if match.state == Match.State.FINAL else None
    told = [outcome_of(report, match.size) for report in ([decision] if decision else claims)]
    disputed = match.state == Match.State.DISPUTED
    cells = (
        SeatCell(number=seat, name=name, words=away, tone="away")
        if decision is None and (away := _away(match, player))
        else _cell(seat, name, told, disputed=disputed, final=decision is not None)
        for seat, (name, player) in enumerate(zip(names, players, strict=True), start=1)
    )
    short = [_short(name, player) for name, player in zip(names, players, strict=True)]
    return tuple(
        replace(cell, short=name if short.count(name) == 1 else cell.name)
        for cell, name in zip(cells, short, strict=True)
    )


def _short(name: str, player: AnyEntry) -> str:
    """Return a long name with the initial of the given name: the surname is never cut off."""
    fits = len(name) <= LONGEST and max(map(len, name.split())) <= LONGEST_WORD
    return name if fits else with_initial(player)


def _away(match: AnyMatch, player: AnyEntry) -> str:
    """Return why somebody does not play at an open table, "" if they do."""
    if player.number in match.absent:
        return mark_word(Mark.ABSENT)
    return "" if player.plays else _("no longer plays")


def _cell(
    seat: int, name: str, told: Sequence[Outcome], *, disputed: bool, final: bool
) -> SeatCell:
    if disputed:
        first = any(each.places[seat - 1] == 1 for each in told)
        return SeatCell(number=seat, name=name, words="", tone="disputed" if first else "")
    words, tone = _words(seat, told[-1]) if told else ("", "")
    if tone in ("won", "drawn") and not final:
        tone = "claimed"
    return SeatCell(number=seat, name=name, words=words, tone=tone)


def _words(seat: int, outcome: Outcome) -> tuple[str, str]:
    """Return what became of a seat in a word, and its tone."""
    mark = dict(outcome.marks).get(seat)
    if mark is not None:
        return mark_word(mark), "away"
    if not outcome.counts:
        return "", ""
    place, present = outcome.places[seat - 1], [each for each in outcome.places if each]
    alone = present.count(1) == 1
    tone = ("won" if alone else "drawn") if place == 1 else ""
    if len({*present}) > 2 and place:
        return ordinal(place), tone
    return {"won": _("wins"), "drawn": pgettext("a seat at a table", "draws")}.get(tone, ""), tone


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A result reported of a disputed table, as its report has it and as the desk types it."""

    report: Report
    typed: str
    words: str


def versions_of(
    match: AnyMatch, names: Sequence[str], claims: Sequence[Report]
) -> tuple[Version, ...]:
    """Return what differs in a dispute at a table, each result once, in the order of reports."""
    if match.size < 3 or match.state != Match.State.DISPUTED:
        return ()
    last = {outcome_of(report, match.size): report for report in claims}
    return tuple(
        Version(report=report, typed=typed_as(outcome), words=with_names(report, *names))
        for outcome, report in last.items()
    )


def agreed_words(
    match: AnyMatch,
    players: Sequence[AnyEntry],
    reports: Sequence[Report],
    accounts: PlayersByAccount,
) -> str:
    """Return how many at a table agree on its reported result, and how many more are enough.

    Before a report, how many are there where somebody has left or is absent.
    """
    seated = [player for player in players if player.plays and player.number not in match.absent]
    if match.size > 2 and match.state == Match.State.OPEN and len(seated) < match.size:
        return _("%(there)s of %(all)s are there") % {"there": len(seated), "all": match.size}
    if match.size < 3 or match.state != Match.State.REPORTED:
        return ""
    agreed = len({*_speakers(seated, reports, accounts)})
    missing = max(needed(match.size, range(match.size - len(seated))) - agreed, 1)
    words = ngettext(
        "%(agreed)s of %(all)s, one more is enough",
        "%(agreed)s of %(all)s, %(missing)s more are enough",
        missing,
    )
    return words % {"agreed": agreed, "all": len(seated), "missing": missing}


def _speakers(
    seated: Sequence[AnyEntry], reports: Sequence[Report], accounts: PlayersByAccount
) -> Iterator[int]:
    for player, report in reports_by_player({one.pk for one in seated}, reports, accounts):
        if report.kind in (Report.Kind.REPORT, Report.Kind.CONFIRMATION):
            yield player
