"""The next match of a player in a bracket, and the possible opponents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.bracket_ranking import held_so_far
from rules.brackets import BracketMatch, FromMatch, Part
from rules.plans import LoserOf, WinnerOf
from rules.results import PlayerId
from rules.stages.kind import shape_of
from rules.stages.knockout import loser_of, played_matches, progress_of, sides_of, still_in
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.names import match_name
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingMatches:
    """Sentences on the coming matches; ``is_out`` if the player has none left."""

    sentences: tuple[str, ...] = ()
    is_out: bool = False


def upcoming_matches(facts: EventFacts, entry: Entry) -> UpcomingMatches | None:
    """Return the player's coming matches in the open bracket, None outside one; no query."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or not stage.kind.has_bracket:
        return None
    if not stage.state.rounds or entry.number not in stage.state.players:
        return None
    held = {**held_so_far(stage.state, stage.used), **stage.outcome.places}
    if onwards := _stage_after(facts, stage, held, entry.number):
        return UpcomingMatches(sentences=(_("You go on to: %(stage)s.") % {"stage": onwards},))
    lost = any(
        loser_of(result) == entry.number for _p, result in played_matches(stage.state).values()
    )
    if lost and entry.number not in still_in(stage.state):
        return UpcomingMatches(is_out=True)
    return UpcomingMatches(sentences=tuple(_Bracket(facts, stage).sentences(entry.number)))


def _stage_after(
    facts: EventFacts, stage: StageFacts, held: Mapping[str, PlayerId], player: PlayerId
) -> str:
    """Return the label of the next stage that seats one of these places, or ""."""
    if facts.plan is None:
        return ""
    index = facts.plan.next_stages(stage.stage.number - 1, held).get(player)
    return translate(facts.plan.stages[index].label) if index is not None else ""


class _Bracket:
    """The state of a bracket with players' names."""

    def __init__(self, facts: EventFacts, stage: StageFacts) -> None:
        self.facts, self.stage = facts, stage
        self.plan, self.state = stage.plan, stage.state
        self.shape = shape_of(stage.plan)
        self.by_number = {match.number: match for match in self.shape}
        self.ways = progress_of(stage.state)
        self.known = played_matches(stage.state)

    def sentences(self, player: PlayerId) -> Iterator[str]:
        match = self._open_match(player)
        if match is not None:
            yield from self._sentences_after(match, player, won=True)
            yield from self._sentences_after(match, player, won=False)
            return
        for each in self.shape:
            waits = not self.ways[each.number].decided and each.number not in self.known
            if waits and player in [side for side, _sure in sides_of(self.state, each, self.ways)]:
                values = {"round": self._round(each), "opponent": self._other(each, player)}
                yield _("Next: %(round)s, against %(opponent)s.") % values
                return

    def _open_match(self, player: PlayerId) -> BracketMatch | None:
        for number, (pairing, result) in self.known.items():
            if result.winner is None and player in pairing.seats:
                return self.by_number[number]
        return None

    def _sentences_after(
        self, match: BracketMatch, player: PlayerId, *, won: bool
    ) -> Iterator[str]:
        following, side = self._following(match, won=won)
        if following is None:
            if onwards := self._later_stage_label(match, player, won=won):
                words = (
                    _("If you win you go on to: %(stage)s.")
                    if won
                    else _("If you lose you go on to: %(stage)s.")
                )
                yield words % {"stage": onwards}
            elif not won and (
                self._following(match, won=True)[0] is not None
                or self._later_stage_label(match, player, won=True)
            ):
                yield _("If you lose you are out.")
            return
        if following.part is Part.AGAIN:
            yield from self._second_final_sentence(match, player, won=won)
            return
        values = {
            "round": self._round(following),
            "opponent": self._side_in_words(following, 1 - side),
        }
        words = (
            _("If you win: %(round)s, against %(opponent)s.")
            if won
            else _("If you lose: %(round)s, against %(opponent)s.")
        )
        yield words % values

    def _later_stage_label(self, match: BracketMatch, player: PlayerId, *, won: bool) -> str:
        kind = WinnerOf if won else LoserOf
        places = [
            p.name for p in self.plan.places if isinstance(p, kind) and p.match == match.number
        ]
        return _stage_after(self.facts, self.stage, dict.fromkeys(places, player), player)

    def _second_final_sentence(
        self, match: BracketMatch, player: PlayerId, *, won: bool
    ) -> Iterator[str]:
        """Yield the sentence on a second match of the grand final, if it may be needed."""
        pairing, _result = self.known[match.number]
        from_below = pairing.seats[1:] == (player,)
        if from_below and won:
            yield _("If you win you two meet once more.")
        elif not from_below and not won:
            yield _("If you lose you two meet once more.")

    def _following(self, match: BracketMatch, *, won: bool) -> tuple[BracketMatch | None, int]:
        """Return (match, side) to which a result leads, skipping matches without opponent."""
        source = FromMatch(match=match.number, winner=won)
        found = next((each for each in self.shape if source in each.sources), None)
        if found is None:
            return None, 0
        side = found.sources.index(source)
        other, sure = sides_of(self.state, found, self.ways)[1 - side]
        alone = sure and other is None and found.part is not Part.AGAIN
        return self._following(found, won=True) if alone else (found, side)

    def _other(self, match: BracketMatch, player: PlayerId) -> str:
        sides = [side for side, _sure in sides_of(self.state, match, self.ways)]
        return self._side_in_words(match, 1 - sides.index(player))

    def _side_in_words(self, match: BracketMatch, index: int) -> str:
        """Return the words for a side of a match: a player's name, or the match that decides it."""
        player, sure = sides_of(self.state, match, self.ways)[index]
        if player is not None:
            return str(self.facts.entries[player])
        source = match.sources[index]
        if sure or not isinstance(source, FromMatch):
            return _("nobody yet")
        pairing, _result = self.known.get(source.match, (None, None))
        names = [str(self.facts.entries[p]) for p in pairing.seats] if pairing else []
        if len(names) > 1:
            words = (
                _("the winner of %(first)s – %(second)s")
                if source.winner
                else _("the loser of %(first)s – %(second)s")
            )
            return words % {"first": names[0], "second": names[1]}
        name = self._round(self.by_number[source.match])
        words = _("the winner of “%(match)s”") if source.winner else _("the loser of “%(match)s”")
        return words % {"match": name}

    def _round(self, match: BracketMatch) -> str:
        return match_name(self.plan, match)
