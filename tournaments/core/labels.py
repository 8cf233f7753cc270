"""Labels of groups, rounds, matches, places and results in the reader's language.

``=5`` is a place that several share, in figures and files, ``=5th`` among words, and in a sentence
they share it. Every page and file that tells one asks here; ``tournaments.templatetags.people``
says it to who hears a page, too.

Rounds and stages also as objects of sentences ("Prepare quarter-finals", "Close “Groups”"),
and stages and times of a forecast in words.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from config.wording import translate
from rules.brackets import BracketMatch, bracket
from rules.events.timetable import DAY
from rules.formulas.adviser import PlannedStage
from rules.formulas.base import Formula
from rules.numbers import HALF
from rules.plans import LATE, ComparedRankPlace, LoserPlace, RankPlace, StagePlan, WinnerPlace
from rules.results import MatchEnding, TieBreak, Winner
from rules.stages.base import StageState, bracket_matches, stage_kind
from rules.stages.double_elimination import part_label
from rules.stages.double_elimination import round_label as bracket_round
from rules.stages.knockout import final_label as last_label
from rules.stages.knockout import match_label
from rules.standings.table import Standing, Standings
from rules.wording import Sentence
from tournaments.core.event_state import StageFacts
from tournaments.core.extra_matches import (
    is_cross_group_match,
    tiebreaker_round_label,
    tied_set_label,
    tied_set_of_match,
    tied_set_text,
)
from tournaments.core.names import match_name_by_number, seat_with_bye
from tournaments.core.rows import AnyMatch, AnyReport, AnyRound, RoundRow

COMPARED = re.compile(r"(?:(\d+)(?:st|nd|rd|th) )?best (\d+)(?:st|nd|rd|th)")
"""Places of custom formulas such as "best 3rd" and "2nd best 3rd"."""
OF_MATCH = re.compile(r"([WL])(\d+)")
OF_START = re.compile(r"S(\d+)")
"""Places of brackets: W25, L25."""


def group_label(plan: StagePlan, group: str) -> str:
    """Return "Group A", or the stage's name if the stage has only one group.

    ``group``: the group's name, as "A".
    """
    if len(plan.groups) == 1:
        return translate(plan.label)
    return _("Group %(name)s") % {"name": group}


def match_group_label(plan: StagePlan, group: str, number: int) -> str:
    """Return the label of a match's group, or of its bracket in double elimination.

    ``group``: the group's name; ``number``: the match's in the stage.
    """
    if not stage_kind(plan).two_brackets:
        return group_label(plan, group)
    match = next((match for match in bracket_matches(plan) if match.number == number), None)
    return translate(part_label(match)) if match else group_label(plan, group)


def group_label_in_round(stage: StageFacts, round_: AnyRound, match: AnyMatch, group: str) -> str:
    """Return the label of a match's group; in a tiebreaker round, of its tied set.

    group: the group's name, "" if the stage has none.
    """
    if len(round_.level_sets) > 1:
        return tied_set_text(stage, tied_set_of_match(stage, round_, match).level)
    if round_.is_extra and is_cross_group_match(stage, round_, match):
        return _("Across the groups")
    return match_group_label(stage.plan, group, match.number)


def final_label(plan: StagePlan, number: int) -> str:
    """Return "Final" or "Third place" for these matches of a bracket, else "".

    ``number``: the match's in the stage. In a losers' bracket: "For place 5", "For place 7".
    """
    if not (plan.third_place and stage_kind(plan).has_setting("third_place")):
        return ""
    last = _last_round(len(plan.groups[0].seats), plan.survivors)
    found = next((match for match in last if match.number == number), None)
    if found is None or len(last) == 1:
        return ""
    return translate(match_label(plan, found) if found.third_place else last_label(plan))


@lru_cache(maxsize=64)
def _last_round(seats: int, survivors: int) -> tuple[BracketMatch, ...]:
    """Return the final and the match for third place of a knock-out; cached for table rows."""
    return tuple(match for match in bracket(seats, survivors, True) if match.distance == 0)


def round_label(stage: StageFacts, round_: AnyRound) -> str:
    """Return a round's label: "Round 8", "Semi-finals", "Tiebreaker matches: …".

    Swiss and group rounds are numbered through the event, not by stage.
    """
    if round_.is_extra:
        return tiebreaker_round_label(stage, round_)
    number = next(i for i, r in enumerate(stage.regular_rounds, start=1) if r.pk == round_.pk)
    words = stage.kind.describe_round(stage.state, number)
    if not stage.kind.has_bracket:
        words = Sentence(words.template, {**words.values, "number": round_.ordinal})
    return translate(words)


def match_round_label(stage: StageFacts, round_: AnyRound, match: AnyMatch) -> str:
    """Return the label of a match's round, naming its bracket if there are two.

    Finals and matches for third place have labels of their own; tiebreaker matches that of
    their tied set.
    """
    if round_.is_extra:
        return tied_set_label(stage, tied_set_of_match(stage, round_, match))
    if stage.kind.two_brackets:
        shape = bracket_matches(stage.plan)
        found = next((each for each in shape if each.number == match.number), None)
        if found is not None:
            return translate(bracket_round(stage.plan, found))
    return final_label(stage.plan, match.number) or round_label(stage, round_)


def place_label(name: str) -> str:
    """Return a place code as a label: "seed 2" → "Seed 2", "W25" → "Winner of …"."""
    stage, colon, plain = name.partition(":")
    if colon and stage.isdecimal():  # a custom formula's, where two stages have the name
        return _("Stage %(number)s: %(place)s") % {"number": stage, "place": place_label(plain)}
    kind, _sep, index = name.partition(" ")
    if kind == "seed":
        return _("Seed %(number)s") % {"number": index}
    if kind == "finalist":
        return _("Finalist %(number)s") % {"number": index}
    if kind == LATE:
        return _("Late entry %(number)s") % {"number": index}
    if of_match := OF_MATCH.fullmatch(name):
        match = _("Match %(number)s") % {"number": of_match[2]}
        words = _("winner of “%(match)s”") if of_match[1] == "W" else _("loser of “%(match)s”")
        return capfirst(words % {"match": match})
    if compared := COMPARED.fullmatch(name):
        nth, rank = compared.groups()
        return best_placed_label(int(nth or 1), int(rank))
    return name


def place_phrase(plan: StagePlan, name: str) -> str:
    """Return a stage's place for use in a sentence: "1st of group A".

    ``name``: code of the place.
    """
    place = next((each for each in plan.places if each.name == name), None)
    if isinstance(place, RankPlace):
        values = {"place": ordinal(place.rank), "name": place.group, "stage": translate(plan.label)}
        if len(plan.groups) > 1:
            return _("%(place)s of group %(name)s") % values
        return _("%(place)s of “%(stage)s”") % values
    if isinstance(place, ComparedRankPlace):
        label = best_placed_label(place.nth, place.rank)
        return label[:1].lower() + label[1:]
    if place is None:
        return place_label(name)
    words = _("winner of “%(match)s”")
    if isinstance(place, LoserPlace):
        words = _("loser of “%(match)s”")
    return words % {"match": match_name_by_number(plan, place.match)}


def place_text(stages: Iterable[StagePlan], name: str) -> str:
    """Return a place as text, whichever of the stages awards it: "1st of group A".

    ``stages``: all of the plan; ``name``: code of the place. Places of the starting order become
    "3rd at the start"; the winner of a match with a bye becomes the place seated there.
    """
    label = place_label(name)
    if label != name and not OF_MATCH.fullmatch(name):
        return label
    giving = next((plan for plan in stages if any(p.name == name for p in plan.places)), None)
    if giving is not None:
        place = next(each for each in giving.places if each.name == name)
        seat = seat_with_bye(giving, place.match) if isinstance(place, WinnerPlace) else ""
        return place_text(stages, seat) if seat else place_phrase(giving, name)
    if start := OF_START.fullmatch(name):
        return _("%(place)s at the start") % {"place": ordinal(int(start[1]))}
    return label


def best_placed_label(nth: int, rank: int) -> str:
    """Return "2nd best 3rd-placed": the ``nth`` best of one rank in all groups."""
    if nth == 1:
        return _("Best %(place)s-placed") % {"place": ordinal(rank)}
    return _("%(nth)s best %(place)s-placed") % {"nth": ordinal(nth), "place": ordinal(rank)}


def ordinal(place: int) -> str:
    """Return a number as an ordinal: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    forms = {1: _("%(place)sst"), 2: _("%(place)snd"), 3: _("%(place)srd")}
    return forms.get(last, _("%(place)sth")) % {"place": place}


