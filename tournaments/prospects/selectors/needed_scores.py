"""Scores that guarantee or rule out qualification, as text for players, tables and programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.results import PlayerId
from rules.scenarios import Bound, Margin, Measure, Verdict
from tournaments.core.event_state import EventFacts
from tournaments.core.mapping import play_of
from tournaments.core.names import marks_in, tell_apart
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
