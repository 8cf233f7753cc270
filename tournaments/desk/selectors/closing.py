"""What closing the open stage, or finishing the event, brings: who meets whom, what is missing,
what becomes public.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.outcome import seat_players
from rules.criteria.of_tables import find_criterion
from rules.errors import RuleError
from rules.results import PlayerId
from rules.scenarios.verdicts import CutSide
from rules.stages import stage_kind
from rules.stages.base import StageState
from rules.stages.tables import assign_tables, order_by_table, parse_table_ranges
from rules.standings.table import Separation, Standing, percentage_gap, separating_criterion
from rules.ties.decisions import tiebreaker_by_key
from tournaments.core.event_state import EventFacts, StageFacts, withheld_rounds
from tournaments.core.kept_places import decided_places
from tournaments.core.labels import group_label, round_label, round_name
from tournaments.core.rows import AnyEntry
from tournaments.core.visibility import (
    Audience,
    are_lists_open_until_close,
    stage_audience,
    will_open_lists,
    withheld_content,
)
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.players.acts import DISQUALIFIED, WITHDRAWN
from tournaments.stages.selectors import next_stages, origin_groups
from tournaments.standings.selectors.proofs import format_percentage_points, format_value
from tournaments.standings.selectors.rows import LEAVERS, StandingRow
from tournaments.standings.selectors.standings import StandingsTable, stage_standings

SHOWN = 15
"""Rows shown at least; the others fold."""
BELOW = 6
"""Rows shown at least below the line."""
LEAST_SHOWN = Fraction(1, 1000)
"""The least difference of two shares that can be seen in a table."""


def cut_tables(
    facts: EventFacts,
    current: StageFacts,
    goes: Mapping[PlayerId, str],
    lists: Mapping[PlayerId, str],
) -> tuple[dict[str, Any], ...]:
    """Return the open stage's standings with the cut, as a dict per group; () for a bracket.

    Each has ``rows`` and ``rest`` (rows folded away). ``goes``: {player: text, where the player
    advances to}. ``lists``: {player: text, what is wrong with the decklist}. One query if players
    dropped.
    """
    left = _times_of_leaving(facts, current)
    stage = f"stage-{current.stage.number}"
    shown = next(each for each in stage_standings(facts) if each.id == stage)
    return tuple(_cut_table(facts, table, goes, left, lists) for table in shown.tables)


def _destinations(facts: EventFacts, current: StageFacts) -> dict[PlayerId, str]:
    """Return the words for where each player goes on to; empty until the places are known.

    A seed is the seat of the bracket, which keeping players of one group apart may move; while
    lots could still move it, no seed is told.
    """
    if not current.outcome.places:
        return {}
    held = {player: name for name, player in current.outcome.places.items()}
    moved = _seats_of_next(facts, current)
    held |= {player: name for player, name in moved.items() if player in held}
    found = {}
    for player, index in next_stages(facts, current).items():
        if player not in held:
            continue
        plan = facts.stages[index].plan
        kind, _sep, number = held[player].partition(" ")
        group = next((g.name for g in plan.groups if held[player] in g.seats), "")
        if kind == "seed":
            found[player] = _("Seed %(number)s") % {"number": number}
        else:
            label = group_label(plan, group) if group else translate(plan.label)
            found[player] = f"→ {label}"
    return found


def _seats_of_next(facts: EventFacts, current: StageFacts) -> dict[PlayerId, str]:
    """Return the seat of each player in a next stage that keeps groups apart, "" if undecided."""
    following = facts.stages[current.stage.number : current.stage.number + 1]
    if not following or not following[0].plan.apart:
        return {}
    plan = following[0].plan
    seats = seat_players(
        plan, decided_places(facts), origin_groups(facts.stages[: current.stage.number])
    )
    undecided = bool(current.outcome.lots_needed)
    return {
        player: "" if undecided else name
        for group in plan.groups
        for player, name in zip(seats[group.name], group.seats, strict=True)
        if player is not None
    }


def _times_of_leaving(facts: EventFacts, current: StageFacts) -> dict[PlayerId, str]:
    """Return the words for when each player of the stage left; one query, none if nobody did."""
    entries = [facts.entries[player] for player in current.state.players]
    gone = [entry for entry in entries if entry.status in LEAVERS]
    if not gone:
        return {}
    lines = facts.event.log.filter(action__in=(WITHDRAWN.key, DISQUALIFIED.key)).order_by("number")
    last = {after.get("number"): at for after, at in lines.values_list("after", "at")}
    return {entry.number: _left_when(facts, entry, last.get(entry.number)) for entry in gone}


def _left_when(facts: EventFacts, entry: AnyEntry, at: datetime | None) -> str:
    status = entry.get_status_display()
    if entry.status == Entry.Status.DISQUALIFIED or at is None:
        return status
    local = timezone.localtime(at, facts.event.zone)
    today = local.date() == timezone.localtime(timezone=facts.event.zone).date()
    return f"{status}: {date_format(local, 'H:i' if today else 'j F, H:i')}"


def _cut_table(
    facts: EventFacts,
    table: StandingsTable,
    goes: Mapping[PlayerId, str],
    left: Mapping[PlayerId, str],
    lists: Mapping[PlayerId, str],
) -> dict[str, Any]:
    """Return a table of standings with its cut line; ``rest`` are the rows folded away.

    ``gone`` are the players among these who have left.
    """
    rows = tuple(_cut_rows(facts, table, goes, left, lists))
    through = [at for at, each in enumerate(rows) if each["zone"] == CutSide.THROUGH]
    shown = max(SHOWN, (through[-1] if through else 0) + 1 + BELOW)
    if len(rows) <= shown + 2:
        shown = len(rows)
    return {
        "id": table.id,
        "caption": table.caption,
        "columns": table.columns,
        "wide": len(table.columns) + 4,
        "rows": rows[:shown],
        "rest": rows[shown:],
        "gone": tuple(each["row"].entry for each in rows[shown:] if each["left"]),
    }


def _cut_rows(
    facts: EventFacts,
    table: StandingsTable,
    goes: Mapping[PlayerId, str],
    left: Mapping[PlayerId, str],
    lists: Mapping[PlayerId, str],
) -> Iterator[dict[str, Any]]:
    """Yield the players above and below the line between those who advance and those who do not.

    ``goes`` says where the player goes on to, "" for who does not; ``words`` what decides it.
    ``figures`` are the values of the criteria, each with whether it is the one that decides.
    """
    standings = table.standings.rows if table.standings else ()
    criteria = tuple(facts.event.criteria)
    through = [at for at, row in enumerate(table.rows) if row.zone is CutSide.THROUGH]
    last = through[-1] if through else -1
    places = len(through)
    marked: dict[int, str] = {}
    words: dict[int, str] = {}
    for at, row in enumerate(table.rows):
        number = row.entry.number
        if number in left:
            words[at] = left[number]
        elif row.zone is CutSide.THROUGH:
            words[at] = _whose_leaving_lets_in(table.rows, at, places)
        elif row.zone is CutSide.MAYBE:
            words[at] = goes.get(number) or _("Across the groups")
        elif last >= 0:
            found = separating_criterion(standings, criteria, last, at)
            shown = found and _as_the_table_shows(found, standings[last], standings[at])
            words[at] = describe_gap_to_cut(shown, table.rows[last].entry.display_name)
            if found:
                marked[at] = found.criterion
                marked.setdefault(last, found.criterion)
    for at, (row, standing) in enumerate(zip(table.rows, standings, strict=True)):
        yield {
            "row": row,
            "left": row.entry.status in LEAVERS,
            "zone": str(row.zone or ""),
            "goes": goes.get(row.entry.number, "") if row.zone is CutSide.THROUGH else "",
            "words": words.get(at, ""),
            "figures": tuple(
                (value, key == marked.get(at))
                for key, value in zip(standing.columns, row.values, strict=True)
            ),
            "list": lists.get(row.entry.number, ""),
            "line": _line_in_words(table, places, last)
            if at == last and at + 1 < len(table.rows)
            else "",
        }


def _whose_leaving_lets_in(rows: Sequence[StandingRow], at: int, places: int) -> str:
    """Return whose leaving lets the player at a position in, "" without one."""
    if at < places:
        return ""
    gone = [row.entry.display_name for row in rows[:at] if row.entry.status in LEAVERS]
    return _("Replaces: %(names)s") % {"names": ", ".join(gone)} if gone else ""


def _line_in_words(table: StandingsTable, places: int, last: int) -> str:
    words = _("Advance: %(number)s") % {"number": places}
    tied = last + 1 < len(table.rows) and table.rows[last].rank == table.rows[last + 1].rank
    return " · ".join([words, *([_("Tied for the last spots")] if tied else [])])


def _as_the_table_shows(found: Separation, better: Standing, worse: Standing) -> Separation:
    if found.by and find_criterion(found.criterion).percentage:
        return found._replace(by=percentage_gap(better, worse, found.criterion) or found.by)
    return found


def describe_gap_to_cut(found: Separation | None, name: str) -> str:
    """Return a text on how far a player is behind the last who advances: "OMW%: −3.2".

    ``found``: the first tiebreaker that separates them, None if they are tied; ``name``: of the
    last who advances.
    """
    if found is None:
        return _("Tied with %(name)s") % {"name": name}
    criterion = tiebreaker_by_key(found.criterion)
    if not found.by:
        values = {"name": name, "criterion": translate(criterion.label)}
        return _("%(criterion)s: behind %(name)s") % values
    size, tiny = abs(found.by), ""
    value = format_value(size)
    if criterion.percentage:
        value = format_percentage_points(max(size, LEAST_SHOWN))
        if size < LEAST_SHOWN:
            tiny = "> " if found.by < 0 else "< "
    return f"{translate(criterion.short)}: {tiny}{'−' if found.by < 0 else '+'}{value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """Something that closing a stage or finishing an event makes public.

    ``words``: to whom and when, as text. ``choice``: name of the form field that withholds it, ""
    if impossible. ``changes``: False if it is listed only to say that it stays as it is.
    """

    name: str
    words: str = ""
    choice: str = ""
    changes: bool = True


def closing_effects(facts: EventFacts) -> dict[str, Any] | None:
    """Return the effects of closing the open stage as template context, None without one.

    Keys: ``tables`` (standings with the cut), ``coming`` and ``matches`` (label and first matches
    of the next stage), ``no_list`` ((player, problem) of missing or illegal decklists), ``public``
    (`Disclosure`), ``button`` (label), ``expected_round`` (ordinal of the round drafted with it, 0
    for none). At most two queries.
    """
    current = facts.open_stage
    if current is None:
        return None
    following = facts.stages[current.stage.number : current.stage.number + 1]
    ahead = _next_stage_state(facts, current, following[0]) if following else None
    goes = _destinations(facts, current)
    lists = _unfit_lists(facts, current, ahead)
    return {
        "tables": cut_tables(facts, current, goes, lists),
        "coming": _coming_heading(ahead),
        "matches": _coming_matches(facts, ahead, goes),
        "no_list": tuple((facts.entries[player], words) for player, words in lists.items()),
        "public": tuple(_disclosures(facts, current, ahead)),
        "button": _button_words(current, ahead, facts.last_ordinal + 1),
        "expected_round": facts.last_ordinal + 1 if ahead else 0,
    }


def _next_stage_state(facts: EventFacts, current: StageFacts, following: StageFacts) -> StageState:
    """Return the next stage as it would open now; its seats are vacant where undecided."""
    seats = seat_players(
        following.plan,
        decided_places(facts),
        origin_groups(facts.stages[: current.stage.number]),
    )
    return StageState(
        plan=following.plan,
        seats=seats,
        legs=following.stage.legs,
        withdrawn=current.state.withdrawn,
    )


def _button_words(current: StageFacts, ahead: StageState | None, ordinal: int) -> str:
    values = {"stage": translate(current.plan.label), "number": ordinal}
    if ahead is None:
        return _("Close “%(stage)s”") % values
    if name := round_name(ahead, 1):
        return _("Close “%(stage)s” and prepare “%(round)s”") % (values | {"round": name})
    return _("Close “%(stage)s” and prepare round %(number)s") % values


def _coming_heading(ahead: StageState | None) -> str:
    """Return the name of the next stage's first round, or of the stage if rounds have numbers."""
    if ahead is None:
        return ""
    kind = stage_kind(ahead.plan)
    return translate(kind.describe_round(ahead, 1) if kind.has_bracket else ahead.plan.label)


