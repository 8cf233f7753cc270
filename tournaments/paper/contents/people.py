"""Sheets of people: seats before a round, deck checks, personal links, and the poster."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules.stages.tables import table_ranges
from tournaments.core.event_state import EventFacts
from tournaments.core.formulas import usual_size
from tournaments.core.names import by_surname
from tournaments.models import Entry, Event
from tournaments.paper.contents.rounds import (
    Content,
    common_content,
    date_with_time,
    first_letters,
    name_parts,
    qr,
    subtitle,
)
from tournaments.prizes.selectors import WinnerRow, money, winner_rows


def seats(facts: EventFacts, now: datetime) -> Content:
    """Return every player with a box to tick and a seat, in the order of names.

    Before the first round players sit by name, as many a table as play a match; a fixed table stays
    theirs. Where the event has too few tables, those who come last have none.
    """
    content = common_content(facts.event, now)
    playing = [entry for entry in facts.entries.values() if entry.plays]
    playing.sort(key=by_surname)
    taken = {entry.fixed_table for entry in playing if entry.fixed_table}
    hall = table_ranges(facts.event.tables)
    seats_each = range(usual_size(facts.event))
    free = (table for table in hall if table not in taken for _seat in seats_each)
    counted = ngettext("%(count)s player", "%(count)s players", len(playing))
    return content | {
        "title": _("Seats for all"),
        "under": subtitle(content, counted % {"count": len(playing)}, _("by name, not of a round")),
        "players": [
            {
                **name_parts(entry),
                "letters": first_letters(entry),
                "table": str(entry.fixed_table or next(free, "–")),
            }
            for entry in playing
        ],
    }


def checks(event: Event, page: dict[str, Any], now: datetime) -> Content:
    """Return the players without a deck check by table, then the checked ones."""
    content = common_content(
        event,
        now,
        table=_("Table"),
        player=_("Player"),
        list=capfirst(_("list")),
        checked=capfirst(_("checked")),
        note=capfirst(_("note")),
    )
    waiting = [
        {
            **name_parts(entry),
            "table": str(table or "–"),
            "list": _("handed in") if entry.submission_id else _("missing"),
            "checked": False,
        }
        for entry, table in page["left"]
    ]
    done = [
        {
            **name_parts(row["entry"]),
            "table": str(row["table"] or "–"),
            "list": row["round"],
            "checked": True,
            "outcome": row["outcome"],
        }
        for row in (*page["open"], *page["finished"])
    ]
    return content | {
        "title": _("Deck checks"),
        "under": subtitle(content, page["round_label"])
        if page["round_label"]
        else subtitle(content),
        "players": waiting + done,
    }


def prizes(facts: EventFacts, now: datetime) -> Content:
    """Return the winners of a finished event with room to sign; one query."""
    content = common_content(
        facts.event,
        now,
        rank=pgettext("column of a list on paper", "Rank"),
        player=_("Player"),
        prize=_("Prize"),
        value=_("Value"),
        signed=_("Received"),
    )
    won = winner_rows(facts)
    cents = [row.cents for row in won if row.cents is not None]
    total = _("Total: %(amount)s") % {"amount": money(sum(cents))} if cents else ""
    return content | {
        "title": _("Prizes"),
        "under": subtitle(content),
        "total": total,
        "winners": [
            {
                **name_parts(row.entry),
                "rank": row.rank,
                "prize": _shared(row),
                "value": row.value,
                "signed": _("handed out") if row.given else "",
            }
            for row in won
        ],
    }


def _shared(row: WinnerRow) -> str:
    if row.sharing == 1:
        return row.prize
    shared = _("shared by %(players)s") % {"players": row.sharing}
    return f"{row.prize} ({shared})" if row.prize else shared


def links(event: Event, addresses: Mapping[Entry, str], now: datetime) -> Content:
    """Return a card with the personal link of each player, in the order of names.

    An address takes two lines: the part that all share, and the code.
    """
    own = [_("Yours alone: table, decklist, results."), _("Show it to nobody.")]
    return common_content(event, now) | {
        "own": own,
        "players": [
            {**name_parts(entry), "qr": qr(address), "address": _two_lines(address)}
            for entry, address in sorted(addresses.items(), key=lambda one: by_surname(one[0]))
        ],
    }


def _two_lines(address: str) -> list[str]:
    before, slash, code = address.split("://", 1)[-1].rstrip("/").rpartition("/")
    return [before + slash, f"{code}/"]


def poster(event: Event, address: str, now: datetime) -> Content:
    content = common_content(event, now)
    return content | {
        "when": date_with_time(event),
        "venue": event.venue,
        "qr": qr(address),
        "address": address.split("://", 1)[-1],
        "question": _("Are you playing? Scan, then tap your name."),
        "invitation": _("Pairings, standings and the clock on your phone"),
    }
