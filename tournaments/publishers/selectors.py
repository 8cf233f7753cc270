"""The players that a pasted list may name, and a round's results as a publisher's program asks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from decks.stored_formats import base_format
from rules.drafts.given import ListedPlayer
from rules.matches.match_rules import MatchRules
from rules.names import name_key
from rules.results import SEAT_WINNERS, MatchEnding, Outcome, Winner
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.mapping import match_rules_without_marks, outcome_from_report
from tournaments.core.rows import AnyEntry, AnyRound
from tournaments.matches.words import result_with_names
from tournaments.models import Contact, Event, Match

EVENTLINK, TOM = "eventlink", "tom"
PROGRAMS = {EVENTLINK: "EventLink", TOM: "TOM"}
"""The publishers' programs by the key in addresses: Wizards' and Play! Pokémon's."""
GAMES = {"magic": EVENTLINK, "pokemon": TOM}
"""The program of a game by the first word of its name."""


def publisher_programs(event: Event) -> tuple[tuple[str, str], ...]:
    """Return (key, name) of the publishers' programs to which an event is reported.

    That is its game's program; for other games all of them if the event is paired elsewhere, else
    none. At most one query.
    """
    game = name_key(base_format(event.format_key).game).partition(" ")[0].rstrip(":")
    keys = [GAMES[game]] if game in GAMES else [*PROGRAMS] if event.paired_elsewhere else []
    return tuple((key, PROGRAMS[key]) for key in keys)


def membership_numbers(event: Event) -> dict[int, tuple[str, ...]]:
    """Return the membership numbers of each player, by player number; one query."""
    rows = Contact.objects.filter(entry__event=event).exclude(memberships={})
    return {
        number: tuple(memberships.values())
        for number, memberships in rows.values_list("entry__number", "memberships")
    }


def listed_players(facts: EventFacts, stage: StageFacts) -> tuple[ListedPlayer, ...]:
    """Return the players that a pasted list of pairings may name; one query."""
    known, numbers = (
        set(stage.state.players) - stage.state.withdrawn,
        membership_numbers(facts.event),
    )
    return tuple(
        ListedPlayer(
            player=number,
            names=tuple(dict.fromkeys((entry.display_name, entry.name))),
            numbers=numbers.get(entry.number, ()),
            plays=number in known,
        )
        for number, entry in facts.entries.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """A match as it is typed into a publisher's program.

    ``key`` is the match's primary key; ``players`` are (name, membership number); ``result`` is ""
    until final.
    """

    key: int
    table: int | None
    players: tuple[tuple[str, str], ...]
    result: str


def round_report(
    facts: EventFacts, stage: StageFacts, round_: AnyRound, program: str, *, private: bool
) -> dict[str, Any]:
    """Return the template context with a round's results, to type into a program.

    program: key of ``PROGRAMS``. private: include membership numbers (one query).
    """
    entries, numbers = facts.entries_by_pk, membership_numbers(facts.event) if private else {}
    rows = [
        _row(facts, stage, match, [entries[key] for key in match.seats], program, numbers)
        for match in stage.matches_of(round_)
        if not match.missed
    ]
    rows.sort(key=lambda row: (row.table is None, row.table or 0))
    return {
        "program": program,
        "name": PROGRAMS[program],
        "label": round_label(stage, round_),
        "ordinal": round_.ordinal,
        "rows": tuple(rows),
        "open": sum(not row.result for row in rows),
    }


def _row(
    facts: EventFacts,
    stage: StageFacts,
    match: Any,
    players: list[AnyEntry],
    program: str,
    numbers: Mapping[int, tuple[str, ...]],
) -> ReportRow:
    names = [entry.name for entry in players]
    result = ""
    if match.state == Match.State.FINAL and match.decision is not None:
        outcome = outcome_from_report(match.decision, match.size)
        if match.size > 2:
            result = result_with_names(match.decision, *names)
        else:
            rules = match_rules_without_marks(match, facts.event, timed=stage.plan.timed)
            result = _as_asked(outcome, names, rules, program)
    return ReportRow(
        key=match.pk,
        table=match.table,
        players=tuple((entry.name, ", ".join(numbers.get(entry.number, ()))) for entry in players),
        result=result,
    )


def _as_asked(outcome: Outcome, names: list[str], rules: MatchRules, program: str) -> str:
    """Return a result of two as a program asks for it.

    EventLink: games won by the first, by the second, drawn; an intentional draw is 0–0–3 there.
    TOM: who won, a tie or a double loss.
    """
    if outcome.ended_by is MatchEnding.BYE:
        return _("Bye")
    if outcome.winner is Winner.VOID:
        return _("does not count")
    if outcome.winner is Winner.NONE:
        return _("Double loss")
    if program == EVENTLINK:
        return "–".join(map(str, count_games(outcome, rules.needed)))
    if outcome.is_draw:
        return _("Tie")
    return _("Win") + f": {names[SEAT_WINNERS.index(outcome.winner)]}"


def count_games(outcome: Outcome, needed: int) -> tuple[int, int, int]:
    """Return (games won by the first player, by the second, drawn).

    needed: games that win the match; assumed for a match decided without games.
    """
    played = outcome.games_won
    if played and any(played) and not outcome.by_decision:
        return played
    if outcome.is_draw:
        return (0, 0, 2 * needed - 1)
    return (needed, 0, 0) if outcome.winner is SEAT_WINNERS[0] else (0, needed, 0)