def _coming_matches(
    facts: EventFacts, ahead: StageState | None, goes: Mapping[PlayerId, str]
) -> tuple[dict[str, Any], ...]:
    """Return the first matches of a bracket as they will be drafted; () before all is decided.

    ``table`` is None where a player goes on without a match.
    """
    if ahead is None or not stage_kind(ahead.plan).has_bracket or not any(ahead.players):
        return ()
    pairings = order_by_table(ahead, stage_kind(ahead.plan).next_round(ahead))
    played = [each for each in pairings if each.outcome is None and len(each.seats) > 1]
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    tables = _tables_for_pairs(facts, [each.seats for each in played], fixed)
    at = {each.number: table for each, table in zip(played, tables, strict=False)}
    return tuple(
        {
            "table": at.get(each.number),
            "players": tuple((facts.entries[one], goes.get(one, "")) for one in each.seats),
        }
        for each in pairings
    )


def _tables_for_pairs(
    facts: EventFacts, pairs: Sequence[Sequence[PlayerId]], fixed: Mapping[PlayerId, int]
) -> Sequence[int]:
    try:
        return assign_tables(pairs, fixed, parse_table_ranges(facts.event.tables))
    except RuleError:
        return ()


def _unfit_lists(
    facts: EventFacts, current: StageFacts, ahead: StageState | None
) -> dict[PlayerId, str]:
    """Return in words what is wrong with the list of who goes on and needs one; one query."""
    if ahead is None or not needs_decklists(facts.event, ahead):
        return {}
    going = next_stages(facts, current)
    entries = [facts.entries[player] for player in current.state.players if player in going]
    handed = [entry.submission_id for entry in entries if entry.submission_id is not None]
    illegal = set(
        DeckSubmission.objects.filter(pk__in=handed, decklist__legal=False).values_list(
            "pk", flat=True
        )
    )
    return {
        entry.number: _("No decklist") if entry.submission_id is None else _("Illegal decklist")
        for entry in entries
        if entry.submission_id is None or entry.submission_id in illegal
    }


