"""The numbers of the tables that an event has in the hall.

``"1-20, 31-40"`` are all there are; ``"21"`` alone begins at table 21; nothing begins at 1.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count, groupby, islice, pairwise

from rules.errors import BadInput, RuleError
from rules.results import PlayerId

HIGHEST = 9_999
MOST_RANGES = 20
_PART = re.compile(r"([0-9]{1,4}) ?(?:[-–—] ?([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class TableRanges:
    """Ranges of table numbers in ascending order; the last of a range is None where it goes on."""

    ranges: tuple[tuple[int, int | None], ...] = ((1, None),)

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(
            count(first) if last is None else range(first, last + 1) for first, last in self.ranges
        )

    def __contains__(self, table: int) -> bool:
        """Return whether this is one of the tables."""
        return any(
            first <= table and (last is None or table <= last) for first, last in self.ranges
        )

    def first(self, tables: int) -> tuple[int, ...]:
        """Return the ``tables`` lowest numbers, fewer if the ranges hold no more."""
        return tuple(islice(self, tables))

    @property
    def size(self) -> int | None:
        """Return how many tables there are, None without an end."""
        sizes = [None if last is None else last - first + 1 for first, last in self.ranges]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def in_words(self) -> str:
        """Return the numbers as people read them: "9", "9–12, 14"; "21–" without an end."""
        return ", ".join(
            f"{first}" if first == last else f"{first}–{'' if last is None else last}"
            for first, last in self.ranges
        )

    def __str__(self) -> str:
        """Return the text that ``table_ranges`` reads as these."""
        alone = len(self.ranges) == 1  # a single number would be read without an end
        return ", ".join(
            str(first) if last is None or (last == first and not alone) else f"{first}-{last}"
            for first, last in self.ranges
        )


ANY_TABLE = TableRanges()


def ranges_of(tables: Collection[int]) -> TableRanges:
    """Return the ranges that hold just these tables."""
    runs = groupby(enumerate(sorted(tables)), lambda pair: pair[1] - pair[0])
    parts = [[table for _at, table in run] for _key, run in runs]
    return TableRanges(tuple((part[0], part[-1]) for part in parts))


def table_ranges(text: str) -> TableRanges:
    """Return the tables that a text names; raises BadInput ``invalid_tables``."""
    parts = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
    if not parts:
        return ANY_TABLE
    if len(parts) > MOST_RANGES:
        raise BadInput(
            "invalid_tables",
            "There are more than %(most)s ranges of tables. Nothing was stored: join some.",
            most=MOST_RANGES,
        )
    ranges = sorted(_parse_range(part) for part in parts)
    if len(ranges) == 1 and "-" not in re.sub("[–—]", "-", parts[0]):
        return TableRanges(((ranges[0][0], None),))
    for (_first, last), (following, _end) in pairwise(ranges):
        if following <= last:
            raise BadInput(
                "invalid_tables",
                "Table %(table)s is named twice. Nothing was stored: name it once.",
                table=following,
            )
    return TableRanges(tuple(ranges))


def _parse_range(part: str) -> tuple[int, int]:
    found = _PART.fullmatch(part)
    first = int(found[1]) if found else 0
    last = int(found[2]) if found and found[2] else first
    if not 1 <= first <= last:
        raise BadInput(
            "invalid_tables",
            "“%(part)s” are no tables. Nothing was stored: write for example 1-20, 31-40.",
            part=part,
        )
    return first, last


def too_few_tables(there: int, needed: int) -> RuleError:
    """Return the refusal ``too_few_tables`` of a round that needs more tables than there are."""
    return RuleError(
        "too_few_tables",
        "Tables of the event: %(tables)s, needed: %(needed)s, missing: %(missing)s. Nothing was "
        "changed: give it more in the settings.",
        tables=there,
        needed=needed,
        missing=needed - there,
    )


def moved_tables(
    fixed: Mapping[PlayerId, int], before: TableRanges, after: TableRanges
) -> dict[PlayerId, int]:
    """Return the new fixed tables of the players whose table is no longer one of the event's.

    They move by as much as the first table does, if they come to one of the new tables.
    """
    distance = after.first(1)[0] - before.first(1)[0]
    return {
        player: table + distance
        for player, table in fixed.items()
        if table in before and table not in after and table + distance in after
    }


def free_tables(needed: int, taken: Collection[int]) -> TableRanges:
    """Return the first run of ``needed`` consecutive numbers of which none is taken."""
    start = 1
    for table in sorted(taken):
        if table - start >= needed:
            break
        start = max(start, table + 1)
    return TableRanges(((start, start + max(needed, 1) - 1),))
