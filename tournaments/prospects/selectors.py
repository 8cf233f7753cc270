"""Who has qualified or is eliminated in a stage, what is still needed, and the final places that
players may still take; with the scores that guarantee or rule it out, as text for players, tables
and programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from operator import itemgetter
from typing import Any

from django.core.cache import cache
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from rules.results import PlayerId
from rules.scenarios import (
    MOST_WAYS,
    Bound,
    Margin,
    MarginMeasure,
    Prospect,
    Verdict,
    VerdictDependency,
    is_enumerated,
    prospects,
)
from rules.scenarios.bounds import Prospects
from rules.scenarios.final_places import places_in_standings
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.labels import group_label, rank_ordinal
from tournaments.core.mapping import event_points, match_defaults
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.permissions import Actor, is_staff
from tournaments.core.rows import AnyEntry
from tournaments.models import Event

NOW = "now"
Text = str | Promise
WORDS: Mapping[Verdict, Text] = {
    Verdict.THROUGH: gettext_lazy("Qualified"),
    Verdict.OUT: pgettext_lazy("verdict", "Out"),
    Verdict.OPEN: gettext_lazy("Undecided"),
}
SCORES: Mapping[str, Text] = {
    "points": gettext_lazy("Points scored"),
    "promotion": gettext_lazy("Promotion points"),
    "games": gettext_lazy("Games won"),
}
"""What a match is played for, as the label of a number."""
ANY: Bound = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginFormatter:
    """Formatter of margins, the scores that decide whether a player advances, as text.

    Margins are those of the player's last match, negative for a loss. ``score`` is what counts:
    points or games won. ``fill`` formats a text with values, ``person`` a name, as HTML or plain
    text.
    """

    names: Mapping[PlayerId, str]
    score: str
    fill: Callable[..., str] = format_html
    person: str = "<bdi>{}</bdi>"

    def notes(self, margins: Sequence[Margin]) -> tuple[str, ...]:
        """Return margins in a few words: "Qualified: Promotion points ≥ 16"."""
        return tuple(
            self.fill("{}: {}", WORDS[verdict], self._score(margin, bound))
            for margin in margins
            for verdict, bound in ((Verdict.THROUGH, margin.through), (Verdict.OUT, margin.out))
            if bound is not None
        )

    def _score(self, margin: Margin, bound: Bound) -> str:
        if bound == ANY:
            return _("with any score")
        least, most = bound
        sign, number = ("≥", least) if least is not None else ("≤", most or 0)
        apart = margin.measure in (MarginMeasure.MARGIN, MarginMeasure.MARGIN_LEAD)
        label = _("Margin") if apart else SCORES[self.score]
        if margin.than is None:
            return self.fill("{} {} {}", label, sign, _signed(number))
        rival = self.fill(self.person, self.names[margin.than])
        if not number:
            return self.fill("{} {} {}", label, sign, rival)
        plus = "+" if number > 0 else MINUS
        return self.fill("{} {} {} {} {}", label, sign, rival, plus, abs(number))

    def notes_on_rivals(self, margins: Sequence[Margin]) -> tuple[str, ...]:
        """Return margins of rivals, whose last match decides, each with the rival's name."""
        return tuple(
            self.fill("{}: {}", self.fill(self.person, self.names[margin.of]), note)
            for margin in margins
            for note in self.notes((margin,))
        )


MINUS = "\N{MINUS SIGN}"


def _signed(number: int) -> str:
    return f"{number}".replace("-", MINUS)


def html_formatter(facts: EventFacts) -> MarginFormatter:
    """Return the margin formatter for HTML pages; no query."""
    names = {number: entry.display_name for number, entry in facts.entries.items()}
    return MarginFormatter(names=names, score=match_defaults(facts.event).score)


def plain_formatter(event: Event) -> MarginFormatter:
    """Return the margin formatter for plain text; two queries."""
    entries = attach_name_marks(event.entries.all(), load_name_marks(event))
    return MarginFormatter(
        names={entry.number: entry.display_name for entry in entries},
        score=match_defaults(event).score,
        fill=str.format,
        person="{}",
    )


