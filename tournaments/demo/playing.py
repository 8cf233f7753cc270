"""Fills and plays events with pseudo-random results; equal seeds give equal events."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from decks.decklists.samples import sample_deck
from rules.matches.match_rules import Claim, MatchRules, presets
from rules.people.person_names import Person
from rules.results import EndedBy
from tournaments.core.event_state import StageFacts, load_facts
from tournaments.core.mapping import match_rules_in
from tournaments.core.permissions import Actor
from tournaments.decklists.services.decklists import submit_decklist
from tournaments.events.services.events import move_event
from tournaments.lots.services import draw_lots, draw_start_order
from tournaments.models import Event, Match, Round, Stage
from tournaments.players.services.pasted import add_entries
from tournaments.results.services.results import decide_result
from tournaments.rounds.services import draft_round
from tournaments.stages.services import close_stage
from tournaments.starting.services import start_event

_FIRST = (
    *("Ada", "Alba", "Aldo", "Anna", "Bice", "Bruno", "Carla", "Cesare", "Chiara", "Dario"),
    *("Diana", "Elio", "Elsa", "Enea", "Ester", "Fabio", "Flora", "Gaia", "Gino", "Greta"),
    *("Guido", "Ilda", "Irene", "Ivo", "Jole", "Lara", "Leo", "Livia", "Luca", "Lucia"),
    *("Marco", "Mara", "Mirko", "Nadia", "Nico", "Nora", "Olga", "Oscar", "Paola", "Pietro"),
    *("Rita", "Rocco", "Sara", "Silvio", "Tea", "Tito", "Ugo", "Vera", "Vito", "Zoe"),
)
_SECOND = ("", " B.", " C.", " D.", " F.", " G.", " L.", " M.", " P.", " R.", " S.", " T.", " V.")


def invented_names(how_many: int) -> list[str]:
    """Return ``how_many`` different names, the same ones at every call."""
    return list(islice(_names(), how_many))


def _names() -> Iterator[str]:
    for lap in count():
        turn, letter = divmod(lap, len(_SECOND))
        ending = _SECOND[letter] + (f" {turn + 1}" if turn else "")
        yield from (f"{first}{ending}" for first in _FIRST)


DRAWN_SHARE = 0.08  # of the matches that may be drawn

Chooser = Callable[[Match, MatchRules], Claim]


@dataclass
class Play:
    """Plays an event as one member of its staff, with results from a seed."""

    event: Event
    by: Actor
    seed: str

    def fill(self, how_many: int) -> None:
        """Enter invented players, with legal decklists if the event collects them."""
        add_entries(
            event=self.event, people=[Person(name) for name in invented_names(how_many)], by=self.by
        )
        if self.event.decklists == Event.Decklists.OFF:
            return
        for entry in self.event.entries.order_by("number"):
            text = sample_deck(self.event.format, entry.number)
            submit_decklist(entry=entry, text=text, by=self.by)

    def start(self) -> None:
        """Draw the start order from the seed and start the event."""
        draw = draw_start_order(event=self.event, seed=self.seed[:64], by=self.by)
        start_event(event=self.event, draw_number=draw.number, by=self.by)
        self.event.refresh_from_db()

    def next_round(self) -> Round:
        """Draft and publish the next round."""
        expected = load_facts(self.event).last_ordinal + 1
        return draft_round(event=self.event, expected_round=expected, publish=True, by=self.by)

    def enter_results(
        self, item: Round, *, how_many: int | None = None, choose: Chooser | None = None
    ) -> None:
        """Enter results by table, all or the first ones."""
        stage = self._stage_of(item)
        choose = choose or self.chance(f"round {item.ordinal}")
        waiting = item.matches.exclude(state=Match.State.FINAL).select_related("round")
        for match in waiting.order_by("number")[:how_many]:
            rules = match_rules_in(stage.plan, match, self.event)
            claim = choose(match, rules)
            decide_result(match=match, version=match.version, claim=claim, by=self.by)

    def play_stage(self, choose: Chooser | None = None) -> None:
        """Play the remaining rounds of the open stage."""
        while (stage := load_facts(self.event).open_stage) and not stage.rounds_done:
            self.enter_results(self.next_round(), choose=choose)

    def close_stage(self) -> Stage | None:
        """Draw the lots needed and close the stage; return the next one."""
        while needed := self._open_stage().outcome.lots_needed:
            tied = [int(number) for number in needed[0]]
            lots = f"{self.seed[:40]} {self.event.draws.count()}"
            draw_lots(event=self.event, tied=tied, seed=lots, by=self.by)
        number = self._open_stage().stage.number
        return close_stage(event=self.event, expected_stage=number, by=self.by)

    def to_the_end(self) -> None:
        """Play the remaining stages and finish the event."""
        while load_facts(self.event).open_stage is not None:
            self.play_stage()
            self.close_stage()
        self.event = move_event(event=self.event, action="finish", by=self.by)

    def chance(self, what: str) -> Chooser:
        """Return a function that chooses legal results, seeded by ``what``."""
        random = Random(f"{self.seed} {what}")  # noqa: S311 - invented results keep no secret

        def choose(_match: Match, rules: MatchRules) -> Claim:
            if rules.by_points:
                return _promotion_points(random, rules)
            possible = [preset.claim for preset in presets(rules)]
            likely = possible[: 2 * rules.needed] or possible
            return random.choice(likely)

        return choose

    def _open_stage(self) -> StageFacts:
        stage = load_facts(self.event).open_stage
        if stage is None:
            raise LookupError("No stage is in progress.")
        return stage

    def _stage_of(self, item: Round) -> StageFacts:
        return next(s for s in load_facts(self.event).stages if s.stage.pk == item.stage_id)


def _promotion_points(random: Random, rules: MatchRules) -> Claim:
    """Return a plausible score: a player reaches the target, or time is called."""
    if rules.draws and random.random() < DRAWN_SHARE:
        level = random.randrange(10, rules.target)
        return Claim(score=(level, level), ended_by=EndedBy.TIME)
    won = rules.target + random.randrange(0, 6)
    lost = random.randrange(4, rules.target - 1)
    return Claim(score=(won, lost) if random.random() < 0.5 else (lost, won))
