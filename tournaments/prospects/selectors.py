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
from django.utils.translation import gettext_lazy, ngettext

from rules.results import PlayerId
from rules.scenarios import (
    MOST_WAYS,
    Bound,
    DependsOn,
    Margin,
    Measure,
    Prospect,
    Verdict,
    looks_at_each,
    prospects,
)
from rules.scenarios.bounds import Prospects
from rules.scenarios.final_places import places_in_table
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, rank_ordinal
from tournaments.core.mapping import play_of, points_of
from tournaments.core.names import marks_in, tell_apart
from tournaments.core.permissions import Actor, is_staff
from tournaments.core.replays import with_several
from tournaments.core.rows import AnyEntry
from tournaments.core.values_cache import cached
from tournaments.models import Event

WITH, BY, CONFIRMED, LEVEL, RIVAL = "with", "by", "confirmed", "level", "rival"
LEAST, MOST = "least", "most"
Text = str | Promise

SENTENCES: Mapping[tuple[str, str, Verdict], Text] = {
    ("win", WITH, Verdict.THROUGH): gettext_lazy("A win with {score} takes you on."),
    ("win", WITH, Verdict.OUT): gettext_lazy("A win with {score} is not enough."),
    ("win", BY, Verdict.THROUGH): gettext_lazy("A win by {score} takes you on."),
    ("win", BY, Verdict.OUT): gettext_lazy("A win by {score} is not enough."),
    ("win", CONFIRMED, Verdict.THROUGH): gettext_lazy("You advance if you win with more points."),
    ("win", CONFIRMED, Verdict.OUT): gettext_lazy("A win with more points is not enough."),
    ("draw", WITH, Verdict.THROUGH): gettext_lazy("A draw with {score} takes you on."),
    ("draw", WITH, Verdict.OUT): gettext_lazy("A draw with {score} puts you out."),
    ("draw", LEVEL, Verdict.THROUGH): gettext_lazy("A draw with a level score takes you on."),
    ("draw", LEVEL, Verdict.OUT): gettext_lazy("A draw with a level score puts you out."),
    ("loss", WITH, Verdict.THROUGH): gettext_lazy("Even a loss with {score} takes you on."),
    ("loss", WITH, Verdict.OUT): gettext_lazy("A loss with {score} puts you out."),
    ("loss", BY, Verdict.THROUGH): gettext_lazy("Even a loss by {score} takes you on."),
    ("loss", BY, Verdict.OUT): gettext_lazy("A loss by {score} puts you out."),
    ("loss", CONFIRMED, Verdict.THROUGH): gettext_lazy(
        "You advance even if you lose with fewer points."
    ),
    ("loss", CONFIRMED, Verdict.OUT): gettext_lazy("If you lose with fewer points, you’re out."),
    ("now", RIVAL, Verdict.THROUGH): gettext_lazy("You go on if {score}."),
    ("now", RIVAL, Verdict.OUT): gettext_lazy("You are out if {score}."),
}
NOTES: Mapping[tuple[str, Verdict], Text] = {
    (WITH, Verdict.THROUGH): gettext_lazy("through: {score}"),
    (WITH, Verdict.OUT): gettext_lazy("out: {score}"),
    (BY, Verdict.THROUGH): gettext_lazy("through: by {score}"),
    (BY, Verdict.OUT): gettext_lazy("out: by {score}"),
    (CONFIRMED, Verdict.THROUGH): gettext_lazy("through if the score confirms it"),
    (CONFIRMED, Verdict.OUT): gettext_lazy("out if the score confirms it"),
    (LEVEL, Verdict.THROUGH): gettext_lazy("through with a level score"),
    (LEVEL, Verdict.OUT): gettext_lazy("out with a level score"),
    (RIVAL, Verdict.THROUGH): gettext_lazy("through if {score}"),
    (RIVAL, Verdict.OUT): gettext_lazy("out if {score}"),
}
AMOUNTS: Mapping[str, Text] = {
    LEAST: gettext_lazy("at least {amount}"),
    MOST: gettext_lazy("at most {amount}"),
}
LEADS: Mapping[tuple[str, int], Text] = {
    (LEAST, 1): gettext_lazy("at least {amount} more than {name} in the last match"),
    (LEAST, 0): gettext_lazy("at least as many {points} as {name} in the last match"),
    (LEAST, -1): gettext_lazy("at most {amount} fewer than {name} in the last match"),
    (MOST, 1): gettext_lazy("at most {amount} more than {name} in the last match"),
    (MOST, 0): gettext_lazy("at most as many {points} as {name} in the last match"),
    (MOST, -1): gettext_lazy("at least {amount} fewer than {name} in the last match"),
}
MARGIN_LEADS: Mapping[tuple[str, int], Text] = {
    (LEAST, 1): gettext_lazy("a margin at least {amount} better than {name} in the last match"),
    (LEAST, 0): gettext_lazy("a margin at least as good as {name} in the last match"),
    (LEAST, -1): gettext_lazy("a margin at most {amount} worse than {name} in the last match"),
    (MOST, 1): gettext_lazy("a margin at most {amount} better than {name} in the last match"),
    (MOST, 0): gettext_lazy("a margin at most as good as {name} in the last match"),
    (MOST, -1): gettext_lazy("a margin at least {amount} worse than {name} in the last match"),
}
RIVALS: Mapping[tuple[Measure, str], Text] = {
    (Measure.MADE, LEAST): gettext_lazy("{name} makes at least {amount} in the last match"),
    (Measure.MADE, MOST): gettext_lazy("{name} makes at most {amount} in the last match"),
    (Measure.MARGIN, LEAST): gettext_lazy(
        "the margin of {name} in the last match is at least {number}"
    ),
    (Measure.MARGIN, MOST): gettext_lazy(
        "the margin of {name} in the last match is at most {number}"
    ),
}


