"""The groups of a stage that is being built: how many, and who is dealt to which."""

from collections.abc import Sequence

from rules.formulas.custom.definition import MOST_GROUPS
from rules.formulas.groups_knockout import group_names
from tournaments.builder.draft import GroupDraft, StageDraft
from tournaments.builder.sources import Source


def set_groups(stage: StageDraft, count: int) -> None:
    """Give the stage so many groups: new ones get the next letters, the last ones go.

    A kind that has one group only keeps all its seats in it.
    """
    if not stage.shape.several_groups:
        first, *others = stage.groups or [GroupDraft()]
        first.seats += [seat for group in others for seat in group.seats]
        stage.groups = [first]
        return
    count = max(1, min(count, MOST_GROUPS))
    everybody = any(group.everybody for group in stage.groups)
    for _new in range(len(stage.groups), count):
        stage.groups.append(GroupDraft(name=free_name(stage), everybody=everybody))
    del stage.groups[count:]


def free_name(stage: StageDraft) -> str:
    """Return the first letter, or pair of letters, that no group of the stage is called."""
    taken = {group.name.strip() for group in stage.groups}
    return next(name for name in group_names(len(taken) + 1) if name not in taken)


def dealt(sources: Sequence[Source], groups: int) -> list[list[Source]]:
    """Deal entrants, best first, to groups of equal size, those of one earlier group apart.

    Each goes to a group that has room and fewest from where the entrant comes from; among those
    to the one with fewest entrants, there and back again as in a snake.
    """
    room = -(-len(sources) // groups)
    found: list[list[Source]] = [[] for _ in range(groups)]
    for at, source in enumerate(sources):
        row, column = divmod(at, groups)
        usual = column if row % 2 == 0 else groups - 1 - column

        def cost(group: int, source: Source = source, usual: int = usual) -> tuple[int, int, int]:
            together = sum(
                source.kind == "rank" and (other.stage, other.group) == (source.stage, source.group)
                for other in found[group]
            )
            return together, len(found[group]), abs(group - usual)

        chosen = min((group for group in range(groups) if len(found[group]) < room), key=cost)
        found[chosen].append(source)
    return found