def table_place_labels(size: int) -> tuple[tuple[int, str], ...]:
    """Return (place, "1st") for each place at a multiplayer table of this size."""
    return tuple((place, ordinal(place)) for place in range(1, size + 1))


ENDINGS = {
    MatchEnding.PLAYED: gettext_lazy("played out"),
    MatchEnding.TIME: gettext_lazy("at time"),
    MatchEnding.CONCESSION: gettext_lazy("concession"),
    MatchEnding.NO_SHOW: gettext_lazy("No-show"),
    MatchEnding.NO_WARRIORS: gettext_lazy("no warriors"),
    MatchEnding.DISQUALIFICATION: gettext_lazy("Disqualification"),
    MatchEnding.PENALTY: gettext_lazy("by a penalty"),
    MatchEnding.BYE: pgettext_lazy("of a match", "bye"),
    MatchEnding.DOUBLE_LOSS: gettext_lazy("Both lose"),
    MatchEnding.VOID: gettext_lazy("Void"),
}
TIE_BREAKS = {
    TieBreak.WARRIORS: gettext_lazy("by warriors"),
    TieBreak.EXTRA_TURNS: gettext_lazy("by extra turns"),
    TieBreak.JUDGE: gettext_lazy("by the judge"),
}
TIE_BREAK_CHOICES = {
    TieBreak.WARRIORS: gettext_lazy("More warriors in play (SDOPPIAMENTO cards don’t count)"),
    TieBreak.EXTRA_TURNS: gettext_lazy("Extra turns"),
    TieBreak.JUDGE: gettext_lazy("Decision of a judge"),
}
"""Labels of the choices in a form, with what counts."""