ANY: Bound = (None, None)
TURNED = {LEAST: MOST, MOST: LEAST}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginFormatter:
    """Formats margins in the active language, in what ``score`` counts: points or won games.

    ``fill`` formats a text with its values and ``person`` a name: as HTML, or as plain text.
    """

    names: Mapping[PlayerId, str]
    score: str
    fill: Callable[..., str] = format_html
    person: str = "<bdi>{}</bdi>"

    def sentences(self, result: str, margins: Sequence[Margin]) -> str:
        """Return margins as sentences to the player, after a result or "now"; "" without any."""
        sentences = [
            self.fill(str(SENTENCES[result, kind, verdict]), score=score)
            for kind, verdict, score in self._bounds_as_text(result, margins)
        ]
        if sentences and not any(_is_decisive(margin) for margin in margins):
            sentences.append(_("Otherwise it is open."))
        return self.fill(" ".join(["{}"] * len(sentences)), *sentences) if sentences else ""

    def notes(self, result: str, margins: Sequence[Margin]) -> tuple[str, ...]:
        """Return margins in a few words, in the third person."""
        return tuple(
            self.fill(str(NOTES[kind, verdict]), score=score)
            for kind, verdict, score in self._bounds_as_text(result, margins)
        )

    def _bounds_as_text(
        self, result: str, margins: Sequence[Margin]
    ) -> Iterator[tuple[str, Verdict, str]]:
        """Yield the kind of score, the verdict it leads to, and the score as text."""
        for margin in margins:
            for verdict, bound in (
                (Verdict.THROUGH, margin.through),
                (Verdict.OUT, margin.out),
            ):
                if bound == ANY:
                    yield (LEVEL if result == "draw" else CONFIRMED), verdict, ""
                elif bound is not None:
                    by = BY if margin.measure is Measure.MARGIN else WITH
                    kind = RIVAL if result == "now" else by
                    yield kind, verdict, self._score(kind, result, margin, bound)

    def _score(self, kind: str, result: str, margin: Margin, bound: Bound) -> str:
        least, most = bound
        side, number = (LEAST, least) if least is not None else (MOST, most or 0)
        if kind == BY and result == "loss":
            side, number = TURNED[side], -number
        return self.fill(
            str(_text_for(kind, margin.measure, side, number)),
            amount=self._amount(abs(number)),
            number=f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0",
            points=_counted(self.score),
            name=self._name_of_rival(margin),
        )

    def _amount(self, number: int) -> str:
        if self.score == "points":
            text = ngettext("{count} point scored", "{count} points scored", number)
        elif self.score == "promotion":
            text = ngettext("{count} promotion point", "{count} promotion points", number)
        else:
            text = ngettext("{count} won game", "{count} won games", number)
        return text.format(count=number)

    def _name_of_rival(self, margin: Margin) -> str:
        number = margin.of if margin.than is None else margin.than
        return self.fill(self.person, self.names[number])


