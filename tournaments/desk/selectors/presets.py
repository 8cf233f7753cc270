"""The results of one click: those of a row, and all of them with their labels."""

from django.utils.translation import gettext as _

from rules.matches.settling import MatchRules, presets


def usual_presets(rules: MatchRules) -> tuple[tuple[str, str], ...]:
    """Return the results that a row has a button for, as (key, label), a's best one first.

    Those of matches played out, and the draw with the most games; the panel has them all.
    """
    if rules.best_of == 1:
        labels = {"1-0": "1–0", "0-1": "0–1", "0-0-1": _("Draw")}
        order = ("1-0", "0-0-1", "0-1")
        keys = {preset.key for preset in presets(rules)}
        return tuple((key, labels[key]) for key in order if key in keys)
    whole = (str(rules.needed), f"{rules.needed - 1}-{rules.needed - 1}")
    return tuple(
        (key, words)
        for key, words in preset_buttons(rules, "", "")
        if (whole[0] in key.split("-") and key.count("-") == 1) or key == whole[1]
    )


def preset_buttons(rules: MatchRules, a: str, b: str) -> tuple[tuple[str, str], ...]:
    """Return the results of one click; single games are labelled by their winner."""
    if rules.best_of == 1:
        named = {"1-0": a, "0-1": b, "0-0-1": _("A draw")}
        return tuple((p.key, named.get(p.key, p.key)) for p in presets(rules))
    keys = [preset.key for preset in presets(rules)]
    wins = [key for key in keys if _lead(key) > 0]
    level = [key for key in keys if _lead(key) == 0]
    losses = [key for key in keys if _lead(key) < 0]
    return tuple((key, key.replace("-", "–")) for key in (*wins, *level, *reversed(losses)))


def _lead(key: str) -> int:
    """Return the first player's lead in games in a preset."""
    a, b, *_drawn = map(int, key.split("-"))
    return a - b
