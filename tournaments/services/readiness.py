"""Whether a stage is ready: for the round expected, with all results in, for its end."""

from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Round


def check_expected(facts: EventFacts, expected: int) -> None:
    """Raise RuleError ``round_exists`` or ``stale`` unless this is the next round's number."""
    if expected == facts.last_ordinal + 1:
        return
    made = next((item for item in facts.rounds if item.ordinal == expected), None)
    if made is None:
        raise RuleError(
            "stale",
            _("The page was out of date. Nothing was changed: load it again."),
        )
    raise RuleError(
        "round_exists",
        _("Round %(number)s was already made by %(who)s. Nothing was changed: open the round."),
        number=expected,
        who=str(made.drafted_by or "?"),
    )


def ready_stage(facts: EventFacts) -> StageFacts:
    """Return the stage in progress, if its last round is published and has all results.

    Raises RuleError ``stage_not_open``, ``round_not_published``, ``results_missing``.
    """
    current = facts.open_stage
    if current is None:
        raise RuleError("stage_not_open", _("No stage is in progress. Nothing was changed."))
    last = current.last_round
    if last is not None and last.state == Round.State.DRAFT:
        raise RuleError(
            "round_not_published",
            _("Round %(number)s is still a draft. Nothing was changed: publish it first."),
            number=last.ordinal,
        )
    _check_results(current)
    return current


def check_complete(current: StageFacts, facts: EventFacts) -> None:
    """Raise RuleError with what keeps a stage from closing."""
    _check_results(current)
    if not current.rounds_done:
        raise RuleError(
            "rounds_missing",
            _("Rounds made: %(made)s of %(total)s. Nothing was changed: play the rest first."),
            made=len(current.rounds),
            total=current.total_rounds,
        )
    if current.outcome.lots_needed:
        raise RuleError(
            "lots_needed",
            _("Lots must decide between level players first: %(names)s. Nothing was changed."),
            tied=current.outcome.lots_needed,
            names=tuple(
                " = ".join(facts.entries[number].name for number in group)
                for group in current.outcome.lots_needed
            ),
        )


def _check_results(current: StageFacts) -> None:
    if current.missing:
        raise RuleError(
            "results_missing",
            _("Results are missing at these tables: %(tables)s. Nothing was changed."),
            tables=tuple(str(match.table or match.number) for match in current.missing),
            matches=tuple(match.pk for match in current.missing),
        )
