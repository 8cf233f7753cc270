"""What closing the open stage brings: who meets whom, what is missing, what becomes public."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.outcome import seat
from rules.errors import RuleError
from rules.results import PlayerId
from rules.stages import kind_of
from rules.stages.base import StageState
from rules.stages.table_assignment import by_table, tables_for
from rules.stages.table_ranges import table_ranges
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.held_rounds import held_rounds, held_stage
from tournaments.core.labels import round_label
from tournaments.core.open_lists import (
    Audience,
    audience_of,
    lists_held_in,
    lists_open_in,
    lists_to_hold,
)
from tournaments.core.places import known_places
from tournaments.core.round_words import the_round, the_stage
from tournaments.core.rows import AnyEntry
from tournaments.desk.selectors.cut import CutTable, cut_tables
from tournaments.models import Event
from tournaments.stages.selectors import next_stages, origins_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingMatch:
    """A match of the next stage's first round: its players, with their seeds where they have one.

    ``table`` is None where a player goes on without a match.
    """

    table: int | None
    players: tuple[tuple[AnyEntry, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """A page or list that closing a stage makes public, with to whom and when in words.

    ``choice`` is the name of the field that holds it back instead, "" where that is not possible;
    ``hold`` says what holding it means.
    """

    name: str
    words: str
    choice: str = ""
    hold: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The effects of closing the open stage, and the label of the button that does it.

    ``expected_round`` is the round that is prepared with it, 0 if none is.
    """

    tables: tuple[CutTable, ...]
    coming: str
    matches: tuple[ComingMatch, ...]
    no_list: tuple[AnyEntry, ...]
    public: tuple[Disclosure, ...]
    button: str
    expected_round: int

    @property
    def one_table(self) -> bool:
        """Return whether the stage has one table, which needs no caption."""
        return len(self.tables) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StillHeld:
    """What is held back beyond a closing: standings and decklists, by their stage, "" for none.

    ``last_ordinal`` is the latest round of the standings, ``lists_of`` the number of the lists'
    stage.
    """

    stage: str = ""
    last_ordinal: int = 0
    lists: str = ""
    lists_of: int = 0


def still_held(facts: EventFacts) -> StillHeld | None:
    """Return what is held back beyond a closing, None if nothing is; no query."""
    closed, opened, held = held_stage(facts.event, facts.rows), facts.open_stage, StillHeld()
    if closed is not None:
        stage = facts.stages[closed.number - 1]
        label, last = translate(stage.plan.label), stage.rounds[-1].ordinal
        held = replace(held, stage=label, last_ordinal=last)
    if opened is not None and lists_held_in(facts.event, opened.stage):
        held = replace(held, lists=translate(opened.plan.label), lists_of=opened.stage.number)
    return held if held != StillHeld() else None


def closing_of(facts: EventFacts) -> Closing | None:
    """Return the effects of closing the open stage, None if no stage is open.

    One query if players have left.
    """
    current = facts.open_stage
    if current is None:
        return None
    following = facts.stages[current.stage.number : current.stage.number + 1]
    ahead = _next_stage_state(facts, current, following[0]) if following else None
    tables = cut_tables(facts, current, asks=ahead is not None and lists_asked(facts.event, ahead))
    goes: dict[PlayerId, str] = {
        each.row.entry.number: each.goes for table in tables for each in (*table.rows, *table.rest)
    }
    return Closing(
        tables=tables,
        coming=_coming_heading(ahead),
        matches=_coming_matches(facts, ahead, goes),
        no_list=_without_list(facts, current, ahead),
        public=tuple(_disclosures(facts, current, ahead)),
        button=_button_words(current, ahead, facts.last_ordinal + 1),
        expected_round=facts.last_ordinal + 1 if ahead else 0,
    )


def _next_stage_state(facts: EventFacts, current: StageFacts, following: StageFacts) -> StageState:
    """Return the next stage as it would open now; its seats are vacant where undecided."""
    seats = seat(
        following.plan,
        known_places(facts),
        origins_of(facts.stages[: current.stage.number]),
    )
    return StageState(
        plan=following.plan,
        seats=seats,
        legs=following.stage.legs,
        withdrawn=current.state.withdrawn,
    )


def _button_words(current: StageFacts, ahead: StageState | None, ordinal: int) -> str:
    """Return the words of the button, which name both acts."""
    if ahead is None:
        return _("Close %(stage)s") % {"stage": the_stage(current.plan)}
    return _("Close %(stage)s and prepare %(round)s") % {
        "stage": the_stage(current.plan),
        "round": the_round(ahead, 1, ordinal),
    }


