"""What the staff or lots decided about a player: a seat given away, a result that they changed.

A penalty is read by its player and the staff alone; whoever played against them reads what became
of the match.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import format_moment, translate
from rules.events.own_page import ExclusionReason
from rules.results import MatchEnding, PlayerId
from tournaments.core.event_state import EventFacts, StageFacts, cached_by_sources, cached_value
from tournaments.core.kept_places import (
    reassigned_places,
    reassignment_log_line,
    reassignment_texts,
    seat_for_place,
)
from tournaments.core.labels import bye_label, group_label, match_round_label
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow
from tournaments.corrections.selectors.choices import next_seat_replacement
from tournaments.matches.words import (
    COUNTED,
    find_earlier_result,
    match_seat_names,
    may_have_earlier_report,
    player_side,
)
from tournaments.models import Draw, Entry, Event, LogLine, Match, Penalty, Report, Stage
from tournaments.personal.selectors.beside import LoggedCorrection, own_page_data
from tournaments.personal.selectors.own_matches import own_result_text, player_matches


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffDecision:
    """A staff decision about a player; ``line`` is a sentence, ``when`` a time as text."""

    line: str
    reason: str = ""
    when: str = ""

    @property
    def told(self) -> str:
        """Return the sentence with the moment and the reason."""
        reason = _("Reason: %(reason)s") % {"reason": self.reason} if self.reason else ""
        when = f"({self.when})" if self.when else ""
        return " ".join(filter(None, (self.line, when, reason)))


MANY = "entry.withdrawn_many"
"""The absent, or those without a list, withdrawn at the door."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedDrop:
    """When a player's drop was recorded, as text with the name of the staff member.

    The name is left out if players dropped themselves. ``taken_out``: the staff dropped them, at
    check-in or as a no-show; ``absent``: as a no-show.
    """

    words: str
    taken_out: bool = False
    absent: bool = False


def logged_drop(facts: EventFacts, entry: Entry) -> LoggedDrop | None:
    """Return when and by whom a player's drop was recorded, None if it wasn't; one query."""
    event = facts.event
    of_one = Q(action="entry.withdraw", after__number=entry.number)
    lines = LogLine.objects.filter(of_one | Q(action=MANY), event=event).select_related("by")
    of_this = (
        line
        for line in lines.order_by("-number")
        if line.action != MANY or entry.number in line.after["numbers"]
    )
    line = next(of_this, None)
    if line is None:
        return None
    when = format_event_time(event, line.at)
    by_account = line.by_id is not None and line.by_id == entry.user_id
    if line.by_entry_id == entry.pk or by_account:
        return LoggedDrop(words=when)
    row = facts.entries.get(entry.number)
    begun = event.started_at is not None and line.at >= event.started_at
    absent = begun and row is not None and row.departure == Entry.Left.NO_SHOW
    return LoggedDrop(
        words=f"{when}, {line.by or line.by_name}",
        taken_out=absent or line.action == MANY,
        absent=absent,
    )


def disqualification_reason(facts: EventFacts, entry: Entry) -> str:
    """Return the reason of a player's disqualification, "" if unknown.

    It is the penalty's infraction, else the reason in the log (one query).
    """
    for penalty in own_page_data(facts).penalties.get(entry.pk, ()):
        if penalty.level == Penalty.Level.DISQUALIFICATION:
            return penalty.infraction
    lines = LogLine.objects.filter(event=facts.event, action="entry.disqualify")
    found = lines.filter(after__number=entry.number).order_by("-number")
    return found.values_list("reason", flat=True).first() or ""


def name_of_dropped_predecessor(facts: EventFacts, entry: Entry) -> str:
    """Return the name of a dropped player whose seat this player may get next, or "".

    "" too once the player has been seated. No query.
    """
    found = cached_value(facts, "next_in_line", lambda: next_seat_replacement(facts))
    if found is None or found.comes is None or found.comes.number != entry.number:
        return ""
    name: str = found.gone.display_name
    return name