OF_WHOM: Mapping[MatchEnding, Promise] = {
    MatchEnding.CONCESSION: gettext_lazy("%(loser)s concedes"),
    MatchEnding.NO_SHOW: gettext_lazy("%(loser)s is absent"),
    MatchEnding.NO_WARRIORS: gettext_lazy("%(loser)s has no warriors"),
    MatchEnding.DISQUALIFICATION: gettext_lazy("%(loser)s is disqualified"),
    MatchEnding.PENALTY: gettext_lazy("%(loser)s loses because of a penalty"),
}
"""Sentences for endings that one player caused."""


def ending_text(ended_by: str, loser: str) -> str:
    """Return how a match ended: "Bruno concedes", "at time".

    ``ended_by``: value of ``MatchEnding``; ``loser``: name, "" if nobody lost.
    """
    caused = OF_WHOM.get(MatchEnding(ended_by)) if loser else None
    return str(caused) % {"loser": loser} if caused else ending_label(ended_by)


AGREED_GAMES = 3
"""Number of drawn games, without any other, that means an intentional draw."""


def format_games(games_won: tuple[int, int, int]) -> str:
    """Return games as text: "2–0", "1–1–1", "½–½", "intentional draw (ID)".

    The numbers are won, lost, drawn. ``games_won``: games won by the first player, by the second,
    and drawn.
    """
    if is_intentional_draw(games_won):
        return intentional_draw_label()
    if games_won == (0, 0, 1):
        return "–".join(games_per_player(games_won))
    return "–".join(map(str, games_won if games_won[2] else games_won[:2]))


def outcome_label(winner: str) -> str:
    """Return the label of a result without one winner, else "".

    Such are: draw, both lose, void. ``winner``: value of ``Winner``.
    """
    return {
        Winner.DRAW: _("A draw"),
        Winner.NONE: _("Both lose"),
        Winner.VOID: _("Void"),
    }.get(Winner(winner), "")


def bye_label(decision: AnyReport | None) -> str:
    """Return "bye", "half-point bye" or "missed (loss)" for a round without opponent.

    ``decision``: the report that decides the match, None if there is none yet.
    """
    if decision is None:
        return pgettext("of a match", "bye")
    ways = {Winner.NONE: _("missed (loss)"), Winner.DRAW: _("half-point bye")}
    return ways.get(Winner(decision.winner), pgettext("of a match", "bye"))


