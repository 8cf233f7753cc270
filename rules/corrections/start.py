"""Who holds the places of the start once the seeds are right, or another plays for a player."""

from collections.abc import Mapping

from rules.plans.plan import FormulaPlan
from rules.results import PlayerId
from rules.stages.kind import kind_of

Holders = Mapping[str, PlayerId]
"""Players by the name of their place of the start."""


def corrected_holders(plan: FormulaPlan, now: Holders, right: Holders) -> dict[str, PlayerId]:
    """Return the places of the start that others hold then, each with who does.

    ``now`` and ``right`` hold the same names. A bracket is seated exactly as is ``right``. In all
    other stages a seat says nothing but whom one plays when, if at all: whoever stays in a group
    keeps the seat there, and those who come get the seats of those who go, in their order.
    """
    found: dict[str, PlayerId] = {}
    for stage in plan.stages:
        for group in stage.groups:
            names = [name for name in group.seats if name in now]
            wanted = {name: right[name] for name in names}
            if not kind_of(stage).has_bracket:
                held = [now[name] for name in names]
                come = iter([player for player in wanted.values() if player not in held])
                stay = {*wanted.values()} & {*held}
                wanted = {n: now[n] if now[n] in stay else next(come) for n in names}
            found |= {name: player for name, player in wanted.items() if player != now[name]}
    return found