def format_event_time(event: Event, moment: datetime | None) -> str:
    """Return a time as "15:12"; with the date if it isn't the event's day; "" for None."""
    if moment is None:
        return ""
    local = moment.astimezone(event.zone)
    if local.date() == event.begins.date():
        return format_moment(local, "time")
    return format_moment(local, "short" if local.year == event.begins.year else "all")


NOT_BY_PLAYERS = (Report.Kind.DECISION, Report.Kind.AUTOMATIC)
TOLD_FOR = 2
"""The rounds of a player, published after a change, from the last of which it is told no more."""


def result_changes(facts: EventFacts, entry: AnyEntry) -> Iterator[StaffDecision]:
    """Yield staff decisions on a player's matches: awarded games, and changed results.

    A change is shown until two later rounds with the player are published. One query if a result
    replaced another.
    """
    entries_by_pk = facts.entries_by_pk
    mine = player_matches(facts, entry)
    for stage, match in mine:
        if _gives_a_game(facts, entry, match):
            words = _("%(match)s: a judge awarded you a game.")
            yield StaffDecision(
                line=words % {"match": _match_label(stage, match, entry, entries_by_pk)}
            )
    decided = {match.pk: (stage, match) for stage, match in mine if _came_later(match)}
    told: dict[int, list[Report]] = defaultdict(list)
    if decided:
        for report in Report.objects.filter(match__in=decided).order_by("version"):
            told[report.match_id].append(report)
    since = _told_since(facts, mine)
    latest = [(told[key][-1], key) for key in decided if since is None or told[key][-1].at >= since]
    for last, key in sorted(latest, key=lambda each: (each[0].at, each[0].pk), reverse=True):
        yield from _change(facts, *decided[key], entry, last, told[key], entries_by_pk)


def _told_since(facts: EventFacts, mine: Sequence[tuple[StageFacts, MatchRow]]) -> datetime | None:
    """Return when the first of the last two rounds of a player was published, None before."""
    own = {match.round_id for _stage, match in mine}
    out = sorted(each.published_at for each in facts.rounds if each.pk in own and each.published_at)
    return out[-TOLD_FOR] if len(out) >= TOLD_FOR else None


def deleted_rounds(facts: EventFacts, number: PlayerId) -> Iterator[StaffDecision]:
    """Yield decisions that deleted rounds of a player's stage.

    They are shown until a round of that number is public again. No query beyond ``own_page_data``.
    """
    stage = facts.open_stage
    if stage is None or number not in stage.state.players:
        return
    for line in own_page_data(facts).decided:
        gone = line.deleted_rounds
        if gone and line.stage == stage.stage.key and facts.last_ordinal < gone[0]:
            words = _("Rounds removed by the staff: %(rounds)s.")
            words %= {"rounds": ", ".join(map(str, gone))}
            yield StaffDecision(line=words, when=format_event_time(facts.event, line.at))


def _gives_a_game(facts: EventFacts, entry: AnyEntry, match: MatchRow) -> bool:
    if match.state == Match.State.FINAL or match.size != 2:
        return False
    return any(
        penalty.level == Penalty.Level.GAME_LOSS and penalty.match_id == match.pk
        for key in match.seats
        if key != entry.pk
        for penalty in own_page_data(facts).penalties.get(key, ())
    )


def _came_later(match: MatchRow) -> bool:
    """Return whether a result counts, of which something else may have been told before."""
    decision = match.decision if match.state == Match.State.FINAL else None
    if decision is None or match.size < 2 or decision.ended_by == MatchEnding.VOID:
        return False
    return may_have_earlier_report(match, match.version)


