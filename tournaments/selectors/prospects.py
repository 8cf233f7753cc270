"""Who is through and who is out of a stage, and what is still needed, in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from django.core.cache import cache
from django.utils.translation import gettext_lazy

from rules.plan import ROUND_ROBIN, SWISS
from rules.results import PlayerId
from rules.scenarios import Prospect, Verdict, prospects
from tournaments.mapping import play_of, points_of
from tournaments.models import Entry, Event
from tournaments.permissions import Actor, is_staff
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.selectors.labels import group_label
from tournaments.selectors.needed_scores import Teller, teller_of
from tournaments.selectors.prospect_words import after_words, headline

NOW = "now"
MOST_WAYS = 36_000
"""So many ways to end, over all groups, are looked at for a page: about half a second."""
KEPT = 60 * 60
WORDS = {
    Verdict.THROUGH: gettext_lazy("through"),
    Verdict.OUT: gettext_lazy("out"),
    Verdict.OPEN: gettext_lazy("open"),
}
TONES = {Verdict.THROUGH: "good", Verdict.OUT: "bad", Verdict.OPEN: "neutral"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A verdict as a badge, and the scores that decide where it is open."""

    words: str
    tone: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProspectRow:
    """A player of a group; ``after`` is what a win, a draw and a loss would mean."""

    entry: Entry
    now: Mark
    opponent: Entry | None
    after: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupProspects:
    """A group; without ``rows`` there are too many possibilities yet.

    ``partly``: what points alone make certain is told, something open may be decided already.
    ``by_scores`` says whether scores are told of.
    """

    label: str
    rows: tuple[ProspectRow, ...]
    partly: bool
    by_scores: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnProspect:
    """What a player still needs, in sentences; ``known`` is False with too many possibilities.

    ``needed`` are the scores of others that decide once the own matches are over; ``after`` is
    what a win, a draw and a loss would mean. ``partly``: only what points alone make certain is
    told. ``by_scores`` says whether scores are told of.
    """

    known: bool
    partly: bool
    now: Mark
    headline: str
    needed: str
    opponent: Entry | None
    after: tuple[str, ...]
    by_scores: bool


def may_see_prospects(actor: Actor, event: Event) -> bool:
    """Say whether the reader may see who is through: the staff, or all where the event says so."""
    return event.show_prospects or is_staff(actor, event)


def stage_prospects(stage: StageFacts, most: int | None = None) -> dict[PlayerId, Prospect]:
    """Return the prospects of everybody in a stage who has not left; no query.

    There are none where nobody goes on from the stage.
    """
    if not stage.used:
        return {}
    limit = {} if most is None else {"most": most}
    return prospects(
        stage.state,
        criteria=tuple(stage.event.criteria),
        points=points_of(stage.event),
        used=stage.used,
        highest=_highest(stage),
        **limit,
    )


def _highest(stage: StageFacts) -> int | None:
    """Return the most games that somebody wins in a match; None for promotion points."""
    if play_of(stage.event).score == "promotion":
        return None
    made = [pairing.best_of for played in stage.state.rounds for pairing, _result in played]
    return max((*stage.plan.best_of, *made)) // 2 + 1


def current_stage(facts: EventFacts) -> StageFacts | None:
    """Return the stage in play with a table from which somebody goes on, once it has a result."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if stage.plan.kind not in (ROUND_ROBIN, SWISS) or not stage.used:
        return None
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    return stage if played else None


def prospect_groups(facts: EventFacts) -> tuple[GroupProspects, ...] | None:
    """Return every group of the stage in play, None where there is none; no query.

    ``facts`` without drafts, so that no round is told before it is published.
    """
    stage = current_stage(facts)
    if stage is None:
        return None
    found = _kept(stage)
    return tuple(
        _group(facts, group_label(stage.plan, name), [found[p] for p in seats if p in found])
        for name, seats in stage.state.seats.items()
    )


def _group(facts: EventFacts, label: str, found: Sequence[Prospect]) -> GroupProspects:
    known = any(prospect.is_known for prospect in found)
    teller = teller_of(facts)
    return GroupProspects(
        label=label,
        rows=tuple(_row(facts, prospect, teller) for prospect in found) if known else (),
        partly=not all(prospect.exact for prospect in found),
        by_scores=any(prospect.margins for prospect in found),
    )


def own_prospect(facts: EventFacts, entry: Entry) -> OwnProspect | None:
    """Return what a player still needs in the stage in play; no query."""
    stage = current_stage(facts)
    if stage is None or not facts.event.show_prospects:
        return None
    found = _kept(stage).get(entry.number)
    if found is None:
        return None
    opponent = facts.entries.get(found.opponent) if found.opponent is not None else None
    teller = teller_of(facts)
    return OwnProspect(
        known=found.is_known,
        partly=not found.exact,
        now=_mark(found.verdict),
        headline=headline(stage, found),
        needed=teller.sentences(NOW, found.margins.get(NOW, ())),
        opponent=opponent,
        after=tuple(_after(teller, stage, found, result) for result in found.after)
        if found.verdict is Verdict.OPEN
        else (),
        by_scores=bool(found.margins),
    )


def _after(teller: Teller, stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return what a result would mean: the scores that suffice, else what it depends on."""
    told = teller.sentences(result, prospect.margins.get(result, ()))
    return told or after_words(stage, prospect, result)


def _kept(stage: StageFacts) -> dict[PlayerId, Prospect]:
    """Return the prospects of the stage as it stands, as far as a page waits for them."""
    return kept_prospects(stage, MOST_WAYS // max(1, len(stage.groups)))


def kept_prospects(stage: StageFacts, most: int | None = None) -> dict[PlayerId, Prospect]:
    """Return ``stage_prospects``, worked out once for a stage as it stands, whoever asks."""
    facts = (stage.state, stage.event.criteria, points_of(stage.event), sorted(stage.used), most)
    key = f"prospects2:{sha256(repr(facts).encode()).hexdigest()}"
    found: dict[PlayerId, Prospect] | None = cache.get(key)
    if found is None:
        found = stage_prospects(stage, most)
        cache.set(key, found, KEPT)
    return _decided(stage, found)


def _decided(stage: StageFacts, found: dict[PlayerId, Prospect]) -> dict[PlayerId, Prospect]:
    """Return the prospects of a stage with what lots or extra matches decided at its end."""
    ended = stage.rounds_done and not stage.missing and not stage.outcome.lots_needed
    if not ended:
        return found
    on = {player for name, player in stage.outcome.places.items() if name in stage.used}
    return {
        player: replace(
            prospect,
            verdict=Verdict.THROUGH if player in on else Verdict.OUT,
            depends={},
            margins={},
            exact=True,
        )
        for player, prospect in found.items()
    }


def _mark(verdict: Verdict, notes: tuple[str, ...] = ()) -> Mark:
    return Mark(words=str(WORDS[verdict]), tone=TONES[verdict], notes=notes)


def _row(facts: EventFacts, prospect: Prospect, teller: Teller) -> ProspectRow:
    opponent = prospect.opponent

    def mark(result: str, verdict: Verdict) -> Mark:
        return _mark(verdict, teller.notes(result, prospect.margins.get(result, ())))

    return ProspectRow(
        entry=facts.entries[prospect.player],
        now=mark(NOW, prospect.verdict),
        opponent=facts.entries[opponent] if opponent is not None else None,
        after=tuple(mark(result, verdict) for result, verdict in prospect.after.items()),
    )
