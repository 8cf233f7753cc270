"""What all sheets say, and sheets of a round: pairings by name and by table, result slips, results
by hand.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

import segno
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from config.wording import translate
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, group_label_in_round, round_label
from tournaments.core.mapping import match_rules_without_marks
from tournaments.core.names import listed_name
from tournaments.core.replays import MatchInPlay, group_rounds
from tournaments.core.rows import AnyEntry
from tournaments.models import Event
from tournaments.rounds.selectors.pairings import NameRow, PairingRow, PairingsPage, seat_label

Content = dict[str, Any]
FINGERPRINT = 16
"""Characters of the log's fingerprint on paper: enough to contradict a changed log."""


def event_sheet_content(event: Event, now: datetime, **words: str) -> Content:
    """Return the content common to all sheets of an event: name, date, footer; no query.

    The footer has the printing time ``now`` and the digest of the log's last line. words: further
    labels of the sheet.
    """
    zone = ZoneInfo(event.time_zone)
    date = date_format(timezone.localtime(event.starts_at, zone), "D j F Y")
    line = _("Line %(line)s") % {"line": event.version}
    foot = f"{line} {event.head[:FINGERPRINT] or '–'}"
    return base_sheet_content(now, zone, foot, **words) | {
        "event": event.name,
        "date": date.lower() if get_language() == "it" else date,
    }


def base_sheet_content(now: datetime, zone: ZoneInfo, foot: str, **words: str) -> Content:
    """Return the content common to all sheets: language, footer and labels.

    foot: text behind the printing time ``now``. words: further labels of the sheet.
    """
    printed = date_format(timezone.localtime(now, zone), "j.n.Y H:i")
    return {
        "language": get_language() or "en",
        "foot": " · ".join(("Girone", printed, foot)),
        "words": {"sheet": "{page} / {pages}", **words},
    }


def format_event_start(event: Event) -> str:
    """Return when an event begins, as text in its time zone and the active language."""
    begins = timezone.localtime(event.starts_at, ZoneInfo(event.time_zone))
    words = date_format(begins, "l j F Y, H:i")
    return words.lower() if get_language() == "it" else words


def subtitle(content: Content, *more: str) -> str:
    """Return the line below a sheet's title: the event's name and date, then ``more``.

    content: as from ``event_sheet_content``.
    """
    return " · ".join(filter(None, (content["event"], content["date"], *more)))


def name_parts(entry: AnyEntry) -> Mapping[str, str]:
    """Return a player's name as {"sorted": surname, "rest": given names}."""
    shown = listed_name(entry)
    return {"sorted": shown.surname, "rest": shown.rest}


def first_letters(entry: AnyEntry) -> str:
    """Return the first letters of a player's surname, for the name range of a page."""
    return listed_name(entry).letters


NOBODY = {"sorted": "", "rest": ""}


def qr_code_svg(text: str) -> str:
    """Return a text as a QR code in SVG."""
    drawn: str = segno.make_qr(text, error="m").svg_inline(border=0, omitsize=False)
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


