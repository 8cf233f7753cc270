"""The results that a row of the desk has a button for."""

from django.utils.translation import gettext as _

from rules.matches.match_rules import MatchRules, presets


def usual_presets(rules: MatchRules) -> tuple[tuple[str, str], ...]:
    """Return the results that a row has a button for, as (key, label), a's best one first.

    In a single game a win of either and the draw; else the wins of matches played out and the draw
    with the most games.
    """
    keys = {preset.key for preset in presets(rules)}
    if rules.best_of == 1:
        labels = {"1-0": "1–0", "0-0-1": _("A draw"), "0-1": "0–1"}
        return tuple((key, label) for key, label in labels.items() if key in keys)
    lost = range(rules.needed)
    order = [f"{rules.needed}-{games}" for games in lost]
    order.append(f"{rules.needed - 1}-{rules.needed - 1}")
    order += [f"{games}-{rules.needed}" for games in reversed(lost)]
    return tuple((key, key.replace("-", "–")) for key in order if key in keys)
