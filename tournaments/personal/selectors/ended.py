"""What a player's page shows when it is over for them: figures, road, matches, what comes next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from config.wording import translate
from decks.labels import find_format_emblem
from rules.results import PlayerId, Result
from rules.scenarios import Verdict
from rules.stages.base import bracket_matches
from rules.stages.double_elimination import round_label as bracket_round
from rules.stages.knockout import match_loser, remaining_players
from rules.standings.table import ResultMark, match_mark
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.labels import (
    bye_label,
    counted_rounds,
    ending_label,
    final_label,
    format_rank,
    format_record,
    games_per_player,
    group_label,
    match_round_label,
    ordinal,
    rank_ordinal,
    round_label,
    shared_ranks,
    stage_and_round_label,
)
from tournaments.core.mapping import match_result, outcome_from_report
from tournaments.core.replays import current_table
from tournaments.core.rows import AnyEntry, EntryRow, MatchAddress, MatchRow
from tournaments.events.selectors.events import count_players
from tournaments.matches.words import TO_THE_END, player_side, score_for_side
from tournaments.models import Entry, Event, Match, Stage
from tournaments.personal.selectors.own_matches import player_matches
from tournaments.prizes.selectors import describe_prizes_won
from tournaments.standings.selectors.rank_details import cached_for_rounds, certain_verdicts
from tournaments.standings.selectors.ranking import record_beside_points
from tournaments.standings.selectors.rows import (
    FEW,
    LatestStanding,
    StandingRow,
    StandingsColumn,
    as_of_text,
    columns,
    latest_standing,
    latest_standing_in_group,
    standing_rows,
)

NEAR = 2
"""Rows shown before and after the player's own in a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStanding:
    """A player's row of their latest standings, and the rows around it.

    ``caption``: label of the stage or group; ``first``: column of the first tiebreaker; ``after``:
    label of the last round that counts, "" if all count; ``open``: one of them is still being
    played; ``held``: later standings are hidden.
    """

    caption: str
    first: StandingsColumn
    row: StandingRow
    rows: tuple[StandingRow, ...]
    after: str
    open: bool
    held: bool

    @property
    def table(self) -> str:
        """Return which table it is, with the round after which it stood so: "Swiss · Round 4"."""
        return stage_and_round_label(self.caption, self.after)

    @property
    def rank(self) -> str:
        """Return the player's rank as a figure."""
        return format_rank(self.row.rank, shared=self.row.shared)

    @property
    def ordinal(self) -> str:
        """Return the player's rank as an ordinal."""
        return rank_ordinal(self.row.rank, shared=self.row.shared)


def own_standing(facts: EventFacts, entry: Entry) -> OwnStanding | None:
    """Return a player's row of their latest standings with its neighbours; no query.

    None before a result.
    """
    told = latest_standing(facts, entry.number)
    return _standing(facts, told, entry) if told is not None else None