def _change(
    facts: EventFacts,
    stage: StageFacts,
    match: MatchRow,
    entry: AnyEntry,
    last: Report,
    reports: Sequence[Report],
    entries_by_pk: Mapping[int, EntryRow],
) -> Iterator[StaffDecision]:
    """Yield that the staff gave a match another result than the one that was told before."""
    before = find_earlier_result(match, last.version, reports)
    if before is None:
        return
    counted = before.kind in COUNTED
    # What is undone or lifted restores what had counted, which may have been a confirmation.
    restored = counted and {before.kind, last.kind} & {*NOT_BY_PLAYERS}
    if last.kind != Report.Kind.DECISION and not restored:
        return
    names, side = match_seat_names(match, entries_by_pk), player_side(entry, match)
    now, was = own_result_text(last, names, side), own_result_text(before, names, side)
    if now == was:
        return
    values = {"match": _match_label(stage, match, entry, entries_by_pk), "now": now, "before": was}
    words = _("%(match)s, changed by the staff: %(now)s. Before: %(before)s.")
    yield StaffDecision(line=words % values, when=format_event_time(facts.event, last.at))


def _match_label(
    stage: StageFacts, match: MatchRow, entry: AnyEntry, entries_by_pk: Mapping[int, EntryRow]
) -> str:
    """Return a match of a player by its round and opponents: "Round 4 · Anna Rossi"."""
    others = ", ".join(entries_by_pk[key].display_name for key in match.seats if key != entry.pk)
    return f"{_round_label(stage, match)} · {others}"


def _round_label(stage: StageFacts, match: MatchRow) -> str:
    item = next(item for item in stage.rounds if item.pk == match.round_id)
    return match_round_label(stage, item, match)


CLOSED = Stage.State.CLOSED


def find_exclusion_reason(facts: EventFacts, number: PlayerId) -> ExclusionReason:
    """Return the kind of staff decision or random draw that excludes a player, or NOT.

    It doesn't tell whether they still play elsewhere. No query beyond ``own_page_data``.
    """
    found = _given_away(facts, number)
    if found is not None:
        return ExclusionReason.TAKEN_OUT if found.taken_out == number else ExclusionReason.SEAT
    if _kept_from(facts, number) is not None:
        return ExclusionReason.SEAT
    return ExclusionReason.LOTS if _lost_lots(facts, number) is not None else ExclusionReason.NOT


def staff_decisions(
    facts: EventFacts, entry: AnyEntry, *, plays: bool
) -> tuple[StaffDecision, ...]:
    """Return the staff's decisions about a player.

    Unless the player ``plays`` on, the decision that excludes them comes first. No query beyond
    ``own_page_data``; one each for void matches, a seat given to others, and changed results.
    """
    number = entry.number
    given = _given_away(facts, number)
    if given is not None:
        first = [_seat_given(facts, given, number)]
    else:
        first = [] if plays else list(_why_out(facts, number))
    seats = _seats_now(facts, number) if plays else ()
    kept = (
        () if first else (StaffDecision(line=words) for words in reassignment_texts(facts, number))
    )
    changed = (*deleted_rounds(facts, number), *result_changes(facts, entry))
    return (*first, *kept, *seats, *_matches_gone(facts, entry), *changed)


def _why_out(facts: EventFacts, number: PlayerId) -> Iterator[StaffDecision]:
    """Yield why a player is out whose seat was not given away: one kept from them, or lots."""
    event = facts.event
    if (kept := _kept_from(facts, number)) is not None:
        stage, place, holder = kept
        seat, decided = seat_for_place(facts, stage, place), reassignment_log_line(facts, place)
        yield StaffDecision(
            line=_seat_gone(facts, holder, _where(*seat) if seat else ""),
            reason=decided.reason if decided else "",
            when=format_event_time(event, decided.at if decided else None),
        )
    elif (lost := _lost_lots(facts, number)) is not None:
        draw, on = lost
        names = ", ".join(facts.entries[player].display_name for player in on)
        words = _("You were tied; a random draw decided who advanced: %(names)s.")
        yield StaffDecision(
            line=words % {"names": names}, when=format_event_time(event, draw.drawn_at)
        )