CACHE_SECONDS = 60 * 60
"""Lifetime of cached verdicts in seconds."""


StageProspects = Mapping[PlayerId, Prospect]


def stage_prospects(stage: StageFacts, most: int = MOST_WAYS) -> StageProspects:
    """Return {player: prospect} of a stage, without dropped players; no query.

    {} if nobody advances from the stage, or its standings are hidden. Up to ``most`` outcomes are
    tried one by one, beyond that only points are judged.
    """
    return prospects_of(stage, most) if stage.used and not stage.held else {}


def prospects_of(stage: StageFacts, most: int) -> StageProspects:
    """Return {player: prospect} of a stage, even if nobody advances; no query.

    ``most`` is that of `stage_prospects`.
    """
    return prospects(
        stage.state,
        criteria=tuple(stage.event.criteria),
        points=event_points(stage.event),
        used=stage.used,
        highest=_most_games_won(stage),
        lots=stage.lots,
        penalties=stage.penalties,
        most=most,
    )


def _most_games_won(stage: StageFacts) -> int | None:
    """Return the most games that a player can win in a match; None for points."""
    if match_defaults(stage.event).score != "games":
        return None
    made = [pairing.best_of for played in stage.state.rounds for pairing, _result in played]
    return max((*stage.plan.best_of, *made)) // 2 + 1


def stage_with_prospects(facts: EventFacts) -> StageFacts | None:
    """Return the open stage if it has public standings, places that advance, and a result.

    Else None. No query.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if not stage.kind.has_table or not stage.used or stage.held:
        return None
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    return stage if played else None


def cached_prospects(stage: StageFacts, most: int = MOST_WAYS) -> StageProspects:
    """Return `stage_prospects`, cached by the stage's state if slow; no query.

    ``most``: how many combinations of results are tried at most. After the last match they say who
    advanced.
    """
    if not is_enumerated(stage.state, criteria=tuple(stage.event.criteria), most=most):
        return _with_final_verdicts(stage, stage_prospects(stage, most))
    facts = (
        *(stage.state, stage.event.criteria, event_points(stage.event), sorted(stage.used), most),
        *(stage.lots, sorted(stage.penalties.items())),
    )
    key = f"prospects4:{sha256(repr(facts).encode()).hexdigest()}"
    found: StageProspects | None = cache.get(key)
    if found is None:
        found = dict(stage_prospects(stage, most))
        cache.set(key, found, CACHE_SECONDS)
    return _with_final_verdicts(stage, found)


def _with_final_verdicts(stage: StageFacts, found: StageProspects) -> StageProspects:
    """Return the prospects with the final verdicts, if lots or tiebreaker matches have decided."""
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


def open_verdict_reason(stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return what an open verdict depends on as text, "" if unknown; no query.

    ``result`` is the assumed result of the next match, or ``NOW``.
    """
    if _is_over(stage):
        return _("Random draw or tiebreaker match")
    if not prospect.exact:
        return ""
    on = prospect.depends.get(result, frozenset())
    if VerdictDependency.SCORES not in on:
        return _("Other results")
    scores = str(SCORES[match_defaults(stage.event).score])
    if not {"score_for", "score_difference"} & set(stage.event.criteria):
        scores = _("Tiebreakers")
    return ", ".join((_("Other results"), scores)) if VerdictDependency.RESULTS in on else scores


