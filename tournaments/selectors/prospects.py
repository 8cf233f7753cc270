"""Who is through and who is out of a stage, and what is still needed, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from django.core.cache import cache
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.plan import ROUND_ROBIN, SWISS
from rules.results import PlayerId
from rules.scenarios import On, Prospect, Verdict, prospects
from tournaments.mapping import play_of, points_of
from tournaments.models import Entry, Event
from tournaments.permissions import Actor, is_staff
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.selectors.labels import group_label

MOST_WAYS = 2_500
"""So many ways to end, over all groups, are looked at for a page: about half a second."""
KEPT = 60 * 60
WORDS = {
    Verdict.THROUGH: gettext_lazy("through"),
    Verdict.OUT: gettext_lazy("out"),
    Verdict.OPEN: gettext_lazy("open"),
}
TONES = {Verdict.THROUGH: "good", Verdict.OUT: "bad", Verdict.OPEN: "neutral"}
AFTER: Mapping[tuple[str, Verdict], str | Promise] = {
    ("win", Verdict.THROUGH): gettext_lazy("A win takes you on."),
    ("win", Verdict.OUT): gettext_lazy("Even a win does not take you on."),
    ("win", Verdict.OPEN): gettext_lazy("After a win it depends %(on)s."),
    ("draw", Verdict.THROUGH): gettext_lazy("A draw takes you on."),
    ("draw", Verdict.OUT): gettext_lazy("A draw puts you out."),
    ("draw", Verdict.OPEN): gettext_lazy("After a draw it depends %(on)s."),
    ("loss", Verdict.THROUGH): gettext_lazy("Even a loss takes you on."),
    ("loss", Verdict.OUT): gettext_lazy("A loss puts you out."),
    ("loss", Verdict.OPEN): gettext_lazy("After a loss it depends %(on)s."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A verdict as a badge."""

    words: str
    tone: str


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
    """

    label: str
    rows: tuple[ProspectRow, ...]
    partly: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnProspect:
    """What a player still needs, in sentences; ``known`` is False with too many possibilities.

    ``partly``: only what points alone make certain is told.
    """

    known: bool
    partly: bool
    now: Mark
    headline: str
    opponent: Entry | None
    after: tuple[str, ...]


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
        **limit,
    )


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
    return GroupProspects(
        label=label,
        rows=tuple(_row(facts, prospect) for prospect in found) if known else (),
        partly=not all(prospect.exact for prospect in found),
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
    return OwnProspect(
        known=found.is_known,
        partly=not found.exact,
        now=_mark(found.verdict),
        headline=_headline(stage, found),
        opponent=opponent,
        after=tuple(
            str(AFTER[result, verdict]) % {"on": _on(stage, found, result)}
            for result, verdict in found.after.items()
        )
        if found.verdict is Verdict.OPEN
        else (),
    )


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
            exact=True,
        )
        for player, prospect in found.items()
    }


def _mark(verdict: Verdict) -> Mark:
    return Mark(words=str(WORDS[verdict]), tone=TONES[verdict])


def _row(facts: EventFacts, prospect: Prospect) -> ProspectRow:
    opponent = prospect.opponent
    return ProspectRow(
        entry=facts.entries[prospect.player],
        now=_mark(prospect.verdict),
        opponent=facts.entries[opponent] if opponent is not None else None,
        after=tuple(_mark(verdict) for verdict in prospect.after.values()),
    )


def _headline(stage: StageFacts, prospect: Prospect) -> str:
    if prospect.verdict is Verdict.THROUGH:
        return _("You go on, however the other matches end.")
    if prospect.verdict is Verdict.OUT:
        return _("You can’t go on any more, however the other matches end.")
    if prospect.opponent is not None:
        return _("It is open whether you go on.")
    return _("Your matches of this stage are played: it depends %(on)s.") % {
        "on": _on(stage, prospect, "now")
    }


def _on(stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return what something open depends on, to stand behind "it depends"."""
    on = prospect.depends.get(result, frozenset())
    extra = {item.pk for item in stage.extra_rounds}
    if stage.rounds_done and not {m.round_id for m in stage.missing}.difference(extra):
        return _("on the drawing of lots or an extra match")
    if On.SCORES not in on:
        return _("on the other results")
    alone = On.RESULTS not in on
    if not {"score_for", "score_difference"} & set(stage.event.criteria):
        both, one = _("on the other results and on the tie-breaks"), _("on the tie-breaks")
    elif play_of(stage.event).score == "promotion":
        both, one = _("on the other results and on promotion points"), _("on promotion points")
    else:
        both, one = _("on the other results and on games won"), _("on games won")
    return one if alone else both