def html_formatter(facts: EventFacts) -> MarginFormatter:
    """Return the formatter for HTML pages; no query."""
    names = {number: entry.display_name for number, entry in facts.entries.items()}
    return MarginFormatter(names=names, score=play_of(facts.event).score)


def plain_formatter(event: Event) -> MarginFormatter:
    """Return the formatter for programs, as plain text; two queries."""
    entries = tell_apart(event.entries.all(), marks_in(event))
    return MarginFormatter(
        names={entry.number: entry.display_name for entry in entries},
        score=play_of(event).score,
        fill=str.format,
        person="{}",
    )


def _counted(score: str) -> str:
    if score == "points":
        return _("points scored")
    return _("promotion points") if score == "promotion" else _("won games")


def _text_for(kind: str, measure: Measure, side: str, number: int) -> Text:
    if kind == RIVAL:
        return RIVALS[measure, side]
    sign = (number > 0) - (number < 0)
    if measure is Measure.LEAD:
        return LEADS[side, sign]
    if measure is Measure.MARGIN_LEAD:
        return MARGIN_LEADS[side, sign]
    return AMOUNTS[side]


def _is_decisive(margin: Margin) -> bool:
    """Return whether a margin leaves nothing open but scores between its bounds."""
    both = margin.through is not None and margin.out is not None
    return both or ANY in (margin.through, margin.out)


CACHE_SECONDS = 60 * 60
"""Lifetime of cached verdicts in seconds."""


StageProspects = Mapping[PlayerId, Prospect]


def stage_prospects(stage: StageFacts, most: int = MOST_WAYS) -> StageProspects:
    """Return the prospects of the players of a stage, without those who withdrew; no query.

    Empty if nobody advances from the stage, and while its standings are held back.
    """
    return prospects_of(stage, most) if stage.used and not stage.held else {}


def prospects_of(stage: StageFacts, most: int) -> StageProspects:
    """Return the prospects of a stage whoever goes on from it, so the places at least; no query."""
    return prospects(
        stage.state,
        criteria=tuple(stage.event.criteria),
        points=points_of(stage.event),
        used=stage.used,
        highest=_most_games_won(stage),
        lots=stage.lots,
        penalties=stage.penalties,
        most=most,
    )


def _most_games_won(stage: StageFacts) -> int | None:
    """Return the most games that a player can win in a match; None for points."""
    if play_of(stage.event).score != "games":
        return None
    made = [pairing.best_of for played in stage.state.rounds for pairing, _result in played]
    return max((*stage.plan.best_of, *made)) // 2 + 1


def current_stage(facts: EventFacts) -> StageFacts | None:
    """Return the open stage if it has a table, qualifiers and a result, else None; no query.

    None too while its standings are held back.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if not stage.kind.has_table or not stage.used or stage.held:
        return None
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    return stage if played else None


def cached_prospects(stage: StageFacts, most: int = MOST_WAYS) -> StageProspects:
    """Return `stage_prospects`, cached by the state of the stage where they take long; no query.

    Those by points alone are not cached, as computing them is faster.
    """
    if not looks_at_each(stage.state, criteria=tuple(stage.event.criteria), most=most):
        return _with_final_verdicts(stage, stage_prospects(stage, most))
    facts = (
        *(stage.state, stage.event.criteria, points_of(stage.event), sorted(stage.used), most),
        *(stage.lots, sorted(stage.penalties.items())),
    )
    key = f"prospects4:{sha256(repr(facts).encode()).hexdigest()}"
    found: StageProspects | None = cache.get(key)
    if found is None:
        found = dict(stage_prospects(stage, most))
        cache.set(key, found, CACHE_SECONDS)
    return _with_final_verdicts(stage, found)


def _with_final_verdicts(stage: StageFacts, found: StageProspects) -> StageProspects:
    """Return the prospects with the final verdicts, if lots or extra matches have decided."""
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

UNTRIED: Mapping[str, str | Promise] = {
    "win": gettext_lazy("After a win it is still open."),
    "draw": gettext_lazy("After a draw it is still open."),
    "loss": gettext_lazy("After a loss it is still open."),
}
"""Consequences where not every outcome was tried: on what they depend is not known."""


def after_words(stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return the consequence of a result of the next match as a sentence; no query."""
    if not prospect.exact and prospect.after[result] is Verdict.OPEN:
        return str(UNTRIED[result])
    text = str(AFTER[result, prospect.after[result]])
    return text % {"on": depends_on(stage, prospect, result)}


