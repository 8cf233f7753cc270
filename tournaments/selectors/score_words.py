"""The words for scores that suffice: whole sentences for the player, few words for a table."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from rules.scenarios import Measure, Verdict

WITH, BY, CONFIRMED, LEVEL, RIVAL = "with", "by", "confirmed", "level", "rival"
LEAST, MOST = "least", "most"
Text = str | Promise

SAID: Mapping[tuple[str, str, Verdict], Text] = {
    ("win", WITH, Verdict.THROUGH): gettext_lazy("A win with {score} takes you on."),
    ("win", WITH, Verdict.OUT): gettext_lazy("A win with {score} is not enough."),
    ("win", BY, Verdict.THROUGH): gettext_lazy("A win by {score} takes you on."),
    ("win", BY, Verdict.OUT): gettext_lazy("A win by {score} is not enough."),
    ("win", CONFIRMED, Verdict.THROUGH): gettext_lazy(
        "A win that its score confirms takes you on."
    ),
    ("win", CONFIRMED, Verdict.OUT): gettext_lazy("A win that its score confirms is not enough."),
    ("draw", WITH, Verdict.THROUGH): gettext_lazy("A draw with {score} takes you on."),
    ("draw", WITH, Verdict.OUT): gettext_lazy("A draw with {score} puts you out."),
    ("draw", LEVEL, Verdict.THROUGH): gettext_lazy("A draw with a level score takes you on."),
    ("draw", LEVEL, Verdict.OUT): gettext_lazy("A draw with a level score puts you out."),
    ("loss", WITH, Verdict.THROUGH): gettext_lazy("Even a loss with {score} takes you on."),
    ("loss", WITH, Verdict.OUT): gettext_lazy("A loss with {score} puts you out."),
    ("loss", BY, Verdict.THROUGH): gettext_lazy("Even a loss by {score} takes you on."),
    ("loss", BY, Verdict.OUT): gettext_lazy("A loss by {score} puts you out."),
    ("loss", CONFIRMED, Verdict.THROUGH): gettext_lazy(
        "Even a loss that its score confirms takes you on."
    ),
    ("loss", CONFIRMED, Verdict.OUT): gettext_lazy("A loss that its score confirms puts you out."),
    ("now", RIVAL, Verdict.THROUGH): gettext_lazy("You go on if {score}."),
    ("now", RIVAL, Verdict.OUT): gettext_lazy("You are out if {score}."),
}
NOTED: Mapping[tuple[str, Verdict], Text] = {
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
