"""The way back of a player who has left: every combination of facts has one."""

from itertools import product

import pytest

from rules.events.lifecycle import OPEN, ReturnFacts, Returning, returning


def left(event="running", status="withdrawn", **facts):
    return returning(ReturnFacts(event=event, status=status, **facts))


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"event": "registration"}, "may_ask"),
        ({"event": "closed", "asked": True}, "asked"),
        ({"event": "closed", "asked": True, "refused": True}, "refused"),
        ({"seated": True, "plays": True}, "may_ask"),
        ({"seated": True, "plays": True, "asked": True}, "asked"),
        ({"seated": True, "plays": True, "asked": True, "refused": True}, "refused"),
        ({"seated": True, "plays": False, "asked": True}, "all_played"),
        ({"seated": True, "plays": True, "struck": True}, "struck"),
        ({"admits": True}, "may_ask"),
        ({"admits": False, "asked": True}, "no_place"),
        ({"event": "finished", "seated": True, "plays": True}, "not_offered"),
        ({"status": "disqualified", "seated": True, "plays": True}, "not_offered"),
    ],
)
def test_what_is_left_to_play_decides(facts, found):
    assert left(**facts) == found


def test_only_who_has_left_has_a_way_back():
    seen = set()
    flags = ("seated", "struck", "admits", "plays", "asked", "refused")
    for event, status, *values in product(
        ("draft", "registration", "closed", "running", "finished"),
        ("registered", "waiting", "checked_in", "withdrawn", "disqualified"),
        *[(False, True)] * len(flags),
    ):
        facts = dict(zip(flags, values, strict=True))
        found = left(event, status, **facts)
        seen.add(found)
        gone = status == "withdrawn" and event != "finished"
        assert (found is Returning.NOT_OFFERED) == (not gone)
        if gone and event != "running":
            assert found in OPEN
        if found in OPEN and event == "running":
            assert not facts["struck"]
            assert facts["plays"] if facts["seated"] else facts["admits"]
    assert seen == set(Returning)
