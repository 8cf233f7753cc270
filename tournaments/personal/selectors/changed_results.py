"""What the staff changed of a player's results, for the player to read: never why.

A penalty is read by its player and the staff alone; whoever played against them reads what became
of the match.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.results import EndedBy, PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.round_words import of_the_round
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow
from tournaments.matches.earlier_results import COUNTED, may_have_earlier, result_before
from tournaments.matches.words import names_at, side_of
from tournaments.models import Match, Penalty, Report
from tournaments.personal.selectors.beside import beside
from tournaments.personal.selectors.departure import moment_words
from tournaments.personal.selectors.own_matches import matches_of, own_words

NOT_BY_PLAYERS = (Report.Kind.DECISION, Report.Kind.AUTOMATIC)
TOLD_FOR = 2
"""The rounds of a player, published after a change, from the last of which it is told no more."""


def result_changes(facts: EventFacts, entry: AnyEntry) -> Iterator[str]:
    """Yield what the staff decided of a player's matches, the latest first.

    Games that a penalty of the opponent gives in an open match, and results that they changed, of
    whatever round, until the second round that the player is in since then is published. No query
    beyond ``beside``; one where a result came after another.
    """
    by_key = {each.pk: each for each in facts.entries.values()}
    mine = matches_of(facts, entry)
    for stage, match in mine:
        if _gives_a_game(facts, entry, match):
            words = _(
                "By decision of the staff a game of your match %(round)s against %(names)s is "
                "yours."
            )
            names = _others(match, entry, by_key)
            yield words % {"round": of_round(stage, match), "names": names}
    decided = {match.pk: (stage, match) for stage, match in mine if _came_later(match)}
    told: dict[int, list[Report]] = defaultdict(list)
    if decided:
        for report in Report.objects.filter(match__in=decided).order_by("version"):
            told[report.match_id].append(report)
    since = _told_since(facts, mine)
    latest = [(told[key][-1], key) for key in decided if since is None or told[key][-1].at >= since]
    for last, key in sorted(latest, key=lambda each: (each[0].at, each[0].pk), reverse=True):
        yield from _change(facts, *decided[key], entry, last, told[key], by_key)


def _told_since(facts: EventFacts, mine: Sequence[tuple[StageFacts, MatchRow]]) -> datetime | None:
    """Return when the first of the last two rounds of a player was published, None before."""
    own = {match.round_id for _stage, match in mine}
    out = sorted(each.published_at for each in facts.rounds if each.pk in own and each.published_at)
    return out[-TOLD_FOR] if len(out) >= TOLD_FOR else None


def rounds_gone(facts: EventFacts, number: PlayerId) -> Iterator[str]:
    """Yield which rounds of a player's stage were taken back, until one is public again.

    No query beyond ``beside``.
    """
    stage = facts.open_stage
    if stage is None or number not in stage.state.players:
        return
    for line in beside(facts).decided:
        gone = line.rounds_gone
        if gone and line.stage == stage.stage.key and facts.last_ordinal < gone[0]:
            words = ngettext(
                "The staff took round %(rounds)s back %(when)s: what was played there counts no "
                "more.",
                "The staff took rounds %(rounds)s back %(when)s: what was played there counts no "
                "more.",
                len(gone),
            )
            values = {"rounds": ", ".join(map(str, gone))}
            yield words % (values | {"when": moment_words(facts.event, line.at)})


def _gives_a_game(facts: EventFacts, entry: AnyEntry, match: MatchRow) -> bool:
    """Return whether the opponent of an open match has a game loss in it."""
    if match.state == Match.State.FINAL or match.size != 2:
        return False
    return any(
        penalty.level == Penalty.Level.GAME_LOSS and penalty.match_id == match.pk
        for key in match.seats
        if key != entry.pk
        for penalty in beside(facts).penalties.get(key, ())
    )


def _came_later(match: MatchRow) -> bool:
    """Return whether a result counts, of which something else may have been told before."""
    decision = match.decision if match.state == Match.State.FINAL else None
    if decision is None or match.size < 2 or decision.ended_by == EndedBy.VOID:
        return False
    return may_have_earlier(match, match.version)


def _change(
    facts: EventFacts,
    stage: StageFacts,
    match: MatchRow,
    entry: AnyEntry,
    last: Report,
    reports: Sequence[Report],
    by_key: Mapping[int, EntryRow],
) -> Iterator[str]:
    """Yield that the staff gave a match another result than the one that was told before."""
    before = result_before(match, last.version, reports)
    if before is None:
        return
    counted = before.kind in COUNTED
    # What is undone or lifted restores what had counted, which may have been a confirmation.
    restored = counted and {before.kind, last.kind} & {*NOT_BY_PLAYERS}
    if last.kind != Report.Kind.DECISION and not restored:
        return
    names, side = names_at(match, by_key), side_of(entry, match)
    now, was = own_words(last, names, side), own_words(before, names, side)
    if now == was:
        return
    values = {
        "round": of_round(stage, match),
        "names": _others(match, entry, by_key),
        "when": moment_words(facts.event, last.at),
        "now": now,
        "before": was,
    }
    words = _(
        "The staff decided your match %(round)s against %(names)s, %(when)s: %(now)s. "
        "Reported was: %(before)s."
    )
    if counted:
        words = _(
            "The staff changed the result of your match %(round)s against %(names)s, "
            "%(when)s: it was “%(before)s”, now it is “%(now)s”."
        )
    if before.ended_by == EndedBy.VOID:
        words = _(
            "The staff decided %(when)s that your match %(round)s against %(names)s "
            "counts: %(now)s. Before, it did not count."
        )
    yield words % values


def _others(match: MatchRow, entry: AnyEntry, by_key: Mapping[int, EntryRow]) -> str:
    return ", ".join(by_key[key].display_name for key in match.seats if key != entry.pk)


def of_round(stage: StageFacts, match: MatchRow) -> str:
    """Return to which round a match belongs: "of round 4", "of the semi-finals"."""
    item = next(item for item in stage.rounds if item.pk == match.round_id)
    return of_the_round(stage, item, match)
