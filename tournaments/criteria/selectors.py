"""Effects of another order of the criteria on a running event, computed before it is stored."""

from copy import copy
from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria.of_tables import find_criterion
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label
from tournaments.models import Stage
from tournaments.standings.selectors.rank_details import RankChange


def criteria_change(facts: EventFacts, criteria: list[str]) -> dict[str, Any]:
    """Return the effects of a new order of tiebreakers on all standings; no query.

    ``criteria``: keys, the first applied first. Keys of the dict: ``before`` and ``after``
    (labels), ``is_unchanged``, ``moves`` (changed ranks), ``closed`` (labels of closed stages,
    whose advancing players stay), ``fingerprint`` (digest of the effects).
    """
    changed = copy(facts.event)
    changed.criteria = criteria
    moves: list[RankChange] = []
    for stage in facts.stages:
        if stage.stage.state != Stage.State.PENDING:
            moves += _rank_moves(facts, stage, replace(stage, event=changed))
    effects = repr((criteria, [(m.name, m.stage, m.table, m.before, m.after) for m in moves]))
    before, after = _labels(facts.event.criteria), _labels(criteria)
    return {
        "before": before,
        "after": after,
        "is_unchanged": before == after,
        "moves": tuple(moves),
        "closed": tuple(
            translate(stage.plan.label)
            for stage in facts.stages
            if stage.stage.state == Stage.State.CLOSED and stage.outcome.standings
        ),
        "fingerprint": sha256(effects.encode()).hexdigest()[:16],
    }


def _labels(criteria: list[str]) -> tuple[str, ...]:
    return tuple(translate(find_criterion(key).label) for key in criteria)


def _rank_moves(facts: EventFacts, before: StageFacts, after: StageFacts) -> list[RankChange]:
    old, new = _tables_by_group(before), _tables_by_group(after)
    label = translate(before.plan.label)
    found = []
    for table, standings in new.items():
        ranks = {row.player: row.rank for row in old[table].rows} if table in old else {}
        found += [
            RankChange(
                name=facts.entries[row.player].display_name,
                stage=label,
                table=table,
                before=ranks[row.player],
                after=row.rank,
            )
            for row in standings.rows
            if row.player in ranks and ranks[row.player] != row.rank
        ]
    return found


def _tables_by_group(stage: StageFacts) -> dict[str, Standings]:
    groups = {
        group_label(stage.plan, name): standings
        for name, standings in stage.outcome.standings.items()
    }
    compared = {
        _("rank %(rank)s") % {"rank": rank}: standings
        for rank, standings in sorted(stage.outcome.compared.items())
    }
    return groups | compared
