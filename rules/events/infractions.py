"""What penalties are given for most often, each with the step that is usual the first time.

The labels are what players read. Source: tournament rules, Roles; Girone's decision: no rule book
names the steps, and a judge may always choose another one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.events.penalties import LADDER, PastPenalty, higher_penalty


@dataclass(frozen=True, slots=True)
class Infraction:
    """A usual infraction: its key, its label, and the level that is usual the first time.

    One ``of_decks`` exists only where players bring decks.
    """

    key: str
    label: str
    level: str
    of_decks: bool = False


INFRACTIONS = (
    Infraction("late", "Lateness", "caution"),
    Infraction("play_error", "Error of play", "caution"),
    Infraction("slow_play", "Slow play", "caution"),
    Infraction("deck", "List or deck", "warning", of_decks=True),
    Infraction("marked", "Marked cards", "warning", of_decks=True),
    Infraction("conduct", "Behaviour", "warning"),
)


def usual_step(
    past: Sequence[PastPenalty], infraction: Infraction, *, words: str, highest: str = LADDER[-1]
) -> str:
    """Return the level to propose for an infraction, given the player's earlier penalties.

    ``words`` is the infraction as it will be stored; ``highest`` the most the judge may give.
    """
    graver = higher_penalty(past, infraction.level, words, highest=highest)
    return graver.level if graver else infraction.level


def same_words(past: Sequence[PastPenalty], known: Mapping[str, str]) -> tuple[PastPenalty, ...]:
    """Return past penalties with each usual infraction in the words of the present reader.

    ``known`` maps the label of an infraction in any language to that of the reader's.
    """
    return tuple(PastPenalty(one.level, known.get(one.infraction, one.infraction)) for one in past)