SLIPS = 4
"""Result slips on a sheet."""
SPARE = 24
"""Empty lines on a sheet of results before the first round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipAddresses:
    """URLs printed on match slips, "" if the site doesn't know its own address.

    ``at_the_desk`` returns a match's URL from its primary key; ``short`` is the event's, without
    scheme.
    """

    at_the_desk: Callable[[int], str]
    short: str


def pairings_sheet(facts: EventFacts, shown: PairingsPage, now: datetime) -> Content:
    """Return the sheet of a round's pairings by player name, including byes.

    Players without a match come last. shown: the round's pairings.
    """
    content = event_sheet_content(facts.event, now)
    resting = [
        {
            **name_parts(entry),
            "letters": first_letters(entry),
            "table": "–",
            "against": _("no match"),
        }
        for entry in shown.resting
    ]
    return content | {
        "title": " · ".join((shown.label, _("Pairings by name"))),
        "under": subtitle(content, _tables_in_words(shown)),
        "players": [_player_content(row) for row in shown.names] + resting,
    }


def _player_content(row: NameRow) -> Content:
    if row.seat:
        other = seat_label(row.seat)
    elif row.others and row.result:
        other = row.result
    else:
        other = row.against or pgettext("of a match", "bye")
    if row.of_round:
        other = f"{row.of_round}: {other}"
    return {
        **name_parts(row.entry),
        "letters": first_letters(row.entry),
        "table": str(row.table or "–"),
        "against": other,
    }


def _tables_in_words(shown: PairingsPage) -> str:
    played = len({row.table for row in shown.to_play if row.table is not None})
    return ": ".join((_("Tables"), str(played)))


def tables_sheet(facts: EventFacts, shown: PairingsPage, now: datetime) -> Content:
    """Return the sheet of a round's pairings by table, byes last.

    shown: the round's pairings.
    """
    words = {"against": _("against"), "bye": pgettext("of a match", "bye"), "begins": _("begins")}
    content = event_sheet_content(facts.event, now, **words)
    return content | {
        "title": " · ".join((shown.label, _("Pairings by table"))),
        "under": subtitle(content, _tables_in_words(shown)),
        "tables": [_table_content(row, groups=shown.shows_groups) for row in shown.to_play],
        "seats": shown.has_seats,
    }


def players_content(players: Sequence[AnyEntry]) -> Content:
    """Return a match's players for a sheet's template, each as from `name_parts`.

    ``first`` and ``second`` (None for a bye), and ``seats`` for more than two players.
    """
    first, *others = names = [*map(name_parts, players)]
    second = others[0] if others else None
    return {"first": first, "second": second, "seats": names if len(names) > 2 else []}


def _table_content(row: PairingRow, *, groups: bool) -> Content:
    decided = row.result if row.table is None and len(row.players) == 2 else ""
    return {
        "table": str(row.table or "–"),
        **players_content(row.players),
        "group": decided or row.of_round or row.name or (row.group if groups else ""),
    }


def group_schedules_sheet(facts: EventFacts, now: datetime) -> Content:
    """Return the sheet with all rounds of the latest group stage, by group; no query."""
    content = event_sheet_content(facts.event, now)
    drawn = [each for each in facts.stages if each.kind.all_meet and each.state.seats]
    stage = drawn[-1] if drawn else None
    return content | {
        "title": translate(stage.plan.label) if stage else "",
        "under": subtitle(content, _("Pairings")),
        "groups": [
            {
                "caption": group_label(stage.plan, group.name),
                "rounds": [
                    {"label": each.label, "pairs": [players_content(pair) for pair in each.pairs]}
                    for each in group_rounds(facts, stage, group.name)
                ],
            }
            for group in (stage.plan.groups if stage else ())
            if stage
        ],
    }


def match_slips_sheet(
    facts: EventFacts, shown: PairingsPage, now: datetime, addresses: SlipAddresses
) -> Content:
    """Return the match slips of a round, and of open matches of earlier rounds.

    The sheets are cut as one pile: with n sheets, place p of sheet s holds slip p × n + s, so that
    the piles put on one another are in table order. shown: the round's pairings.
    """
    stage = next(each for each in facts.stages if shown.round in each.rounds)
    own = (MatchInPlay(shown.round, match, beside=False) for match in stage.matches_of(shown.round))
    every = (*own, *(each for each in shown.beside if each.is_open))
    played = [each for each in every if each.table and each.match.size > 1]
    played.sort(key=lambda each: each.table or 0)
    known = [
        match_rules_without_marks(each.match, facts.event, timed=stage.plan.timed)
        for each in played
    ]
    in_points = any(rules.by_points for rules in known)
    one_game = not in_points and all(rules.best_of == 1 for rules in known)
    counted = _("Points") if in_points else _("Games won")
    if one_game:
        counted = pgettext("match slip", "wins")
    if any(rules.by_promotion for rules in known):
        counted = _("Promotion points")
    content = event_sheet_content(
        facts.event,
        now,
        table=_("Table"),
        counted=counted,
        absent=_("Absent"),
        leaves=_("drops"),
        signature=_("Signature"),
        scan=_("Desk"),
        draws=_("A draw") if one_game else _("Drawn games"),
        minutes=_("Extra minutes"),
        judge=_("Judge"),
        cut=_("Cut all sheets at once, then stack the piles"),
        seat=_("Seat and name"),
        place=pgettext("match slip", "place"),
        one=_("1: winner"),
        concedes=_("concedes"),
        between=_("Drawn between"),
        begins=_("begins"),
    )
    return content | {
        "counts": "points" if in_points else "games",
        "address": addresses.short,
        "sheets": slips_by_sheet([_slip_content(facts, stage, each, addresses) for each in played]),
    }


def slips_by_sheet(found: Sequence[Content]) -> list[list[Content | None]]:
    """Return slips as [sheet][place], four places a sheet, ordered for cutting.

    None is an empty place. See `match_slips_sheet`.
    """
    sheets = ceil(len(found) / SLIPS)
    at = [[place * sheets + sheet for place in range(SLIPS)] for sheet in range(sheets)]
    return [[found[i] if i < len(found) else None for i in places] for places in at]


def _slip_content(
    facts: EventFacts, stage: StageFacts, found: MatchInPlay, addresses: SlipAddresses
) -> Content:
    match = found.match
    entries = facts.entries_by_pk
    group = next(group for group in stage.groups if group.pk == match.group_id)
    item = next(item for item in stage.rounds if item.pk == match.round_id)
    several = len(stage.groups) > 1
    return {
        "table": str(found.table),
        "round": round_label(stage, item),
        **players_content([entries[key] for key in match.seats]),
        "group": group_label_in_round(stage, item, match, group.name) if several else "",
        "qr": qr_code_svg(address) if (address := addresses.at_the_desk(match.pk)) else "",
    }


def blank_results_sheet(facts: EventFacts, shown: PairingsPage | None, now: datetime) -> Content:
    """Return the sheet for writing down results: a round's matches, or empty lines.

    shown: the round's pairings, None for empty lines.
    """
    seat, place, first = _("Seat and name"), pgettext("match slip", "place"), _("1: winner")
    content = event_sheet_content(
        facts.event,
        now,
        table=_("Table"),
        player=_("Player"),
        result=_("Result"),
        seats=f"{seat} · {place} ({first})",
        minutes=_("Minutes"),
    )
    lines = [
        {
            "table": str(row.table),
            **players_content(row.players),
        }
        for row in (shown.to_play if shown else ())
        if row.table and len(row.sides) > 1
    ]
    empty = [{"table": "", "first": NOBODY, "second": NOBODY, "seats": []}] * SPARE
    title = _("Blank results sheet")
    return content | {
        "title": " · ".join((shown.label, title)) if shown else title,
        "under": subtitle(content),
        "rows": lines or empty,
        "most": max((len(line["seats"]) for line in lines), default=0),
    }