def _standing(facts: EventFacts, told: LatestStanding, entry: Entry) -> OwnStanding:
    stage, last = told.stage, told.rounds.last

    def make() -> tuple[StandingRow, ...]:
        earlier = last is not None
        return standing_rows(facts, stage, told.standings, across=False, earlier=earlier)

    key = ("rows", stage.stage.pk, told.group, get_language())
    if last is None:
        rows = cached_value(facts, key, make)
    else:
        rows = cached_for_rounds(facts, stage, told.rounds.count, key, make)
    index = next(i for i, row in enumerate(rows) if row.entry.number == entry.number)
    counted = counted_rounds(stage) if stage.held else []
    after = last or (counted[-1] if counted else None)
    near = rows if len(rows) <= FEW else rows[max(0, index - NEAR) : index + NEAR + 1]
    return OwnStanding(
        caption=group_label(stage.plan, told.group),
        first=columns(facts)[0],
        row=rows[index],
        rows=near,
        after=round_label(stage, after) if after is not None else "",
        open=told.rounds.open,
        held=bool(stage.held),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match in a player's list of matches.

    ``mark`` is None while the match is open; ``words`` then tell its state. ``others`` are the
    opponents; ``seat`` is the player's at a multiplayer table, else 0. ``score`` has the player's
    side first. ``at`` addresses the match's page, None for a bye.
    """

    stage: str
    round: str
    others: tuple[EntryRow, ...]
    seat: int
    mark: ResultMark | None
    score: str
    words: str
    table: int | None
    open: bool
    at: MatchAddress | None

    @property
    def where(self) -> str:
        """Return stage and round in words."""
        return stage_and_round_label(self.stage, self.round)

    @property
    def as_marks(self) -> tuple[ResultMark, ...]:
        """Return the mark as a tuple for the tag ``form``, empty while the match is open."""
        return (self.mark,) if self.mark else ()


def match_lines(facts: EventFacts, entry: AnyEntry) -> tuple[MatchLine, ...]:
    """Return a player's list of matches in the order of play; no query."""
    entries_by_pk = facts.entries_by_pk
    return tuple(
        _line(facts, *found, entry, entries_by_pk) for found in player_matches(facts, entry)
    )


def _line(
    facts: EventFacts,
    stage: StageFacts,
    match: MatchRow,
    entry: AnyEntry,
    entries_by_pk: Mapping[int, EntryRow],
) -> MatchLine:
    side = player_side(entry, match)
    others = tuple(entries_by_pk[key] for key in match.seats if key != entry.pk)
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    final = match.state == Match.State.FINAL
    mark = (
        match_mark(match_result(match, item.number, facts.numbers), entry.number) if final else None
    )
    decided = match.decision if final and others else None
    played = outcome_from_report(decided, match.size) if decided and match.size < 3 else None
    return MatchLine(
        stage=translate(stage.plan.label),
        round=match_round_label(stage, item, match),
        others=others,
        seat=match.seats.index(entry.pk) + 1 if match.size > 2 else 0,
        mark=mark,
        score=score_for_side(played, side) if played else _place(match, entry),
        words=_words(match, mark, alone=not others)
        or (ending_label(played.ended_by) if played and played.ended_by not in TO_THE_END else ""),
        table=current_table(stage, item, match),
        open=not final,
        at=(item.ordinal, match.number) if others else None,
    )


def _place(match: MatchRow, entry: AnyEntry) -> str:
    """Return the place of a player at a multiplayer table whose result counts."""
    decision = match.decision if match.state == Match.State.FINAL else None
    places = decision.places if decision else None
    place = places[match.seats.index(entry.pk)] if places else None
    return ordinal(place) if place else ""


def _words(match: MatchRow, mark: ResultMark | None, *, alone: bool) -> str:
    if match.state == Match.State.FINAL:
        if alone:
            return bye_label(match.decision)
        return "" if mark else _("does not count")
    if match.state == Match.State.DISPUTED:
        return _("a judge decides")
    return _("Reported") if match.state == Match.State.REPORTED else _("Playing")


AHEAD, NOW, DONE, SKIPPED, LOST = "ahead", "now", "done", "skipped", "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """A stage in a player's path through the event.

    ``state`` is AHEAD, NOW, DONE or SKIPPED, or LOST for a knock-out round. ``rank`` is the rank in
    a stage with standings, "" before a result.
    """

    label: str
    state: str
    words: str
    rank: str = ""


def player_path(facts: EventFacts, number: PlayerId) -> Iterator[PathStep]:
    """Yield the stages of a player's path, with their results; none before the start.

    No query.
    """
    ranked = {player for level in facts.ranking for player in level}
    out = number in ranked or _surely_out(facts, number)
    for stage in facts.stages:
        label = translate(stage.plan.label)
        if has_seat_in(stage, number):
            yield _step_of(facts, stage, number, label)
        elif stage.stage.state != Stage.State.PENDING or out:
            yield PathStep(label=label, state=SKIPPED, words=_("not played"))
        elif not facts.entries[number].plays:
            yield PathStep(label=label, state=SKIPPED, words="")
        else:
            yield PathStep(label=label, state=AHEAD, words=_("To come"))


def _surely_out(facts: EventFacts, number: PlayerId) -> bool:
    """Return whether it is certain, as far as readers are told, that a player goes on nowhere."""
    stage = facts.open_stage
    for group, standings in stage.outcome.standings.items() if stage else ():
        if stage is not None and number in stage.state.seats[group]:
            found = certain_verdicts(facts, stage, group, standings)
            return found.get(number) is Verdict.OUT
    return False


def finished_player_path(facts: EventFacts, number: PlayerId) -> Iterator[PathStep]:
    """Yield the path of a player who has nothing more to play; no query.

    A knock-out is split into its rounds.
    """
    for stage, step in zip(facts.stages, player_path(facts, number), strict=True):
        if stage.kind.has_bracket and not stage.kind.two_brackets and has_seat_in(stage, number):
            yield from map(_closed, _rounds_of_knockout(stage, number))
        else:
            yield _closed(step)


def _closed(step: PathStep) -> PathStep:
    closed = {AHEAD: SKIPPED, NOW: DONE}.get(step.state)
    return PathStep(label=step.label, state=closed, words="") if closed else step


def _rounds_of_knockout(stage: StageFacts, number: PlayerId) -> Iterator[PathStep]:
    lost = False
    for index in range(1, stage.total_rounds + 1):
        played = stage.state.rounds[index - 1] if index <= len(stage.state.rounds) else ()
        own = next(((p, r) for p, r in played if number in p.seats), None)
        if own is None:
            label = translate(stage.kind.describe_round(stage.state, index))
            out = lost or bool(played)
            words = _("not played") if out and not lost else ""
            yield PathStep(label=label, state=SKIPPED if out else AHEAD, words=words)
            continue
        pairing, result = own
        lost = result.counts and number == match_loser(result)
        state = LOST if lost else DONE if result.is_played else NOW
        label = _round_in_bracket(stage, index, pairing.number)
        yield PathStep(label=label, state=state, words=_how_it_went(result, number))


def _how_it_went(result: Result, number: PlayerId) -> str:
    if len(result.seats) == 1:
        return pgettext("of a match", "bye")
    made = games_per_player(result.games_won) if result.games_won else result.score
    if made is None or not result.counts:
        return ""
    own, other = made if result.seats[0] == number else made[::-1]
    return f"{own}–{other}"


def has_seat_in(stage: StageFacts, number: PlayerId) -> bool:
    """Return whether a player has a seat in a stage; False before the stage begins."""
    return any(number in seats for seats in stage.state.seats.values())


def _step_of(facts: EventFacts, stage: StageFacts, number: PlayerId, label: str) -> PathStep:
    open_ = stage.stage.state == Stage.State.OPEN
    if stage.kind.has_bracket:
        going = open_ and number in remaining_players(stage.state)
        state = NOW if going else DONE
        return PathStep(label=label, state=state, words=_in_bracket(stage, number))
    group = next(name for name, seats in stage.state.seats.items() if number in seats)
    name = group_label(stage.plan, group) if len(stage.plan.groups) > 1 else ""
    told = latest_standing_in_group(facts, stage, group, number)
    figure, rank, as_of = "", "", ""
    if told is not None:
        own = told.row.rank
        shared = own in shared_ranks(told.standings)
        figure, rank = format_rank(own, shared=shared), rank_ordinal(own, shared=shared)
        as_of = as_of_text(told.rounds)
    return PathStep(
        label=label,
        state=NOW if open_ else DONE,
        words=", ".join(filter(None, (rank, name, as_of))),
        rank=figure,
    )


def _in_bracket(stage: StageFacts, number: PlayerId) -> str:
    """Return the last round of a player in a bracket, and how it ended."""
    met = [
        (index, pairing.number, result)
        for index, played in enumerate(stage.state.rounds, start=1)
        for pairing, result in played
        if number in pairing.seats
    ]
    if not met:
        return ""
    index, match, result = met[-1]
    in_words = _round_in_bracket(stage, index, match)
    if stage.plan.survivors > 1:  # whose rounds have the stage in their name
        in_words = _("Round %(number)s") % {"number": index}
    if not result.counts:
        return in_words
    lost = number == match_loser(result)
    how = pgettext("of a player", "lost") if lost else pgettext("of a player", "won")
    return f"{in_words}: {how}"


def _round_in_bracket(stage: StageFacts, index: int, match: int) -> str:
    """Return the label of a match's round, the ``index``-th of its stage."""
    if stage.kind.two_brackets:
        found = next(each for each in bracket_matches(stage.plan) if each.number == match)
        return translate(bracket_round(stage.plan, found))
    words = stage.kind.describe_round(stage.state, index)
    return final_label(stage.plan, match) or translate(words)


A_MINUTE = 60
READ = 8
"""Events read to find two that take players."""


def finished_summary(facts: EventFacts, entry: Entry) -> dict[str, Any]:
    """Return the summary of an event that is over for a player; no query.

    Keys: ``figures``: (value, label); ``prize``; ``road``: steps of the player's path; ``matches``,
    latest first; ``fate``: a sentence on where the player who beat them plays now, or "".
    """
    lines = match_lines(facts, entry)
    return {
        "figures": tuple(_figures(facts, entry, lines)),
        "prize": describe_prizes_won(facts, entry.number),
        "road": tuple(finished_player_path(facts, entry.number)),
        "matches": lines[::-1],
        "fate": _fate_of_winner(facts, entry),
    }


def _figures(
    facts: EventFacts, entry: Entry, lines: Sequence[MatchLine]
) -> Iterator[tuple[str, str]]:
    moment = ""
    if entry.number in facts.entries:
        record, moment = record_beside_points(facts, entry.number)
        yield format_record(record), ", ".join(filter(None, (_("Wins – losses – draws"), moment)))
    yield str(sum(bool(line.others) for line in lines)), _("Matches")
    if byes := sum(line.mark is ResultMark.BYE for line in lines):
        yield str(byes), _("Byes")  # counted as won above
    standing = own_standing(facts, entry)
    if standing is not None and standing.row.values:
        yield standing.row.values[0], f"{standing.first.label}, {standing.table}"


def _fate_of_winner(facts: EventFacts, entry: Entry) -> str:
    """Return where whoever beat the player last plays now, as a sentence; "" for nobody."""
    mine = player_matches(facts, entry)
    if not mine or not mine[-1][0].kind.has_bracket:
        return ""
    rival = next((key for key in mine[-1][1].seats if key != entry.pk), None)
    entries_by_pk = facts.entries_by_pk
    if rival is None or rival not in entries_by_pk:
        return ""
    theirs = player_matches(facts, entries_by_pk[rival])
    if not theirs or theirs[-1][1].state == Match.State.FINAL:
        return ""
    stage, match = theirs[-1]
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    values = {
        "name": entries_by_pk[rival].display_name,
        "round": match_round_label(stage, item, match),
    }
    return _("%(name)s is still playing: %(round)s.") % values


def next_event(event: Event) -> dict[str, Any] | None:
    """Return another listed event of the site that is open for registration, None without.

    Two queries, cached for a minute for all readers.
    """
    found: list[dict[str, Any]] | None = cache.get("next-events")
    if found is None:
        found = _coming()
        cache.set("next-events", found, A_MINUTE)
    return next((one for one in found if one["slug"] != event.slug), None)


def _coming() -> list[dict[str, Any]]:
    """Return the first events that take players and are still to begin."""
    now = timezone.now()
    listed = Event.objects.listed().filter(state=Event.State.REGISTRATION, starts_at__gt=now)
    found = list(readable_rows(listed.order_by("starts_at", "pk")[:READ]))
    count_players(found)
    return [one for one in map_readable_rows(found, _next_event) if one is not None][:2]


def _next_event(event: Event) -> dict[str, Any] | None:
    """An event whose registration is open; ``left`` is the number of free places, None for any."""
    if event.registration_opens_later or event.is_past_registration_close:
        return None
    taken: int = event.players  # type: ignore[attr-defined]
    left = None if event.capacity is None else max(0, event.capacity - taken)
    return {
        "slug": event.slug,
        "name": event.name,
        "look": find_format_emblem(event.format_key),
        "begins": event.begins,
        "time_zone": event.time_zone,
        "left": left,
    }