MARKS = {"win": "won", "draw": "drawn", "loss": "lost"}
"""Results of a player's next match as discs show them."""
MAX_OUTCOMES = 36_000
"""Outcomes that a page examines at most, over all groups: about half a second."""
TONES = {Verdict.THROUGH: "good", Verdict.OUT: "bad", Verdict.OPEN: "neutral"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictBadge:
    """A verdict as a badge: label, tone, and ``notes`` on scores that decide an open one."""

    words: str
    tone: str
    notes: tuple[str, ...] = ()


def may_see_prospects(actor: Actor, event: Event) -> bool:
    """Return whether the actor may see prospects: staff, or everyone if public."""
    return event.show_prospects or is_staff(actor, event)


def prospect_groups(facts: EventFacts) -> tuple[dict[str, Any], ...] | None:
    """Return the open stage's prospects by group, as template dicts; no query.

    None without prospects. ``facts`` must be loaded without drafts, so that no draft is disclosed.
    """
    stage = stage_with_prospects(facts)
    if stage is None:
        return None
    found = _limited_prospects(stage)
    return tuple(
        _group(
            facts,
            stage,
            group_label(stage.plan, name),
            [found[p] for p in seats if p is not None and p in found],
        )
        for name, seats in stage.state.seats.items()
    )


def _is_over(stage: StageFacts) -> bool:
    extra = {item.pk for item in stage.extra_rounds}
    return stage.rounds_done and not {match.round_id for match in stage.missing} - extra


def _group(
    facts: EventFacts, stage: StageFacts, label: str, found: Sequence[Prospect]
) -> dict[str, Any]:
    """Return a group; ``rows`` is empty while there are too many possibilities.

    ``partly`` if only what points alone make certain is known. ``bar``: tone, words, where a part
    begins and how many players it has.
    """
    known = any(prospect.is_known for prospect in found)
    formatter = html_formatter(facts)
    rows = tuple(_row(facts, stage, one, formatter) for one in found) if known else ()
    tones = [row["now"].tone for row in rows]
    bar, at = [], 0
    for verdict in (Verdict.THROUGH, Verdict.OPEN, Verdict.OUT):
        count = tones.count(TONES[verdict])
        bar.append((TONES[verdict], str(WORDS[verdict]), at, count))
        at += count
    return {
        "label": label,
        "rows": rows,
        "bar": tuple(bar),
        "partly": not all(prospect.exact for prospect in found),
    }


def public_prospects(facts: EventFacts) -> Mapping[PlayerId, Prospect]:
    """Return {player: prospect} of the open stage, {} if they are hidden; no query."""
    stage = stage_with_prospects(facts)
    return _limited_prospects(stage) if stage and facts.event.show_prospects else {}


def has_known_prospects(facts: EventFacts) -> bool:
    """Return whether anything is known about advancing from the open stage; no query."""
    stage = stage_with_prospects(facts)
    found = _limited_prospects(stage).values() if stage else ()
    return any(prospect.is_known for prospect in found)


def public_verdicts(facts: EventFacts) -> Mapping[PlayerId, Verdict]:
    """Return {player: verdict} of players who surely advance or are out, if public.

    No query.
    """

    def make() -> Mapping[PlayerId, Verdict]:
        found = public_prospects(facts)
        if isinstance(found, Prospects):
            every = {player: found.verdict(player) for player in found}
        else:
            every = {player: prospect.verdict for player, prospect in found.items()}
        return {player: one for player, one in every.items() if one is not Verdict.OPEN}

    return cached_value(facts, "verdicts", make)


def own_prospect(facts: EventFacts, entry: AnyEntry) -> dict[str, Any] | None:
    """Return a player's prospects in the open stage as template context; no query.

    None if unknown, as with too many possible outcomes. ``now`` is the badge; ``after`` and
    ``cards`` tell what each result of the next match means; ``needed`` are rivals' deciding scores
    and ``depends`` what else decides, once the player has no match left. ``partly``: by points
    alone; ``over``: all matches are played.
    """
    stage, found = stage_with_prospects(facts), public_prospects(facts).get(entry.number)
    if stage is None or found is None or not found.is_known:
        return None
    opponent = facts.entries.get(found.opponent) if found.opponent is not None else None
    formatter = html_formatter(facts)
    results = tuple(found.after) if found.verdict is Verdict.OPEN else ()
    after = tuple(_meaning_of_result(formatter, stage, found, result) for result in results)
    alone = found.verdict is Verdict.OPEN and not found.after
    return {
        "partly": not found.exact,
        "now": _mark(found.verdict),
        "depends": open_verdict_reason(stage, found, NOW) if alone else "",
        "needed": formatter.notes_on_rivals(found.margins.get(NOW, ())),
        "opponent": opponent,
        "after": after,
        "cards": tuple(zip(((MARKS[result],) for result in results), after, strict=True)),
        "over": _is_over(stage),
    }


def _meaning_of_result(
    formatter: MarginFormatter, stage: StageFacts, prospect: Prospect, result: str
) -> tuple[str, ...]:
    """Return a result's consequences in words: sufficient scores, else the verdict."""
    notes = formatter.notes(prospect.margins.get(result, ()))
    verdict = prospect.after[result]
    depends = open_verdict_reason(stage, prospect, result) if verdict is Verdict.OPEN else ""
    return notes or (f"{WORDS[verdict]}: {depends}" if depends else str(WORDS[verdict]),)


def _limited_prospects(stage: StageFacts) -> Mapping[PlayerId, Prospect]:
    """Return the prospects of a stage, with as many outcomes looked at as a page can wait for."""
    most = MAX_OUTCOMES // max(1, len(stage.groups))
    return cached_value(stage, "prospects", lambda: cached_prospects(stage, most))


def _mark(verdict: Verdict, notes: tuple[str, ...] = ()) -> VerdictBadge:
    return VerdictBadge(words=str(WORDS[verdict]), tone=TONES[verdict], notes=notes)


def _row(
    facts: EventFacts, stage: StageFacts, prospect: Prospect, formatter: MarginFormatter
) -> dict[str, Any]:
    """Return a player of a group.

    ``cards`` has for each result of the next match its mark and the verdict after it.
    """
    entry, opponent = facts.entries[prospect.player], facts.entries.get(prospect.opponent or 0)

    def mark(result: str, verdict: Verdict) -> VerdictBadge:
        margins = prospect.margins.get(result, ())
        notes = formatter.notes_on_rivals if result == NOW else formatter.notes
        return _mark(verdict, notes(margins))

    after = tuple(mark(result, verdict) for result, verdict in prospect.after.items())
    return {
        "entry": entry,
        "now": mark(NOW, prospect.verdict),
        "opponent": opponent,
        "after": after,
        "cards": tuple(zip(((kind,) for kind in MARKS.values()), after, strict=False)),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalPlacesTable:
    """The possible final places in the last stage, by player.

    ``rows`` are empty if the stage has several groups or too many possible outcomes.
    """

    label: str
    rows: tuple[dict[str, Any], ...]


def final_places_table(facts: EventFacts) -> FinalPlacesTable | None:
    """Return the possible final places in the open last stage of a running event.

    None unless it has standings and nobody advances from it. ``facts`` must be loaded without
    drafts. No rows before the first result, or if the standings are hidden. No query.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if not stage.kind.has_table or stage.used or stage.stage.number < len(facts.stages):
        return None
    rows = cached_value(stage, "final_places", lambda: tuple(_rows(facts, stage)))
    return FinalPlacesTable(label=group_label(stage.plan, stage.plan.groups[0].name), rows=rows)


def _rows(facts: EventFacts, stage: StageFacts) -> Iterator[dict[str, Any]]:
    """Yield the players by place; only of one group alone are the places those of the event."""
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    if stage.held or not played or len(stage.plan.groups) > 1:
        return
    places = (
        (player, places_in_standings(stage.state, prospect, 0, facts.final_order))
        for player, prospect in prospects_of(stage, MAX_OUTCOMES).items()
    )
    known = {player: left for player, left in places if left is not None}
    for player, left in sorted(known.items(), key=itemgetter(1)):
        yield {
            "entry": facts.entries[player],
            "places": rank_ordinal(*left[:2], shared=left.shared),
            "certain": bool(left.one),
        }
