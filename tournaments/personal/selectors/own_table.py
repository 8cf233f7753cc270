"""A player's table of three and more: who sits where, and what each has said of the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.matches.quorum import needed
from tournaments.core.formulas import is_by_place
from tournaments.core.labels import places_at
from tournaments.core.mapping import outcome_of, table_points_of
from tournaments.core.rows import EntryRow, MatchRow
from tournaments.matches.selectors import players_by_account, reports_by_player
from tournaments.matches.table_words import worth_in_words
from tournaments.models import Event, Match, Report


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeat:
    """A seat; ``said`` is what its player said of the reported result, ``tone`` how to show it.

    ``gone``: the player has left the event, or is ``absent``.
    """

    number: int
    name: str
    own: bool
    said: str
    tone: str
    gone: bool = False
    absent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A table as one of its players sees it.

    ``reporter`` made the last report, "" without one; ``worth`` are the points that it gives.
    ``agreed`` says how many agree and how many more are enough, while nobody contradicts.
    ``answered``: the reader has said what the report says, ``denied``: that it is wrong. ``places``
    are those of an order, as (number, words), none where points go by who won.
    """

    seats: tuple[OwnSeat, ...]
    reporter: str
    agreed: str
    answered: bool
    denied: bool
    places: tuple[tuple[int, str], ...] = ()
    worth: str = ""

    @property
    def own(self) -> OwnSeat:
        """Return the reader's seat."""
        return next(seat for seat in self.seats if seat.own)

    @property
    def there(self) -> tuple[OwnSeat, ...]:
        """Return the seats of those who play."""
        return tuple(seat for seat in self.seats if not seat.gone)

    @property
    def others(self) -> tuple[OwnSeat, ...]:
        """Return the seats of the others who play."""
        return tuple(seat for seat in self.there if not seat.own)


def own_table(
    event: Event,
    match: MatchRow,
    key: int,
    by_key: Mapping[int, EntryRow],
    reports: Sequence[Report],
) -> OwnTable | None:
    """Return the table of the player with this key; None for a match of two.

    ``reports`` are those of the match, oldest first. A query if somebody reported by an account.
    """
    if match.size < 3:
        return None
    last: dict[int, Report] = {}
    if match.state in (Match.State.REPORTED, Match.State.DISPUTED):
        accounts = players_by_account(match.seats, reports)
        last = dict(reports_by_player(match.seats, reports, accounts))
    told = [(at, each) for at, each in last.items() if each.kind == Report.Kind.REPORT]
    reporter = max(told, key=lambda each: each[1].version)[0] if told else 0
    seats = tuple(
        OwnSeat(
            number=number,
            name=by_key[seated].display_name,
            own=seated == key,
            said=_said(last.get(seated), first=seated == reporter, own=seated == key),
            tone=_tone(last.get(seated), own=seated == key),
            gone=not _is_there(match, by_key[seated]),
            absent=by_key[seated].number in match.absent,
        )
        for number, seated in enumerate(match.seats, start=1)
    )
    own = last.get(key)
    return OwnTable(
        seats=seats,
        reporter=by_key[reporter].display_name if reporter else "",
        agreed=_agreed(match, by_key, last),
        answered=own is not None and own.kind != Report.Kind.DENIAL,
        denied=own is not None and own.kind == Report.Kind.DENIAL,
        places=places_at(match.size) if is_by_place(event) else (),
        worth=_worth(event, last[reporter], seats) if reporter else "",
    )


def _is_there(match: MatchRow, player: EntryRow) -> bool:
    return player.plays and player.number not in match.absent


def _worth(event: Event, report: Report, seats: Sequence[OwnSeat]) -> str:
    names = [_("you") if seat.own else seat.name for seat in seats]
    return worth_in_words(outcome_of(report, len(names)), names, table_points_of(event))


def _said(report: Report | None, *, first: bool, own: bool) -> str:
    if report is None:
        return _("your turn") if own else _("not yet")
    if report.kind == Report.Kind.DENIAL:
        return _("says no")
    return _("said so") if first or report.kind == Report.Kind.REPORT else _("agrees")


def _tone(report: Report | None, *, own: bool) -> str:
    if report is None:
        return "info" if own else ""
    return "bad" if report.kind == Report.Kind.DENIAL else "good"


def _agreed(match: MatchRow, by_key: Mapping[int, EntryRow], last: Mapping[int, Report]) -> str:
    if match.state != Match.State.REPORTED:
        return ""
    seated = [key for key in match.seats if _is_there(match, by_key[key])]
    agreed = sum(key in last for key in seated)
    missing = max(needed(match.size, range(match.size - len(seated))) - agreed, 1)
    words = ngettext(
        "%(agreed)s of %(all)s agree. One more is enough: then it is final.",
        "%(agreed)s of %(all)s agree. %(missing)s more are enough: then it is final.",
        missing,
    )
    return words % {"agreed": agreed, "all": len(seated), "missing": missing}