def headline(stage: StageFacts, prospect: Prospect) -> str:
    """Return the verdict as a sentence addressed to the player; no query."""
    if _is_over(stage) and prospect.verdict is not Verdict.OPEN:
        through = prospect.verdict is Verdict.THROUGH
        return _("You go on.") if through else _("You can’t go on any more.")
    if prospect.verdict is Verdict.THROUGH:
        return _("You go on, however the other matches end.")
    if prospect.verdict is Verdict.OUT:
        return _("You can’t go on any more, however the other matches end.")
    if prospect.after or not prospect.exact:
        return _("It is open whether you go on.")
    return _("Your matches of this stage are played: it depends %(on)s.") % {
        "on": depends_on(stage, prospect, "now")
    }


def depends_on(stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return the dependencies of an open verdict, as the end of a sentence "it depends …"."""
    on = prospect.depends.get(result, frozenset())
    if _is_over(stage):
        return _("on a random draw or an extra match")
    if DependsOn.SCORES not in on:
        return _("on the other results")
    alone = DependsOn.RESULTS not in on
    if not {"score_for", "score_difference"} & set(stage.event.criteria):
        both, one = _("on the other results and on the tie-breaks"), _("on the tie-breaks")
    elif (score := play_of(stage.event).score) == "points":
        both, one = _("on the other results and on points scored"), _("on points scored")
    elif score == "promotion":
        both, one = _("on the other results and on promotion points"), _("on promotion points")
    else:
        both, one = _("on the other results and on games won"), _("on games won")
    return one if alone else both


NOW = "now"
MARKS = {"win": "won", "draw": "drawn", "loss": "lost"}
"""Results of a player's next match as discs show them."""
MAX_OUTCOMES = 36_000
"""Outcomes that a page examines at most, over all groups: about half a second."""
WORDS = {
    Verdict.THROUGH: gettext_lazy("through"),
    Verdict.OUT: gettext_lazy("out"),
    Verdict.OPEN: gettext_lazy("open"),
}
TONES = {Verdict.THROUGH: "good", Verdict.OUT: "bad", Verdict.OPEN: "neutral"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A verdict as a badge; ``notes`` are the scores that decide an open one."""

    words: str
    tone: str
    notes: tuple[str, ...] = ()


def may_see_prospects(actor: Actor, event: Event) -> bool:
    """Return whether the reader may see prospects: the staff, or all if they are public."""
    return event.show_prospects or is_staff(actor, event)


def prospect_groups(facts: EventFacts) -> tuple[dict[str, Any], ...] | None:
    """Return the groups of the open stage, None if it has no prospects; no query.

    ``facts`` must be loaded without drafts, so that no round is disclosed before it is published.
    """
    stage = current_stage(facts)
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

    ``partly`` if only what points alone make certain is known; ``by_scores`` if scores are
    included; ``over`` if every match of the stage is played. ``bar``: tone, words, where a part
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
        "by_scores": any(prospect.margins for prospect in found),
        "over": _is_over(stage),
    }


def public_prospects(facts: EventFacts) -> Mapping[PlayerId, Prospect]:
    """Return what everybody may know of the prospects in the open stage, by player; no query."""
    stage = current_stage(facts)
    return _limited_prospects(stage) if stage and facts.event.show_prospects else {}


def is_foreseen(facts: EventFacts) -> bool:
    """Return whether anything is known of who goes on from the open stage; no query."""
    stage = current_stage(facts)
    found = _limited_prospects(stage).values() if stage else ()
    return any(prospect.is_known for prospect in found)


def public_verdicts(facts: EventFacts) -> Mapping[PlayerId, Verdict]:
    """Return who is certainly through or out, as far as everybody may know; no query."""

    def make() -> Mapping[PlayerId, Verdict]:
        found = public_prospects(facts)
        if isinstance(found, Prospects):
            every = {player: found.verdict(player) for player in found}
        else:
            every = {player: prospect.verdict for player, prospect in found.items()}
        return {player: one for player, one in every.items() if one is not Verdict.OPEN}

    return cached(facts, "verdicts", make)


def own_prospect(facts: EventFacts, entry: AnyEntry) -> dict[str, Any] | None:
    """Return a player's prospects in the open stage, None if unknown; no query.

    So with too many possibilities. ``needed`` are rivals' scores that decide once
    the player's matches are over; ``cards`` has for each result of the next match its mark (in a
    tuple) and its effect. ``partly``, ``by_scores`` and ``over`` are those of a group.
    """
    stage, found = current_stage(facts), public_prospects(facts).get(entry.number)
    if stage is None or found is None or not found.is_known:
        return None
    opponent = facts.entries.get(found.opponent) if found.opponent is not None else None
    formatter = html_formatter(facts)
    results = tuple(found.after) if found.verdict is Verdict.OPEN else ()
    after = tuple(_meaning_of_result(formatter, stage, found, result) for result in results)
    return {
        "partly": not found.exact,
        "now": _mark(found.verdict),
        "headline": headline(stage, found),
        "needed": formatter.sentences(NOW, found.margins.get(NOW, ())),
        "opponent": opponent,
        "after": after,
        "cards": tuple(zip(((MARKS[result],) for result in results), after, strict=True)),
        "by_scores": bool(found.margins),
        "over": _is_over(stage),
    }


def _meaning_of_result(
    formatter: MarginFormatter, stage: StageFacts, prospect: Prospect, result: str
) -> str:
    """Return a result's consequence in words: sufficient scores, else dependencies."""
    sentences = formatter.sentences(result, prospect.margins.get(result, ()))
    return sentences or after_words(stage, prospect, result)


def _limited_prospects(stage: StageFacts) -> Mapping[PlayerId, Prospect]:
    """Return the prospects of a stage, with as many outcomes looked at as a page can wait for."""
    most = MAX_OUTCOMES // max(1, len(stage.groups))
    return cached(stage, "prospects", lambda: cached_prospects(stage, most))


def _mark(verdict: Verdict, notes: tuple[str, ...] = ()) -> Mark:
    return Mark(words=str(WORDS[verdict]), tone=TONES[verdict], notes=notes)


def _row(
    facts: EventFacts, stage: StageFacts, prospect: Prospect, formatter: MarginFormatter
) -> dict[str, Any]:
    """Return a player of a group; ``several`` matches are to play now.

    ``cards`` has for each result of the next match its mark and the verdict after it.
    """
    entry, opponent = facts.entries[prospect.player], facts.entries.get(prospect.opponent or 0)

    def mark(result: str, verdict: Verdict) -> Mark:
        return _mark(verdict, formatter.notes(result, prospect.margins.get(result, ())))

    after = tuple(mark(result, verdict) for result, verdict in prospect.after.items())
    return {
        "entry": entry,
        "now": mark(NOW, prospect.verdict),
        "opponent": opponent,
        "several": entry.pk in with_several(stage),
        "after": after,
        "cards": tuple(zip(((kind,) for kind in MARKS.values()), after, strict=False)),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalPlaces:
    """The only group of the last stage; ``rows`` is empty while there are too many possibilities.

    Nor are there any of several groups, which hang on each other.
    """

    label: str
    rows: tuple[dict[str, Any], ...]


def final_places(facts: EventFacts) -> FinalPlaces | None:
    """Return the final places of the open stage if nobody goes on from it, else None; no query.

    ``facts`` must be loaded without drafts. No rows before the first result, and while the
    standings are held back.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if not stage.kind.has_table or stage.used or stage.stage.number < len(facts.stages):
        return None
    rows = cached(stage, "final_places", lambda: tuple(_rows(facts, stage)))
    return FinalPlaces(label=group_label(stage.plan, stage.plan.groups[0].name), rows=rows)


def _rows(facts: EventFacts, stage: StageFacts) -> Iterator[dict[str, Any]]:
    """Yield the players by place; only of a single group are the places those of the event."""
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    if stage.held or not played or len(stage.plan.groups) > 1:
        return
    places = (
        (player, places_in_table(stage.state, prospect, 0, facts.final_order))
        for player, prospect in prospects_of(stage, MAX_OUTCOMES).items()
    )
    known = {player: left for player, left in places if left is not None}
    for player, left in sorted(known.items(), key=itemgetter(1)):
        yield {
            "entry": facts.entries[player],
            "places": rank_ordinal(*left[:2], shared=left.shared),
            "certain": bool(left.one),
        }
