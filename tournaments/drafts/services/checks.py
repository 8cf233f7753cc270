"""Conditions under which a draft may be changed or published."""

from rules.drafts.check import not_paired
from rules.errors import RuleError
from rules.stages import STAGE_KINDS
from rules.wording import gettext_noop as _
from tournaments.core.event_state import load_facts
from tournaments.drafts.selectors import before_draft, round_version, seated
from tournaments.models import Event, Round


def check_round_version(event: Event, ordinal: int, expected: int | None) -> None:
    """Raise RuleError ``stale`` unless the round has the expected version."""
    if expected is not None and round_version(event, ordinal) != expected:
        raise RuleError(
            "stale",
            _("Somebody changed this round meanwhile. Nothing was changed: look at it again."),
        )


def check_all_paired(event: Event, item: Round) -> None:
    """Raise RuleError ``players_unpaired`` if a Swiss draft leaves players without a match."""
    if item.is_extra or not STAGE_KINDS.get(item.stage.kind).pairs_by_points:
        return
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == item.stage_id)
    left = not_paired(before_draft(facts, stage, item), seated(facts, stage, item))
    if left:
        raise RuleError(
            "players_unpaired",
            _(
                "Neither paired nor resting: %(names)s. Nothing was published: pair them or give "
                "a bye first."
            ),
            names=tuple(str(facts.entries[player]) for player in left),
            players=left,
        )