def needs_decklists(event: Event, ahead: StageState) -> bool:
    """Return whether the players of a stage need decklists: required, or open to others.

    ``ahead``: the stage as it will begin.
    """
    shown = stage_audience(event.open_lists, ahead.plan.key) is not Audience.NOBODY
    return event.decklists == Event.Decklists.REQUIRED or shown


def _disclosures(
    facts: EventFacts, current: StageFacts, ahead: StageState | None
) -> Iterator[Disclosure]:
    event, stage = facts.event, current.stage
    held = withheld_rounds(event, stage, current.state, current.rounds)
    since = next((round_label(current, one) for one in current.rounds if one.pk in held), "")
    if current.kind.has_table:
        yield Disclosure(
            name=": ".join([_("Final standings"), translate(current.plan.label)]),
            words=_("Hidden since: %(round)s") % {"round": since} if since else _("Already public"),
            choice="standings" if since else "",
        )
    if ahead is not None:
        bracket = stage_kind(ahead.plan).has_bracket
        yield Disclosure(
            name=_("Bracket") if bracket else translate(ahead.plan.label),
            words=_("With the standings") if since else _("Players now, tables later"),
        )
        audience = stage_audience(event.open_lists, ahead.plan.key)
        if audience is not Audience.NOBODY:
            yield Disclosure(
                name=_("Decklists"),
                words=_("With the pairings, to all players in the stage")
                if audience is Audience.ALL
                else _("To the opponent, once pairings are published"),
                choice="lists" if will_open_lists(event, ahead.plan.key) else "",
            )
    if are_lists_open_until_close(event, stage):
        yield _lists_of_stage()


