"""Who meets whom in the rounds of groups, whose order is fixed when they are drawn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from config.wording import translate
from rules.results import PlayerId
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import EntryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRound:
    """A round of a group: who meets whom; ``is_coming`` before it is published."""

    label: str
    pairs: tuple[tuple[EntryRow, EntryRow], ...]
    is_coming: bool


def group_rounds(facts: EventFacts, stage: StageFacts, group: str) -> Iterator[GroupRound]:
    """Yield the rounds of a group, by its name; none of other stages; no query.

    ``facts`` must be loaded without drafts.
    """
    made = [item.ordinal for item in stage.regular_rounds]
    last = facts.rounds[-1].ordinal if facts.rounds else 0
    for number, pairs in enumerate(stage.kind.meetings(stage.state, group), start=1):
        coming = number > len(made)
        words = stage.kind.describe_round(stage.state, number)
        ordinal = last + number - len(made) if coming else made[number - 1]
        yield GroupRound(
            label=translate(Sentence(words.template, {**words.values, "round": ordinal})),
            pairs=tuple((facts.entries[a], facts.entries[b]) for a, b in pairs),
            is_coming=coming,
        )


def coming_rounds(facts: EventFacts, stage: StageFacts, group: str) -> Iterator[GroupRound]:
    """Yield the rounds of a group that are to come, without those who have left; no query."""
    for each in group_rounds(facts, stage, group):
        pairs = tuple((a, b) for a, b in each.pairs if a.plays and b.plays)
        if each.is_coming and pairs:
            yield replace(each, pairs=pairs)


def coming_of(facts: EventFacts, number: PlayerId) -> tuple[tuple[str, EntryRow], ...]:
    """Return the rounds to come of a player in the open stage's group, with the opponent."""
    stage = facts.open_stage
    if stage is None:
        return ()
    rounds = (each for g in stage.plan.groups for each in coming_rounds(facts, stage, g.name))
    return tuple(
        (each.label, other if one.number == number else one)
        for each in rounds
        for one, other in each.pairs
        if number in (one.number, other.number)
    )
