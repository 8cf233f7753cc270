"""Players ranked by the event's criteria, then by lots and extra matches."""

from transcript_checks.group import head_to_head, split
from transcript_checks.verdicts import UncheckedError

MINI_TABLES = ("head_to_head", "head_to_head_uefa")


class Lots:
    """An order as drawn; it decides between players all of whom it names."""

    def __init__(self, order):
        self.order = order

    def split(self, level):
        """Return the players one by one, None unless all were drawn."""
        if not set(level) <= set(self.order):
            return None
        return [[player] for player in self.order if player in level]


class Series:
    """Extra matches of level players: who won more of them goes first, the absent come last."""

    def __init__(self, level):
        self.level, self.rounds, self.after = level, [], 0

    def add(self, extra):
        """Take in the next round of this series."""
        self.rounds.append(extra.results)
        self.after = extra.after

    @property
    def away(self):
        """Return the players who had left before the first round."""
        return [one.a for one in self.rounds[0] if one.missed]

    @property
    def all_made(self):
        """Return whether everybody who was there has a match with everybody."""
        there = len(self.level) - len(self.away)
        return len(self.rounds) >= (there - 1 + there % 2 if there > 1 else 0)

    def split(self, level):
        """Return the players in classes, None if it is not over or does not name them all."""
        results = [one for played in self.rounds for one in played if not one.missed]
        over = self.all_made and all(one.winner is not None for one in results)
        if not over or not set(level) <= set(self.level):
            return None
        inside = [one for one in results if {one.a, one.b} <= set(level)]
        winners = [{"a": one.a, "b": one.b}.get(one.winner) for one in inside]
        there = [player for player in level if player not in self.away]
        absent = [player for player in level if player in self.away]
        classes = split(there, {player: winners.count(player) for player in there})
        return classes + ([absent] if absent else [])


def decisions(record, stage, every_stage=False):
    """Return the lots and extra matches that count for a stage, oldest first.

    ``every_stage``: lots of other stages count too, as in the final ranking.
    """
    found = []
    for at, draw in enumerate(record.draws("lots"), start=1):
        if every_stage or draw["stage"] == stage["number"]:
            found.append((at, 0, Lots(draw["order"])))
    series = []
    for extra in record.extra_rounds(stage):
        same = (s for s in series if set(s.level) == set(extra.level) and not s.all_made)
        running = next(same, None) or Series(extra.level)
        running.add(extra)
        series = [each for each in series if each is not running] + [running]
    found += [(each.after, 1, each) for each in series]
    return [decision for _at, _kind, decision in sorted(found, key=lambda each: each[:2])]


def rank(players, home, criteria, decided, across=False):
    """Return players in classes, best first; who shares a class shares the rank.

    ``home`` is the group of each. Across groups head-to-head is left out. Raises UncheckedError
    where a criterion that is needed can't be computed from public data.
    """
    classes = [list(players)] if players else []
    for key in criteria:
        if all(len(level) == 1 for level in classes):
            break
        if key in MINI_TABLES:
            uefa = key == "head_to_head_uefa"
            if not across:
                classes = [
                    smaller
                    for level in classes
                    for smaller in (
                        head_to_head(home[level[0]], level, uefa) if level[1:] else [level]
                    )
                ]
        elif key in home[players[0]].numbers:
            classes = [
                smaller
                for level in classes
                for smaller in split(level, {p: home[p].number(key, p) for p in level})
            ]
        elif key == "fewest_penalties":
            raise UncheckedError("penalties are not public")
        elif key != "lots":
            raise UncheckedError(f"this program does not know the criterion {key}")
    return [smaller for level in classes for smaller in settled(level, decided)]


def settled(level, decided):
    """Return level players as the latest decision that separates any of them leaves them."""
    if len(level) < 2:
        return [level]
    for decision in reversed(decided):
        classes = decision.split(level)
        if classes is not None and len(classes) > 1:
            return [smaller for same in classes for smaller in settled(same, decided)]
    return [level]
