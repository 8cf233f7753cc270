"""What players call the matches of a bracket: "Quarter-final 1", "Preliminary 2"."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import translate
from rules.brackets.single import BracketMatch, Part, Seat
from rules.plans.plan import StagePlan
from rules.stages.bracket_wording import final_label, match_label
from rules.stages.bracket_wording import round_label as knockout_round
from rules.stages.double_elimination import round_label as part_round
from rules.stages.kind import shape_of

IN_ROUND: Mapping[int, Promise] = {
    1: gettext_lazy("Semi-final %(number)s"),
    2: gettext_lazy("Quarter-final %(number)s"),
    3: gettext_lazy("Round of 16, match %(number)s"),
    4: gettext_lazy("Round of 32, match %(number)s"),
    5: gettext_lazy("Round of 64, match %(number)s"),
}
"""By the distance of the round from the final."""
SHORT: Mapping[int, Promise] = {
    3: gettext_lazy("R16, match %(number)s"),
    4: gettext_lazy("R32, match %(number)s"),
    5: gettext_lazy("R64, match %(number)s"),
}
LAST_OF_PART: Mapping[int, Promise] = {0: gettext_lazy("Final"), 1: gettext_lazy("Semi-final")}
"""The last matches of a bracket of a double elimination, by how many rounds follow there."""
Numbers = Mapping[int, tuple[int, int]]


def numbers_in_round(plan: StagePlan) -> Numbers:
    """Return, by number in the stage, the position of each match in its round, and of how many.

    Byes and the match for third place are not counted; the brackets of a double elimination have
    rounds of their own.
    """
    rounds: dict[tuple[int, Part | None], list[int]] = {}
    for match in shape_of(plan):
        seats = (side for side in match.sources if isinstance(side, Seat))
        if not match.third_place and all(seat.number <= plan.size for seat in seats):
            rounds.setdefault((match.round, match.part), []).append(match.number)
    return {
        number: (position, len(level))
        for level in rounds.values()
        for position, number in enumerate(level, start=1)
    }


def match_name(plan: StagePlan, match: BracketMatch, numbers: Numbers | None = None) -> str:
    """Return what players call a match: "Semi-final 2", "Upper bracket, round 1, match 3".

    ``numbers`` are those of ``numbers_in_round``, computed if None. A bye is called by its round.
    """
    if match.third_place or match.part in (Part.FINAL, Part.AGAIN):
        return translate(match_label(plan, match))
    if match.part is None and plan.survivors == 1 and match.distance == 0:
        return translate(final_label(plan))
    number, of = (numbers or numbers_in_round(plan)).get(match.number, (0, 0))
    level = _round(plan, match)
    if not number or (of == 1 and match.part is not None):
        return level
    values = {"number": number, "round": level}
    if match.part is None and plan.survivors > 1 and shape_of(plan)[-1].round == 1:
        return _("Preliminary %(number)s") % values
    named = match.part is None and plan.survivors == 1 and IN_ROUND.get(match.distance)
    return str(named or _("%(round)s, match %(number)s")) % values


def name_in_column(plan: StagePlan, match: BracketMatch, numbers: Numbers) -> str:
    """Return what a match is called below the name of its round, short: "Match 3", "Final"."""
    number, of = numbers.get(match.number, (0, 0))
    if match.part is Part.AGAIN:
        return _("Second match")
    if of == 1 and match.part in (Part.UPPER, Part.LOWER) and match.to_go in LAST_OF_PART:
        return str(LAST_OF_PART[match.to_go])
    numbered = match.part is not None or (plan.survivors > 1 and shape_of(plan)[-1].round > 1)
    if numbered and of > 1:
        return _("Match %(number)s") % {"number": number}
    return match_name(plan, match, numbers)


def short_name(plan: StagePlan, match: BracketMatch, numbers: Numbers) -> str:
    """Return the name of a match of a knock-out where there is little room."""
    values = {"number": numbers.get(match.number, (0, 0))[0]}
    if values["number"] and match.distance in SHORT:
        return str(SHORT[match.distance]) % values
    return match_name(plan, match, numbers)


def _round(plan: StagePlan, match: BracketMatch) -> str:
    if match.part is not None:
        return translate(part_round(plan, match))
    if plan.survivors > 1:
        return _("Preliminary, round %(round)s") % {"round": match.round}
    return translate(knockout_round(match.distance))


def name_of_match(plan: StagePlan, number: int) -> str:
    """Return what players call the match with this number in its stage."""
    return match_name(plan, next(each for each in shape_of(plan) if each.number == number))


def seat_with_bye(plan: StagePlan, number: int) -> str:
    """Return the place that is seated beside a bye in a match of a bracket, "" where two meet."""
    match = next(each for each in shape_of(plan) if each.number == number)
    seats = [side.number for side in match.sources if isinstance(side, Seat)]
    own = [seat for seat in seats if seat <= plan.size]
    if plan.apart or len(own) != 1 or len(seats) != len(match.sources):
        return ""
    return plan.groups[0].seats[own[0] - 1]
