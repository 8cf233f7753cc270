"""What the staff changed of a player's results, for the player to read: never why.

A penalty is read by its player and the staff alone; whoever played against them reads what became
of the match.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.results import EndedBy, PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import is_of_table
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow
from tournaments.matches.words import names_at, side_of
from tournaments.models import Match, Penalty, Report
from tournaments.personal.selectors.beside import beside
from tournaments.personal.selectors.departure import moment_words
from tournaments.personal.selectors.own_matches import matches_of, own_words

COUNTED = (Report.Kind.CONFIRMATION, Report.Kind.DECISION, Report.Kind.AUTOMATIC)


def result_changes(facts: EventFacts, entry: AnyEntry) -> Iterator[str]:
    """Yield what the staff decided of a player's matches since the latest round was published.

    Results that they changed, and games that a penalty of the opponent gives in an open match. No
    query beyond ``beside``; one where the staff entered a result after somebody else.
    """
    by_key = {each.pk: each for each in facts.entries.values()}
    mine = matches_of(facts, entry)
    for stage, match in mine:
        if _gives_a_game(facts, entry, match):
            words = _("By decision of the staff a game of your match of round %(number)s is yours.")
            yield words % {"number": _ordinal(stage, match)}
    decided = {match.pk: (stage, match) for stage, match in mine if _was_decided(match)}
    told: dict[int, list[Report]] = defaultdict(list)
    if decided:
        for report in Report.objects.filter(match__in=decided).order_by("version"):
            told[report.match_id].append(report)
    for key, (stage, match) in decided.items():
        yield from _change(facts, stage, match, entry, told[key], by_key)


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


def _was_decided(match: MatchRow) -> bool:
    """Return whether the staff decided a match of which something had been told before."""
    decision = match.decision if match.state == Match.State.FINAL else None
    if decision is None or match.size < 2 or match.version < 2 or match.earlier_text != "[]":
        return False
    return decision.kind == Report.Kind.DECISION and decision.ended_by != EndedBy.VOID


def _change(
    facts: EventFacts,
    stage: StageFacts,
    match: MatchRow,
    entry: AnyEntry,
    reports: Sequence[Report],
    by_key: Mapping[int, EntryRow],
) -> Iterator[str]:
    """Yield that a result is another than the one that was told before, once per round."""
    *earlier, last = reports
    before = _told_before(earlier)
    since = max(item.published_at for item in facts.rounds if item.published_at)
    if before is None or last.at < since:
        return
    names, side = names_at(match, by_key), side_of(entry, match)
    now, was = own_words(last, names, side), own_words(before, names, side)
    if now == was:
        return
    values = {
        "number": _ordinal(stage, match),
        "names": ", ".join(by_key[key].display_name for key in match.seats if key != entry.pk),
        "when": moment_words(facts.event, last.at),
        "now": now,
        "before": was,
    }
    words = _(
        "The staff decided your match of round %(number)s against %(names)s, %(when)s: %(now)s. "
        "Reported was: %(before)s."
    )
    if before.kind in COUNTED:
        words = _(
            "The staff changed the result of your match of round %(number)s against %(names)s, "
            "%(when)s: %(now)s. Before it was: %(before)s."
        )
    yield words % values


def _told_before(reports: Sequence[Report]) -> Report | None:
    """Return the result that counted, or that was reported and not denied; None without one."""
    last = reports[-1] if reports else None
    if last is None or last.kind in COUNTED:
        return last
    told = [report for report in reports if report.kind == Report.Kind.REPORT]
    disputed = len({report.by_entry_id or report.by_id for report in told}) > 1
    return None if disputed or is_of_table(last) else last


def _ordinal(stage: StageFacts, match: MatchRow) -> int:
    return next(item.ordinal for item in stage.rounds if item.pk == match.round_id)
