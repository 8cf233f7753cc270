"""What changes once somebody else rests in a round: two matches, and what was played of one."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from rules.corrections.byes import bye_moved, may_rest, why_bye_stays
from rules.corrections.followed import Followed
from rules.results import PlayerId
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import AnyEntry, AnyMatch, RoundRow
from tournaments.corrections.selectors.begun import begun_matches
from tournaments.corrections.selectors.choices import Correction
from tournaments.corrections.selectors.names import ShortNames
from tournaments.models import Round, Stage
from tournaments.results.selectors.effects import Effects

NOT_NOW = Sentence("Only in a published round of the stage in progress can somebody else rest.")


def why_not_moved(facts: EventFacts, match: AnyMatch) -> Sentence | None:
    """Return why nobody else can rest instead of who does in a match, None if somebody can."""
    stage, item, index = _place_of(facts, match)
    if stage.stage.state != Stage.State.OPEN or item.state != Round.State.PUBLISHED:
        return NOT_NOW
    if item.is_extra or match.missed or len(match.seats) != 1:
        return NOT_NOW
    return why_bye_stays(stage.state, index)


def could_rest(facts: EventFacts, match: AnyMatch) -> tuple[AnyEntry, ...]:
    """Return who could rest in the round of a bye, by name."""
    stage, _item, index = _place_of(facts, match)
    found = [facts.entries[player] for player in may_rest(stage.state, index)]
    return tuple(sorted(found, key=lambda entry: entry.display_name.casefold()))


def bye_correction_of(
    facts: EventFacts, match: AnyMatch, player: PlayerId, *, void: bool = False
) -> Correction:
    """Return what follows if ``player`` rests instead of who does in ``match``; no query.

    ``void``: what that player has played in the round is void, and not played again.
    """
    stage, item, index = _place_of(facts, match)
    follows, why_not = Followed(state=stage.state), why_not_moved(facts, match)
    if why_not is None:
        keys = {
            pairing.number: (index, pairing.number)
            for pairing, _result in stage.state.rounds[index]
            if player in pairing.seats
        }
        begun = any(key in set(begun_matches(stage)) for key in keys.values())
        follows = bye_moved(stage.state, index, match.number, player, begun=begun, void=void)
    return Correction(
        facts=facts,
        stage=stage,
        effects=Effects(moves=(), places=(), rounds=(item,), stages=()),
        changed=stage,
        target=stage,
        follows=follows,
        why_not=why_not or follows.why_not,
    )


def doubts(found: Correction, names: ShortNames) -> Iterator[str]:
    """Yield what speaks against an exchange: who met already, and who has rested already."""
    for change in found.changes:
        players = frozenset(change.after)
        for item, played in zip(
            found.stage.regular_rounds[: change.round], found.stage.state.rounds, strict=False
        ):
            if not any(not p.missed and {*p.seats} == players for p, _result in played):
                continue
            values = {"players": names.together(change.after), "round": item.ordinal}
            words = _("%(players)s have met already, in round %(round)s.")
            if len(players) == 1:
                words = _("%(players)s has rested already, in round %(round)s.")
            yield words % values


def _place_of(facts: EventFacts, match: AnyMatch) -> tuple[StageFacts, RoundRow, int]:
    """Return the stage and the round of a match, and its index among those of the schedule."""
    stage = next(s for s in facts.stages if any(g.pk == match.group_id for g in s.groups))
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    return stage, item, next((i for i, r in enumerate(stage.regular_rounds) if r is item), -1)
