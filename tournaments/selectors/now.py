"""What is going on in an event right now."""

from dataclasses import dataclass

from config.wording import translate
from tournaments.models import Round
from tournaments.selectors.facts import EventFacts
from tournaments.selectors.labels import round_label


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """The stage and the round in progress; ``missing`` of ``tables`` results are not in yet."""

    stage: str
    round: Round | None
    round_label: str
    tables: int
    missing: int
    made: int
    total: int


def now_playing(facts: EventFacts) -> Now | None:
    """Return where the event stands, None without a stage in progress; facts without drafts."""
    stage = facts.open_stage
    if stage is None:
        return None
    last = stage.last_round
    matches = stage.matches_of(last) if last else ()
    return Now(
        stage=translate(stage.plan.label),
        round=last,
        round_label=round_label(stage, last) if last else "",
        tables=sum(match.table is not None for match in matches),
        missing=sum(match.state != match.State.FINAL for match in matches),
        made=len(stage.regular_rounds),
        total=stage.total_rounds,
    )
