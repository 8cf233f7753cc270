"""Advice on formulas as rows of text."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from config.wording import translate
from rules.errors import RuleError
from rules.formulas import FORMULAS
from rules.formulas.adviser import (
    Advice,
    AdviceList,
    formulas_needing_more_players,
    suggest_formats,
)
from rules.formulas.base import Formula
from tournaments.core.labels import duration_text, formula_label, stages_text


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedStage:
    """A stage of an advised tournament format, for display.

    ``ends``: text such as "2 h 30 min", counted from the event's start.
    """

    label: str
    rounds: int
    matches: int
    ends: str


def advice_context(
    asked: Mapping[str, Any],
    *,
    kept: Mapping[str, str],
    formulas: Iterable[Formula] = FORMULAS,
) -> dict[str, Any]:
    """Return the template context of the advice on tournament formats; no query.

    asked: keyword arguments of ``rules.formulas.adviser.suggest_formats``. kept: query parameters
    for the links to a new event.

    Keys: ``best`` and ``others``: advised formats, as dicts; ``needed``: text, what would make one
    fit; ``small``: texts "FORMAT: LEAST PLAYERS" of the formats that need more players.
    """
    try:
        advised = suggest_formats(**asked, formulas=formulas)
    except RuleError:  # too few players for any: each says how many it needs
        advised = AdviceList(rows=(), needed=None)
    small = "%(formula)s: %(minimum)s"
    rows = [(way.best, _advice_row(way, at, asked, kept)) for at, way in enumerate(advised.rows, 1)]
    return {
        "best": tuple(row for best, row in rows if best),
        "others": tuple(row for best, row in rows if not best),
        "needed": _need_in_words(advised),
        "small": tuple(
            small % {"formula": translate(formula.label), "minimum": formula.minimum}
            for formula in formulas_needing_more_players(asked["players"], formulas)
        ),
    }


def _need_in_words(advised: AdviceList) -> str:
    if advised.needed is None:
        return ""
    way, need = advised.needed
    label = f"{formula_label(way.formula, way.stages)}, {stages_text(way.stages)}"
    return f"{label}: {' · '.join(map(translate, need.facts))}"


def _advice_row(
    advice: Advice, at: int, asked: Mapping[str, Any], kept: Mapping[str, str]
) -> dict[str, Any]:
    """A way to run the event; ``take`` is the URL of the form of a new event filled with it.

    ``way`` are its stages in words, ``note`` what speaks against it.
    """
    chosen = {"formula": advice.formula.key, "minutes": asked["minutes"]}
    chosen |= {"expected": asked["players"], "options": json.dumps(advice.options)}
    chosen |= {name: value for name, value in kept.items() if value}
    undecided = "" if advice.decides else _("More players may finish undefeated than can advance.")
    return {
        "id": f"{advice.formula.key}-{at}",
        "label": formula_label(advice.formula, advice.stages),
        "way": stages_text(advice.stages),
        "about": translate(advice.formula.about),
        "fits": advice.fits,
        "rounds": advice.rounds,
        "matches": advice.matches,
        "lasts": duration_text(advice.minutes),
        "note": undecided,
        "stages": tuple(
            AdvisedStage(
                label=translate(stage.stage.label),
                rounds=stage.rounds,
                matches=stage.matches,
                ends=duration_text(stage.ends),
            )
            for stage in advice.stages
        ),
        "needs": tuple(" · ".join(map(translate, need.facts)) for need in advice.needs),
        "take": f"{reverse('tournaments:event-new')}?{urlencode(chosen)}",
    }
