"""What a stored plan holds: stages, groups, seats and places."""

from collections.abc import Mapping

from rules.plans.places import KINDS
from rules.plans.plan import FormulaPlan, shares_of
from rules.stages.kind import STAGE_KINDS
from rules.stages.settings import LEGS
from tournaments.core.valid_json import ByName, Either, ListOf, Passing, Record, Worded
from tournaments.core.valid_values import SMALL, Kind, OneOf, Slug, Text, Whole, YesNo
from tournaments.models.match import MOST_SEATS

MOST_PLAYERS = 10_000
NAME = Text(120)
_SEATS = ListOf(Text(NAME.most), MOST_PLAYERS)
_PLACE: Mapping[str, Kind] = {
    "name": NAME,
    "group": NAME,
    "groups": ListOf(NAME, MOST_PLAYERS),
    **dict.fromkeys(("rank", "nth", "match"), Whole(1, SMALL)),
}
OWN_SETTING = Either((YesNo(), Whole(0, SMALL), Text(40), ListOf(Whole(2, MOST_SEATS))))
PLAN = Passing(
    Record(
        {
            "formula": Slug(60),
            "players": Whole(0, MOST_PLAYERS),
            "stages": ListOf(
                Record(
                    {
                        "key": Text(40, least=1),
                        "label": Worded(),
                        "kind": OneOf(STAGE_KINDS.keys()),
                        "groups": ListOf(Record({"name": Text(40), "seats": _SEATS}), MOST_PLAYERS),
                        "places": ListOf(Record({"kind": OneOf(KINDS)}, _PLACE), MOST_PLAYERS),
                        "best_of": ListOf(Whole(1, 99), 99, least=1),
                        "interchangeable": ListOf(_SEATS, MOST_PLAYERS),
                    },
                    {
                        "legs": Whole(LEGS.least, LEGS.most),
                        "order": Text(40),
                        **dict.fromkeys(("survivors", "ranks_from"), Whole(0, MOST_PLAYERS)),
                        "rounds": Whole(0, MOST_PLAYERS),
                        **dict.fromkeys(("one_leg_only", "timed", "third_place"), YesNo()),
                        **dict.fromkeys(("apart", "without_last", "second_final"), YesNo()),
                        "byes": ListOf(ListOf(Whole(1), 2, least=2)),
                        "own": ByName(
                            Either(
                                (YesNo(), Whole(0, SMALL), Text(40), ListOf(Whole(2, MOST_SEATS)))
                            )
                        ),
                    },
                ),
                100,
                least=1,
            ),
        },
        {
            "shares": Passing(
                Record({}, dict.fromkeys(("floor", "draw", "byes", "bye_games"), Text(9))),
                shares_of,
            ),
            "holders": ByName(Whole(1), NAME),
        },
    ),
    FormulaPlan.from_json,
)