def _coming_heading(ahead: StageState | None) -> str:
    """Return the name of the next stage's first round, or of the stage if rounds have numbers."""
    if ahead is None:
        return ""
    kind = kind_of(ahead.plan)
    return translate(kind.describe_round(ahead, 1) if kind.has_bracket else ahead.plan.label)


def _coming_matches(
    facts: EventFacts, ahead: StageState | None, goes: Mapping[PlayerId, str]
) -> tuple[ComingMatch, ...]:
    """Return the first matches of a bracket as they will be drafted; () before all is decided."""
    if ahead is None or not kind_of(ahead.plan).has_bracket or not any(ahead.players):
        return ()
    pairings = by_table(ahead, kind_of(ahead.plan).next_round(ahead))
    played = [each for each in pairings if each.outcome is None and len(each.seats) > 1]
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    tables = _tables_for_pairs(facts, [each.seats for each in played], fixed)
    at = {each.number: table for each, table in zip(played, tables, strict=False)}
    return tuple(
        ComingMatch(
            table=at.get(each.number),
            players=tuple((facts.entries[one], goes.get(one, "")) for one in each.seats),
        )
        for each in pairings
    )


def _tables_for_pairs(
    facts: EventFacts, pairs: Sequence[Sequence[PlayerId]], fixed: Mapping[PlayerId, int]
) -> Sequence[int]:
    """Return the table of each pair, () where the event has too few."""
    try:
        return tables_for(pairs, fixed, table_ranges(facts.event.tables))
    except RuleError:
        return ()


def _without_list(
    facts: EventFacts, current: StageFacts, ahead: StageState | None
) -> tuple[AnyEntry, ...]:
    """Return the players who go on without the decklist that is asked for."""
    if ahead is None or not lists_asked(facts.event, ahead):
        return ()
    going = next_stages(facts, current)
    return tuple(
        facts.entries[player]
        for player in current.state.players
        if player in going and facts.entries[player].submission_id is None
    )


def lists_asked(event: Event, ahead: StageState) -> bool:
    """Return whether a stage's players need a list: the event asks for one, or others read it."""
    shown = audience_of(event.open_lists, ahead.plan.key) is not Audience.NOBODY
    return event.decklists == Event.Decklists.REQUIRED or shown


def _disclosures(
    facts: EventFacts, current: StageFacts, ahead: StageState | None
) -> Iterator[Disclosure]:
    event, stage = facts.event, current.stage
    held = held_rounds(event, stage, current.state, current.rounds)
    since = next((round_label(current, one) for one in current.rounds if one.pk in held), "")
    if current.kind.has_table:
        yield Disclosure(
            name=_("Final standings: %(stage)s") % {"stage": translate(current.plan.label)},
            words=_("held back since: %(round)s") % {"round": since}
            if since
            else _("Everybody sees them already."),
            choice="standings" if since else "",
            hold=_hold_standings(ahead) if since else "",
        )
    if ahead is not None:
        bracket = kind_of(ahead.plan).has_bracket
        yield Disclosure(
            name=_("Bracket") if bracket else translate(ahead.plan.label),
            words=_("With the standings everybody sees who is in it; tables with the pairings.")
            if since
            else _("Everybody sees at once who is in it; tables when you publish the round."),
        )
        audience = audience_of(event.open_lists, ahead.plan.key)
        if audience is not Audience.NOBODY:
            yield Disclosure(
                name=_("Decklists"),
                words=_("From the publication of the pairings each player sees those of all.")
                if audience is Audience.ALL
                else _("From the publication of the pairings each player sees the opponent’s."),
                choice="lists" if lists_to_hold(event, ahead.plan.key) else "",
                hold=_("“Hold”: no player sees these lists until you release them on the desk."),
            )
    if lists_open_in(event, stage):
        yield Disclosure(
            name=_("Decklists of this stage"),
            words=_("Its players see those of each other no more."),
        )


def _hold_standings(ahead: StageState | None) -> str:
    """Return what holding the standings of the stage means for the others, as a sentence."""
    if ahead is None:
        return _(
            "“Hold”: the others see neither these standings nor that the stage is closed, until "
            "you release them on the desk or finish the event."
        )
    return _(
        "“Hold”: the others see neither these standings nor that the stage is closed or who goes "
        "on, until you release them on the desk or publish the next round, whose pairings tell it."
    )