def _seat_gone(facts: EventFacts, to: PlayerId, where: str) -> str:
    values = {"name": facts.entries[to].display_name, "where": where}
    return _("The staff gave your place to %(name)s (%(where)s).") % values


def _where(stage: StageFacts, group: str) -> str:
    """Return a group as a label, of a stage of one group the stage's name."""
    if len(stage.plan.groups) > 1:
        return group_label(stage.plan, group)
    return translate(stage.plan.label)


def _given_away(facts: EventFacts, number: PlayerId) -> LoggedCorrection | None:
    """Return the latest decision that gave a player's seat to somebody else, None if they sit."""
    for line in reversed(own_page_data(facts).decided):
        lost = any(seat["out"] == number and seat["in"] is not None for seat in line.seats)
        if not lost and line.taken_out != number:
            continue
        stage = _stage_of(facts, line)
        taken_out = line.taken_out == number and not facts.entries[number].plays
        # A stage that was taken back is to come and has no seats.
        sit = chain.from_iterable(stage.state.seats.values()) if stage else ()
        if taken_out or number not in sit:
            return line
    return None


def _stage_of(facts: EventFacts, line: LoggedCorrection) -> StageFacts | None:
    """Return the stage of which a decision tells, None if there is none of its key any more."""
    return next((each for each in facts.stages if each.stage.key == line.stage), None)


def _reason_of(line: LoggedCorrection) -> str:
    return pgettext("log", "Undone") if line.undoes else line.reason


def _seat_given(facts: EventFacts, line: LoggedCorrection, number: PlayerId) -> StaffDecision:
    stage = _stage_of(facts, line)
    seat = line.seat_left(number)
    came = line.came_for(number)
    words = _("The staff removed you from this event")
    if seat is not None and came is not None and stage is not None:
        words = _seat_gone(facts, came, _where(stage, seat["group"]))
    when = format_event_time(facts.event, line.at)
    return StaffDecision(line=words, reason=_reason_of(line), when=when)


def _seats_now(facts: EventFacts, number: PlayerId) -> Iterator[StaffDecision]:
    """Yield that a correction gave a player another seat of a stage that is still played."""
    for line in own_page_data(facts).decided:
        stage = _stage_of(facts, line)
        seats = stage.state.seats.items() if stage and stage.stage.state != CLOSED else ()
        now = next((group for group, players in seats if number in players), None)
        if stage is None or now is None:
            continue
        left = line.seat_left(number)
        taken = next((each for each in line.seats if each["in"] == number), None)
        moved = left is not None and left["group"] != now
        if moved or (left is None and taken is not None and taken["group"] == now):
            words = _("You now play in: %(where)s.") % {"where": _where(stage, now)}
            when = format_event_time(facts.event, line.at)
            yield StaffDecision(line=words, reason=_reason_of(line), when=when)


def _kept_from(facts: EventFacts, number: PlayerId) -> tuple[StageFacts, str, PlayerId] | None:
    """Return the place that somebody else holds though it is the player's, and who holds it."""
    for stage in facts.stages:
        given = (*stage.state.rounds, *stage.state.tiebreaker_rounds)
        make = partial(tuple, reassigned_places(stage))
        for place, holder, belongs in cached_by_sources(
            facts, (stage.stage.pk, "kept"), given, make
        ):
            if belongs == number:
                return stage, place, holder
    return None


def _lost_lots(facts: EventFacts, number: PlayerId) -> tuple[Draw, tuple[PlayerId, ...]] | None:
    """Return the random draw that left a player behind others, and these; None without one."""
    for stage in reversed(facts.stages):
        if stage.stage.state == Stage.State.PENDING or number not in stage.state.players:
            continue
        if any(number in extra.level for extra in stage.state.tiebreaker_rounds):
            return None
        places = stage.advanced.places
        on = {player for place, player in places.items() if place in stage.used}
        lots = [draw for draw in facts.rows.lots if draw.stage_id == stage.stage.pk]
        last = next((draw for draw in reversed(lots) if number in draw.entrants), None)
        if last is None or number in on or stage.held:
            return None
        ahead = tuple(player for player in last.order if player in on)
        return (last, ahead) if ahead else None
    return None


