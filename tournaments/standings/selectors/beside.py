"""What stands beside the standings: who may still cross the cut line, and who rose and fell.

No function here queries the database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from rules.results import PlayerId
from rules.scenarios import Prospect, Verdict
from rules.scenarios.verdicts import Zone, zones
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import EntryRow
from tournaments.core.values_cache import cached
from tournaments.models import Stage
from tournaments.prospects.selectors import TONES, WORDS, Text, public_prospects
from tournaments.standings.selectors.rank_details import (
    leads_in,
    of_rounds,
    ranks_after,
    whole_rounds,
)

ON_THE_BUBBLE = 6
DRAWN = 5
"""Players whose ranks are drawn beside who rose and who fell most."""
WIDE, HIGH, MARGIN, FOOT = 268, 132, 10, 18
NEEDS: Sequence[tuple[str, Verdict, Text]] = (
    ("draw", Verdict.THROUGH, _("a draw is enough")),
    ("win", Verdict.THROUGH, _("a win is enough")),
    ("draw", Verdict.OUT, _("must win")),
    ("loss", Verdict.OUT, _("must not lose")),
)
"""What the next match of a player means whose verdict is open: the first of these that holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTheBubble:
    """A player near the cut line: through, out, or what the next match must bring."""

    entry: EntryRow
    words: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The ranks round by round as a drawing, and who rose and fell most in the last round."""

    drawn: SafeString
    moves: tuple[tuple[EntryRow, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What stands beside the table of a stage; each part may be missing."""

    bubble: tuple[OnTheBubble, ...]
    cut: int
    race: Race | None


def beside_standings(facts: EventFacts) -> Beside | None:
    """Return what stands beside the latest table, None with several groups or before a round."""
    begun = [each for each in facts.stages if each.stage.state != Stage.State.PENDING]
    stage = next((each for each in reversed(begun) if each.kind.has_table), None)
    if stage is None or len(stage.outcome.standings) > 1 or not stage.regular_rounds:
        return None
    (group,) = stage.outcome.standings
    return cached(facts, ("beside", get_language()), lambda: _beside(facts, stage, group))


def _beside(facts: EventFacts, stage: StageFacts, group: str) -> Beside:
    standings = stage.outcome.standings[group]
    gone = stage.state.withdrawn
    order = [row.player for row in standings.rows if row.player not in gone]
    found = zones(order, group, leads_in(stage), gone)
    cut = sum(zone is Zone.THROUGH for zone in found.values())
    known = public_prospects(facts) if facts.open_stage is stage else {}
    rounds = whole_rounds(stage)
    race = None
    if rounds > 1:
        key = "race", group
        race = of_rounds(facts, stage, rounds, key, lambda: _race(facts, stage, group, rounds, cut))
    return Beside(bubble=_bubble(facts, order, cut, known), cut=cut, race=race)


def _bubble(
    facts: EventFacts, order: Sequence[PlayerId], cut: int, known: Mapping[PlayerId, Prospect]
) -> tuple[OnTheBubble, ...]:
    """Return the players nearest to the line, those whose verdict is open first; by rank.

    None where all that is known of them is that it is open.
    """
    players = [player for player in order if player in known]
    if not cut:
        return ()
    near = sorted(
        enumerate(players),
        key=lambda each: (
            known[each[1]].verdict is not Verdict.OPEN,
            abs(2 * each[0] + 1 - 2 * cut),
        ),
    )
    found = tuple(
        OnTheBubble(
            entry=facts.entries[player],
            words=_needs(known[player]),
            tone="warn" if known[player].verdict is Verdict.OPEN else TONES[known[player].verdict],
        )
        for _at, player in sorted(near[:ON_THE_BUBBLE])
    )
    return found if any(each.words != str(WORDS[Verdict.OPEN]) for each in found) else ()


def _needs(prospect: Prospect) -> str:
    if prospect.verdict is Verdict.OPEN:
        for result, verdict, words in NEEDS:
            if prospect.after.get(result) is verdict:
                return str(words)
    return str(WORDS[prospect.verdict])


def _race(facts: EventFacts, stage: StageFacts, group: str, rounds: int, cut: int) -> Race:
    ranks = [ranks_after(facts, stage, number)[group] for number in range(1, rounds + 1)]
    now, before = ranks[-1], ranks[-2]
    moved = {player: before[player] - rank for player, rank in now.items() if player in before}
    found = [max(moved, key=lambda one: moved[one]), min(moved, key=lambda one: moved[one])]
    moves = [player for player in dict.fromkeys(found) if moved[player]]
    others = [player for player in sorted(now, key=lambda one: now[one]) if player not in moves]
    ordinals = [item.ordinal for item in stage.regular_rounds[:rounds]]
    across = (WIDE - 2 * MARGIN) / (rounds - 1)
    down = (HIGH - 2 * MARGIN - FOOT) / max(1, len(now) - 1)

    def line(player: PlayerId, kind: str) -> str:
        points = " ".join(
            f"{MARGIN + at * across:.0f},{MARGIN + (each[player] - 1) * down:.1f}"
            for at, each in enumerate(ranks)
            if player in each
        )
        return f'<polyline class="{kind}" points="{points}"/>'

    heads = "".join(
        f'<text x="{MARGIN + at * across:.0f}" y="{HIGH - 2}">{escape(str(ordinal))}</text>'
        for at, ordinal in enumerate(ordinals)
    )
    height = MARGIN + (cut - 0.5) * down
    edge = f'<path d="M{MARGIN} {height:.1f}H{WIDE - MARGIN}"/>' if cut else ""
    lines = [line(player, "") for player in others[:DRAWN]]
    lines += [line(player, "up" if moved[player] > 0 else "down") for player in moves]
    box = f'viewBox="0 0 {WIDE} {HIGH}"'
    drawn = f'<svg class="race" {box} aria-hidden="true">{edge}{"".join(lines)}{heads}</svg>'
    return Race(
        drawn=SafeString(drawn),
        moves=tuple((facts.entries[player], moved[player]) for player in moves),
    )
