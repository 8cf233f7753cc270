"""Whole events played by chance through the services, honestly, for whatever has to hold for all.

Results, departures, late entries, corrections, lots and extra matches follow from one ``Random``.
"""

from random import Random
from typing import Any

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import MatchEnding, Winner
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor
from tournaments.lots import services as draws
from tournaments.models import Event, Match, Round
from tournaments.players.services import departures, late_entries
from tournaments.results.services import results
from tournaments.rounds.services import make_extra_round
from tournaments.stages import services as stages
from tournaments.strikes import services as strikes

FORMULAS: dict[str, tuple[tuple[int, ...], tuple[dict[str, Any], ...]]] = {
    "mutant-chronicles": ((3, 5, 8, 9, 12, 14, 25), ({}, {"uneven_groups": 1})),
    "groups-knockout": ((6, 7, 10, 11, 19), ({}, {"uneven_groups": 1}, {"third_place": True})),
    "single-group": ((3, 4, 7), ({}, {"legs": 2}, {"legs": 3}, {"final": 3})),
    "swiss-cut": ((8, 9, 13, 17), ({"rounds": 3, "cut": 2}, {"rounds": 4, "cut": 4}, {})),
    "single-elimination": ((2, 3, 5, 8, 11), ({}, {"third_place": True})),
    "double-elimination": ((2, 3, 5, 8, 11, 16), ({}, {"second_final": False})),
}
"""Shipped formulas with numbers of players and options that change how they are computed."""

CRITERIA = (
    ["points", "opponents_points", "head_to_head", "score_for", "score_difference", "lots"],
    ["points", "opponents_match_win", "game_win", "opponents_game_win", "lots"],
    ["points", "buchholz_cut1", "buchholz_median", "sonneborn_berger", "wins", "lots"],
    ["points", "head_to_head_uefa", "wins_fewer_games", "score_difference", "lots"],
    ["wins", "head_to_head", "lots"],
    ["points", "lots"],
)
"""Orders of criteria; together they hold every one that public data allow to compute."""


def by_chance(match: Match, rng: Random) -> Claim:
    """Return a possible result of a match; one in seven was not played out."""
    rules = match_rules(match, match.round.event)
    if rng.random() < 0.14:
        return rng.choice(
            [
                Claim(ended_by=MatchEnding.DOUBLE_LOSS),
                Claim(winner=Winner.A, ended_by=MatchEnding.NO_SHOW),
                Claim(winner=Winner.B, ended_by=MatchEnding.CONCESSION),
            ]
        )
    if rules.by_points:
        scores = [(40, 10), (20, 40), (40, 20), *([(30, 30)] if rules.draws else [])]
        return Claim(score=rng.choice(scores))
    first = rng.choice("ab")
    lost = ["a" if first == "b" else "b"] * rng.randrange(rules.needed)
    return Claim(games=(*lost, *[first] * rules.needed))


class ChanceEvent:
    """A running event that is played on by chance."""

    def __init__(self, event: Event, by: Actor, rng: Random) -> None:
        self.event, self.by, self.rng = event, by, rng

    def play(self) -> Event:
        """Play the event to its end and finish it."""
        while (stage := load_facts(self.event).open_stage) is not None:
            if not stage.rounds_done:
                self.round(make.next_round(self.event, self.by))
                self.somebody_leaves()
                self.somebody_comes()
            elif needed := stage.outcome.lots_needed:
                self.separate(needed[0])
            else:
                number = stage.stage.number
                stages.close_stage(event=self.event, expected_stage=number, by=self.by)
        event = Event.objects.get(pk=self.event.pk)
        return make.events.change_event_state(event=event, action="finish", by=self.by)

    def round(self, round_: Round) -> None:
        """Enter a result at every table, and correct one in ten."""
        for match in round_.matches.exclude(state=Match.State.FINAL).select_related("round__event"):
            claim = by_chance(match, self.rng)
            match = results.decide_result(
                match=match, version=match.version, claim=claim, by=self.by
            )
            if self.rng.random() < 0.1:
                results.correct_result(
                    match=match,
                    version=match.version,
                    claim=by_chance(match, self.rng),
                    reason="typed wrongly",
                    by=self.by,
                )

    def somebody_leaves(self) -> None:
        """Withdraw or disqualify a player now and then; strike one who left early."""
        if self.rng.random() > 0.2:
            return
        there = list(self.event.entries.playing().order_by("number"))
        entry = self.rng.choice(there)
        leave = self.rng.choice([departures.withdraw, departures.disqualify])
        if len(there) > 3:
            leave(entry=entry, reason="train", by=self.by)
            if self.rng.random() < 0.5:
                self.allowed(strikes.strike, entry=entry, reason="train")

    def somebody_comes(self) -> None:
        """Enter a late player now and then where the stage admits one."""
        if self.rng.random() < 0.15:
            missed, name = self.rng.choice(["bye", "loss"]), f"Zita {self.event.entries.count()}"
            self.allowed(late_entries.add_late_entry, event=self.event, name=name, missed=missed)

    def separate(self, tied: tuple[int, ...]) -> None:
        """Let level players draw lots, or play extra matches."""
        if self.rng.random() < 0.4:
            expected = load_facts(self.event).last_ordinal + 1
            extra = self.allowed(
                make_extra_round,
                event=self.event,
                sets=[tied],
                expected_round=expected,
                publish=True,
            )
            if extra is not None:
                self.round(extra)
                return
        draws.draw_tied_order(event=self.event, tied=tied, seed=str(tied), by=self.by)

    def allowed(self, act: Any, **values: Any) -> Any:
        """Call a service; return None where the rules refuse it now."""
        try:
            return act(by=self.by, **values)
        except (BadInput, RuleError):
            return None


def chance_event(by: Actor, formula: str, seed: int, **values: Any) -> Event:
    """Return a finished event of a shipped formula; everything else follows from ``seed``."""
    rng = Random(seed)
    sizes, options = FORMULAS[formula]
    chosen = {
        "options": rng.choice(options),
        "criteria": rng.choice(CRITERIA),
        "format": rng.choice(["doomtrooper-original", "yugioh-2009"]),
    }
    event = make.started(by, rng.choice(sizes), formula=formula, **chosen | values)
    return ChanceEvent(event, by, rng).play()