def games_per_player(games_won: tuple[int, int, int]) -> tuple[str, str]:
    """Return the games won by both players as text; ("½", "½") for one drawn game.

    ``games_won``: games won by the first player, by the second, and drawn.
    """
    return (HALF, HALF) if games_won == (0, 0, 1) else (str(games_won[0]), str(games_won[1]))


def is_intentional_draw(games_won: tuple[int, int, int] | None) -> bool:
    """Return whether games won mean an intentional draw: three or more, all drawn.

    ``games_won``: games won by the first player, by the second, and drawn.
    """
    return games_won is not None and games_won[:2] == (0, 0) and games_won[2] >= AGREED_GAMES


def intentional_draw_label() -> str:
    """Return the label of an intentional draw."""
    return _("intentional draw (ID)")


def ending_label(ended_by: str) -> str:
    """Return the label of a value of ``MatchEnding``: "concession", "at time"."""
    return str(ENDINGS[MatchEnding(ended_by)])


def tie_break_label(tie_break: str) -> str:
    """Return the label of a value of ``TieBreak``: "by warriors"."""
    return str(TIE_BREAKS[TieBreak(tie_break)])


SHARED = "="


class HasRank(Protocol):
    """Protocol of a row with a rank; ``shared``: others have the same rank."""

    @property
    def rank(self) -> int: ...

    @property
    def shared(self) -> bool: ...


def format_rank(first: int, last: int = 0, *, shared: bool = False) -> str:
    """Return a rank as digits: "5", "=5" if shared, "5–8" if not decided yet.

    ``last``: last possible rank, 0 if the rank is final.
    """
    if last > first:
        return f"{first}–{last}"
    return f"{SHARED if shared else ''}{first}"


def rank_ordinal(first: int, last: int = 0, *, shared: bool = False) -> str:
    """Return a rank as ordinal: "5th", "=5th" if shared, "5th–8th" if open.

    ``last``: last possible rank, 0 if the rank is final.
    """
    if last > first:
        return f"{ordinal(first)}–{ordinal(last)}"
    return f"{SHARED if shared else ''}{ordinal(first)}"


class HasRecord(Protocol):
    """Protocol of an object with a record: ``won``, ``drawn`` and ``lost`` count matches."""

    @property
    def won(self) -> int: ...

    @property
    def drawn(self) -> int: ...

    @property
    def lost(self) -> int: ...


def format_record(record: HasRecord) -> str:
    """Return a record of matches as "W–L–D": "4–1–0"."""
    return f"{record.won}–{record.lost}–{record.drawn}"


def standing_rank_text(row: Standing, standings: Standings) -> str:
    """Return the rank of a row of standings as text: "5th", or "=5th" if shared."""
    return rank_ordinal(row.rank, shared=row.rank in shared_ranks(standings))


def shared_ranks(standings: Standings) -> frozenset[int]:
    """Return the ranks that several players of the standings share."""
    held = Counter(row.rank for row in standings.rows)
    return frozenset(rank for rank, count in held.items() if count > 1)


def final_place_label(first: int, last: int = 0, *, shared: bool = False, field: int) -> str:
    """Return a final place: "5th of 16", "=5th of 16", "5th–8th of 16".

    ``last``: last possible place, 0 if final; ``field``: number of players.
    """
    values = {"done": rank_ordinal(first, last, shared=shared), "total": field}
    return _("%(done)s of %(total)s") % values


def round_phrase(state: StageState, number: int, ordinal: int) -> str:
    """Return a round's name for use in a sentence: "semi-finals", "round 4".

    ``number``: in the stage, from 1; ``ordinal``: in the event, used if rounds have no names.
    """
    label = round_name(state, number) or _("Round %(number)s") % {"number": ordinal}
    return label[:1].lower() + label[1:]


def round_name(state: StageState, number: int) -> str:
    """Return the name of a stage's round, "Semi-finals"; "" if it only has a number.

    ``number``: in the stage, from 1.
    """
    kind = stage_kind(state.plan)
    named = kind.names_rounds and not kind.two_brackets
    return translate(kind.describe_round(state, number)) if named else ""