def finishing_disclosures(facts: EventFacts) -> tuple[Disclosure, ...]:
    """Return what finishing the event makes public, and what stays hidden; no query."""
    return tuple(_disclosures_of_finishing(facts))


def _disclosures_of_finishing(facts: EventFacts) -> Iterator[Disclosure]:
    event, current = facts.event, facts.open_stage
    if held := _held_until_the_end(facts):
        yield Disclosure(name=": ".join([_("Final standings"), held]), words=_("Hidden now"))
    yield Disclosure(name=_("Final standings and podium"))
    yield Disclosure(
        name=_("Transcript"),
        words=_("All results, random draws and log entries in one file"),
    )
    if event.decklists != Event.Decklists.OFF:
        yield Disclosure(
            name=_("Decklists"),
            words=_("Already public")
            if event.lists_published_at is not None
            else _("Hidden until you publish them"),
            changes=False,
        )
    if current is not None and are_lists_open_until_close(event, current.stage):
        yield _lists_of_stage()


def _lists_of_stage() -> Disclosure:
    return Disclosure(
        name=_("Decklists of this stage"),
        words=_("Hidden from the other players again"),
        changes=False,
    )


def _held_until_the_end(facts: EventFacts) -> str:
    """Return the stage whose standings are held back, closed or still open; "" without one."""
    closed, current = withheld_content(facts), facts.open_stage
    if closed is not None and closed.stage:
        return closed.stage
    if current is None or not withheld_rounds(
        facts.event, current.stage, current.state, current.rounds
    ):
        return ""
    return translate(current.plan.label)
