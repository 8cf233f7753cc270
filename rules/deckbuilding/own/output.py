"""The rules of a format, written as JSON."""

from fractions import Fraction

from rules.deckbuilding.card_lists.lists import COPIES
from rules.deckbuilding.game_standings import GameStandings
from rules.deckbuilding.own.rules import FormatRules
from rules.deckbuilding.play import Play


def rules_to_json(rules: FormatRules) -> dict[str, object]:
    """Return the JSON of rules, defaults written out; `rules_from_json` reads it."""
    return {
        "zones": [
            {
                "key": zone.key,
                "name": zone.words[0],
                "min": zone.minimum,
                "max": zone.maximum,
                "or_none": zone.or_none,
            }
            for zone in rules.zones
        ],
        "copies": {
            "max": rules.copies.most,
            "by": str(rules.copies.by),
            "over": "each" if rules.copies.each else "all",
            "unlimited": list(rules.copies.unlimited),
            "own": dict(rules.copies.own),
        },
        "kinds": [
            {
                "key": counted.kind.key,
                "name": counted.kind.words[0],
                "zones": list(counted.kind.zones or ()),
                "min": counted.least,
                "max": counted.most,
            }
            for counted in rules.kinds
        ],
        "sums": [
            {"zones": list(one.zones), "min": one.least, "max": one.most} for one in rules.sums
        ],
        "excluded_together": [list(pair) for pair in rules.excluded_together],
        "card_lists": {which: list(rules.card_lists.get(which, ())) for which in COPIES},
        "legal_in": rules.legal_in,
        "not_checked": list(rules.not_checked),
        "match": {
            "best_of": rules.match.best_of,
            "final_best_of": rules.match.final_best_of,
            "score": written_score(rules.match),
            "target": rules.match.target,
            "draws": rules.match.draws,
            "minutes": rules.match.minutes,
        },
        "standings": _standings(rules.standings),
        "look": {"palette": rules.look.palette, "emblem": rules.look.emblem},
        "notation": {
            "set_behind": rules.notation.set_behind,
            "headings": list(rules.notation.headings),
            "faces": rules.notation.faces,
            "same_cards": [list(names) for names in rules.notation.same_cards],
        },
    }


def written_score(match: Play) -> str:
    """Return what the result of a match consists of, as JSON names it."""
    return "none" if match.winner_only else match.score


def _standings(standings: GameStandings) -> dict[str, object]:
    """Return points and criteria; what is not the usual of byes and of who dropped."""
    worth = zip(("win", "draw", "loss"), standings.points, strict=True)
    return {
        "points": {key: _number(points) for key, points in worth},
        "criteria": list(standings.criteria),
        "floor": str(standings.floor),
        "draw_share": str(standings.draw_share),
        **({"bye_games": standings.bye_games} if standings.bye_games else {}),
        **({"byes_left_out": True} if standings.byes_left_out else {}),
        **({"dropped_cap": str(cap)} if (cap := standings.dropped_cap) is not None else {}),
    }


def _number(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)