def _matches_gone(facts: EventFacts, entry: AnyEntry) -> Iterator[StaffDecision]:
    """Yield the matches of a player that are void, and those that have other players now.

    That the opponent is another one is told until the match is decided, that a match is somebody
    else's until its stage is closed.
    """
    void = [found for found in player_matches(facts, entry) if _is_void(found[1])]
    keys = [match.decision.pk for _stage, match in void if match.decision]
    reports = Report.objects.in_bulk(keys) if keys else {}
    for stage, match in void:
        report = reports.get(match.decision.pk) if match.decision else None
        if report and report.kind == Report.Kind.AUTOMATIC and report.version == 1:
            continue  # void by rule before it was played
        yield _void(
            facts, stage, match, _match_label(stage, match, entry, facts.entries_by_pk), report
        )
    for stage, match, seats in _handed_over(facts):
        now = [facts.numbers[key] for key in match.seats]
        if entry.number not in seats or {*now} == {*seats}:
            continue
        stays = entry.pk in match.seats
        if not (match.state == Match.State.FINAL if stays else stage.stage.state == CLOSED):
            yield _passed_on(facts, stage, match, entry.number, seats)


def _is_void(match: MatchRow) -> bool:
    decision = match.decision if match.state == Match.State.FINAL else None
    return decision is not None and decision.ended_by == MatchEnding.VOID and match.size > 1


def _void(
    facts: EventFacts, stage: StageFacts, match: MatchRow, label: str, report: Report | None
) -> StaffDecision:
    struck = [
        facts.entries[facts.numbers[key]].display_name
        for key in match.seats
        if facts.numbers[key] in stage.state.struck
    ]
    reason = report.note if report else ""
    if struck and not reason:
        reason = _("Removed from the group: %(names)s") % {"names": ", ".join(struck)}
    words = _("%(match)s: this match is void.") % {"match": label}
    return StaffDecision(
        line=words,
        reason=reason,
        when=format_event_time(facts.event, report.at if report else None),
    )


def _passed_on(
    facts: EventFacts,
    stage: StageFacts,
    match: MatchRow,
    number: PlayerId,
    seats: tuple[PlayerId, ...],
) -> StaffDecision:
    """Return that others play a match of the player now, or that the opponents are others."""
    item = next(item for item in stage.rounds if item.pk == match.round_id)
    others = [facts.entries[one].display_name for one in seats if one != number]
    now = [facts.numbers[key] for key in match.seats]
    came = [facts.entries[one].display_name for one in now if one not in seats]
    lines = reversed(own_page_data(facts).decided)
    line = next((each for each in lines if (item.ordinal, match.number) in each.matches), None)
    if number in now and others and came:
        label = _round_label(stage, match)
        words = _("%(match)s: your opponent is now %(names)s.")
    else:
        label = " · ".join((_round_label(stage, match), ", ".join(others) or bye_label(None)))
        words = _("%(match)s: you are no longer in this match.")
    return StaffDecision(
        line=words % {"match": label, "names": ", ".join(came)},
        reason=_reason_of(line) if line else "",
        when=format_event_time(facts.event, line.at) if line else "",
    )


Handed = tuple[StageFacts, MatchRow, tuple[PlayerId, ...]]


def _handed_over(facts: EventFacts) -> tuple[Handed, ...]:
    """Return the matches that a correction gave to others, with who had them last; no query."""

    def make() -> tuple[Handed, ...]:
        return tuple(
            (stage, match, tuple(json.loads(match.earlier_text)[-1]["seats"]))
            for stage in facts.stages
            for match in stage.matches
            if match.earlier_text != "[]"
        )

    return cached_value(facts, "handed_over", make)
