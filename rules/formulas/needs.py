"""What would make an event fit: more tables, shorter rounds, more time, or two of these."""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

from rules.formulas.durations import Durations
from rules.wording import Sentence

SHORTEST = 25
"""Minutes of the shortest round that is proposed; who asks with shorter ones gets no others."""
STEP = 5
"""Lengths of rounds are proposed in steps of so many minutes."""
ONE_DAY = 12 * 60
"""Minutes that a venue is open at most on a day."""
HALF_HOUR = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A change that would make an event fit; empty if nothing would on one day.

    ``time`` is in minutes, in steps of half an hour.
    """

    tables: int | None = None
    minutes: int | None = None
    time: int | None = None

    @property
    def sentence(self) -> Sentence:
        """Return the change as a sentence."""
        hours, rest = divmod(self.time or 0, 60)
        clock: dict[str, object] = {"hours": hours, "minutes": f"{rest:02}"}
        match self:
            case Need(tables=int(), minutes=int()):
                values: dict[str, object] = {"tables": self.tables, "minutes": self.minutes}
                return Sentence("%(tables)s tables and rounds of %(minutes)s minutes.", values)
            case Need(tables=int(), time=int()):
                values = {"tables": self.tables, **clock}
                return Sentence(
                    "%(tables)s tables and %(hours)s h %(minutes)s min of time.", values
                )
            case Need(tables=int()):
                return Sentence("%(tables)s tables.", {"tables": self.tables})
            case Need(minutes=int()):
                return Sentence("Rounds of %(minutes)s minutes.", {"minutes": self.minutes})
            case Need(time=int()):
                return Sentence("%(hours)s h %(minutes)s min of time.", clock)
        return Sentence("More than one day.")

    def dearness(self, minutes: int, tables: int | None, limit: int) -> Fraction:
        """Return how large the change is, to be compared; time weighs more than tables."""
        more = Fraction(self.tables or 1, tables or 1) if self.tables else Fraction(1)
        longer = Fraction(self.time or limit, limit) * Fraction(minutes, self.minutes or minutes)
        return more * longer**2


def needs_of(
    durations: Durations, minutes: int, tables: int | None, limit: int
) -> tuple[Need, ...]:
    """Return the changes of which each alone would make a plan fit into ``limit`` minutes."""
    found = [
        *_more_time(durations, minutes, tables),
        *_shorter_rounds(durations, minutes, tables, limit),
    ]
    enough = durations.most_tables
    if tables is not None and tables < enough:
        # Monotonic: more tables never end later.
        counts = range(tables + 1, enough + 1)
        first = bisect_left(counts, -limit, key=lambda n: -durations.total(minutes, n))
        if first < len(counts):
            found.append(Need(tables=counts[first]))
        if not found:
            both = (
                *_shorter_rounds(durations, minutes, enough, limit),
                *_more_time(durations, minutes, enough),
            )
            found = [Need(tables=enough, minutes=one.minutes, time=one.time) for one in both]
    return tuple(found) or (Need(),)


def _more_time(durations: Durations, minutes: int, tables: int | None) -> list[Need]:
    lasts = -(-durations.total(minutes, tables) // HALF_HOUR) * HALF_HOUR
    return [Need(time=lasts)] if lasts <= ONE_DAY else []


def _shorter_rounds(
    durations: Durations, minutes: int, tables: int | None, limit: int
) -> list[Need]:
    """Return the longest rounds that fit and are worth playing."""
    lengths = range(SHORTEST, minutes, STEP)
    # Monotonic: longer rounds never end sooner.
    fitting = bisect_left(lengths, limit + 1, key=lambda m: durations.total(m, tables))
    return [Need(minutes=lengths[fitting - 1])] if fitting else []
