"""The ranks that a correction changes, before and after, with the line of who goes on."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.plans.places import NthAmong, RankOf
from rules.results import PlayerId
from rules.standings.table import Standing
from rules.ties.extra_matches import criterion_named
from tournaments.core.event_state import StageFacts
from tournaments.core.kept_places import with_holders
from tournaments.core.labels import group_label
from tournaments.core.rows import AnyEntry
from tournaments.corrections.selectors.choices import Correction
from tournaments.standings.selectors.proofs import number

MOST_RANKS = 16
"""Rows of a table up to which none is folded away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """A row of a group's standings, and who stands there before and after.

    ``figures`` are the points and criteria that change of who stands there after. ``shared`` says
    whether others are level with them: lots would have to decide. ``last_before`` and
    ``last_after``: they are the last who goes on; ``line``: below this row it is said how many do.
    ``gap``: rows above this one are left out.
    """

    rank: int
    before: str
    after: str
    figures: tuple[str, ...]
    shared: bool
    last_before: bool
    last_after: bool
    line: bool
    gap: bool

    @property
    def changes(self) -> bool:
        """Return whether the player on this rank changes."""
        return self.before != self.after

    @property
    def css_classes(self) -> str:
        """Return the CSS classes of who stands there after: another player, the last to go on."""
        return " ".join(["changed"] * self.changes + ["last"] * self.last_after)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTable:
    """The ranks of a group that change and those at the line; ``through`` is how many go on.

    ``every`` has all of them where ``rows`` only has players whose points change or who cross the
    line. ``others`` are players who keep rank and points, with the criteria that change.
    ``straight``: the line lies below as many rows as players go on, as nobody above it has left.
    """

    label: str
    rows: tuple[RankRow, ...]
    every: tuple[RankRow, ...]
    others: tuple[tuple[str, str], ...]
    through: int
    straight: bool


def rank_tables(found: Correction) -> Iterator[RankTable]:
    """Yield the ranks that change of each group, and across groups, before and after; no query."""
    away = with_holders(found.stage).state.withdrawn
    for label, then, now, through in (*_of_groups(found), *_across_groups(found)):
        table = _Compared(found.facts.entries, then, now)
        if not table.moved and not table.figures:
            continue
        ends = [line_below(rows, through, away) for rows in (table.then, table.now)]
        at_line = {at for end in ends if end for at in (end - 1, end) if at < len(table.now)}
        every = shown = table.moved | at_line
        if len(every) > MOST_RANKS:
            shown = table.decisive(ends) | at_line
        named = {table.now[at].player for at in every}
        yield RankTable(
            label=label,
            rows=table.rows(shown, ends),
            every=table.rows(every, ends) if shown != every else (),
            others=tuple(
                (str(found.facts.entries[player]), " · ".join(figures))
                for player, figures in table.figures.items()
                if player not in named
            ),
            through=through,
            straight=all(end in (0, through) for end in ends),
        )


Table = tuple[str, Sequence[Standing], Sequence[Standing], int]
"""What it is called, its rows before and after a correction, and how many of it go on."""


def _of_groups(found: Correction) -> Iterator[Table]:
    stage, after = found.stage, found.changed.outcome.standings
    for group, standings in stage.outcome.standings.items():
        label = group_label(stage.plan, group)
        yield label, standings.rows, after[group].rows, going_on(stage, group)


def _across_groups(found: Correction) -> Iterator[Table]:
    """Yield the comparisons of a rank across groups whose order changes, if players go on by it."""
    stage, after = found.stage, found.changed.outcome.compared
    among = [each for each in stage.plan.places if isinstance(each, NthAmong)]
    for rank, standings in sorted(stage.outcome.compared.items()):
        used = [p for p in among if p.rank == rank and len(p.groups) > 1 and p.name in stage.used]
        then, now = standings.rows, after[rank].rows if rank in after else ()
        orders = [[row.player for row in rows] for rows in (then, now)]
        if used and len(then) == len(now) and orders[0] != orders[1]:
            values = {"stage": translate(stage.plan.label), "rank": rank}
            label = _("%(stage)s: those on rank %(rank)s of each group, compared") % values
            yield label, then, now, len(used)


def going_on(stage: StageFacts, group: str) -> int:
    """Return how many of a group go on by their rank."""
    places = [each for each in stage.plan.places if isinstance(each, RankOf)]
    return max((p.rank for p in places if p.group == group and p.name in stage.used), default=0)


def line_below(rows: Sequence[Standing], through: int, away: Collection[PlayerId]) -> int:
    """Return below how many rows the line lies, 0 for none: who has left takes nobody's place."""
    here = [at for at, row in enumerate(rows, start=1) if row.player not in away]
    return here[min(through, len(here)) - 1] if through and here else 0


class _Compared:
    """The standings of a group before and after a correction, row by row."""

    def __init__(
        self,
        entries: Mapping[PlayerId, AnyEntry],
        then: Sequence[Standing],
        now: Sequence[Standing],
    ) -> None:
        self.entries, self.then, self.now = entries, then, now
        had = {row.player: row for row in then}
        had |= {row.player: row for row in now if row.player not in had}  # who comes in
        changed = {row.player: changed_figures(had[row.player], row) for row in now}
        self.figures = {player: figures for player, figures in changed.items() if figures}
        self.points = {
            row.player
            for row in now
            if row.values.get("points") != had[row.player].values.get("points")
        }
        self.moved = {
            at
            for at, (old, new) in enumerate(zip(then, now, strict=True))
            if old.player != new.player
            or had[new.player].rank != new.rank
            or new.player in self.points
        }
        self.ranks = Counter(row.rank for row in now)

    def decisive(self, ends: Sequence[int]) -> set[int]:
        """Return the rows, before and after, of who has other points or crosses the line."""
        above = [
            {row.player for row in rows[:end]}
            for rows, end in zip((self.then, self.now), ends, strict=True)
        ]
        who = self.points | (above[0] ^ above[1])
        return {
            at for rows in (self.then, self.now) for at, row in enumerate(rows) if row.player in who
        }

    def rows(self, shown: Collection[int], ends: Sequence[int]) -> tuple[RankRow, ...]:
        """Return these rows in their order."""
        before, after = ends
        return tuple(
            RankRow(
                rank=at + 1,
                before=str(self.entries[self.then[at].player]),
                after=str(self.entries[self.now[at].player]),
                figures=self.figures.get(self.now[at].player, ()),
                shared=self.ranks[self.now[at].rank] > 1,
                last_before=at + 1 == before,
                last_after=at + 1 == after,
                line=at + 1 == max(ends),
                gap=at > 0 and at - 1 not in shown,
            )
            for at in sorted(shown)
        )


def changed_figures(then: Standing, now: Standing) -> tuple[str, ...]:
    """Return the points and criteria of a player that change, each as "Pts 3, before 0"."""
    parts = []
    for key, value in now.values.items():
        was = then.values.get(key)
        if was is not None and value != was:
            values = {
                "criterion": translate(criterion_named(key).short),
                "now": number(value, key),
                "before": number(was, key),
            }
            parts.append(_("%(criterion)s %(now)s, before %(before)s") % values)
    return tuple(parts)