def existing_round_name(stage: StageFacts, round_: AnyRound) -> str:
    """Return the name of an existing round: "Semi-finals"; "" if it has none."""
    if round_.is_extra:
        return tiebreaker_round_label(stage, round_)
    keys = [each.pk for each in stage.regular_rounds]
    return round_name(stage.state, keys.index(round_.pk) + 1)


def existing_round_phrase(stage: StageFacts, round_: AnyRound) -> str:
    """Return an existing round's name for use in a sentence: "round 4"."""
    if round_.is_extra:
        return f"“{tiebreaker_round_label(stage, round_)}”"
    keys = [each.pk for each in stage.regular_rounds]
    return round_phrase(stage.state, keys.index(round_.pk) + 1, round_.ordinal)


def round_phrase_by_ordinal(stage: StageFacts, ordinal: int) -> str:
    """Return the name, for use in a sentence, of the stage's round with this ordinal.

    The round exists already or is the stage's next one; ``ordinal`` counts through the event.
    """
    made = next((item for item in stage.rounds if item.ordinal == ordinal), None)
    if made is not None:
        return existing_round_phrase(stage, made)
    return round_phrase(stage.state, len(stage.regular_rounds) + 1, ordinal)


def counted_rounds(stage: StageFacts) -> list[RoundRow]:
    """Return the rounds that count in the stage's standings: all but withheld ones."""
    return [item for item in stage.rounds if item.pk not in stage.held]


def stage_and_round_label(stage: str, label: str) -> str:
    """Return "Groups · Round 3"; only ``label`` if that names the stage already.

    ``stage``: name of the stage; ``label``: of the round.
    """
    return " · ".join(filter(None, (stage_name_unless_in_label(stage, label), label)))


def stage_name_unless_in_label(stage: str, label: str) -> str:
    """Return the stage's name, or "" if the round's ``label`` begins with it."""
    return "" if label == stage or label.startswith(f"{stage},") else stage


def formula_label(formula: Formula, stages: Sequence[PlannedStage]) -> str:
    """Return a formula's name; "Swiss only" if ``stages`` are only one Swiss stage.

    ``stages``: those planned for the event's number of players.
    """
    alone = len(stages) == 1 and stages[0].by_points
    return _("Swiss only") if alone else translate(formula.label)


def stages_text(stages: Iterable[PlannedStage]) -> str:
    """Return planned stages as text: "5 rounds and top 8"."""
    found = tuple(stages)
    several = len(found) > 2
    words = [_stage_in_words(stage, named=several or at > 0) for at, stage in enumerate(found)]
    if len(found) == 2 and found[1].bracket:
        return _("%(first)s and %(second)s") % {"first": words[0], "second": words[1]}
    return ", ".join(words)


def _stage_in_words(ahead: PlannedStage, *, named: bool) -> str:
    if ahead.bracket and named and not ahead.stage.survivors > 1:
        return _("a final") if ahead.seats == 2 else _("top %(players)s") % {"players": ahead.seats}
    words = rounds_text(ahead.rounds)
    if not named and not ahead.bracket:
        return words
    return f"{translate(ahead.stage.label).lower()} ({words})"


def rounds_text(rounds: int) -> str:
    """Return a number of rounds in words: "5 rounds"."""
    return ngettext("%(rounds)s round", "%(rounds)s rounds", rounds) % {"rounds": rounds}


def duration_text(minutes: int) -> str:
    """Return minutes as "1 h 05 min"; "> 24 h" for more than a day."""
    if minutes > DAY:
        return f"> {DAY // 60} h"
    hours, rest = divmod(minutes, 60)
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": f"{rest:02}"}


def time_and_day_text(moment: datetime, start: datetime, zone: ZoneInfo) -> str:
    """Return a moment as "14:30", "14:30 the next day" or "14:30, 2 days later".

    Days count from that of ``start``, in the time zone ``zone``.
    """
    local = moment.astimezone(zone)
    days = (local.date() - start.astimezone(zone).date()).days
    time = f"{local:%H:%M}"
    if days == 1:
        return _("%(time)s the next day") % {"time": time}
    return _("%(time)s, %(days)s days later") % {"time": time, "days": days} if days > 1 else time
