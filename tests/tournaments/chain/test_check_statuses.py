"""The program that checks transcripts: statuses of honest events, and such as no act makes."""

import pytest

from tests.transcripts import chained_anew, golden, golden_names, lines_of, told

APART = "groups are kept apart there"
LIFE = "3-swiss-cut"


@pytest.mark.parametrize("name", golden_names())
def test_a_transcript_of_before_the_laws_is_checked_as_it_was(checked, name):
    document = golden(name)
    code, said = checked(document, document["log"]["lines"][-1]["digest"])
    assert code == (3 if APART in said else 0), said
    assert "wrong 0" in said
    assert ("statuses of entry" in said) == (name != "begun-late")


def forged(document, kind, change):
    """Change the first row of a kind in the log that can be changed so, and chain anew."""
    for line, place, row in told(document, kind):
        if change(row):
            chained_anew(document)
            return f"line {line['number']}: {place}"
    raise AssertionError("nothing could be changed so")


def undecided(match):
    if match["state"] != "final":
        return False
    match["state"] = "reported"
    return True


def unreported(match):
    if not match["reports"]:
        return False
    match["reports"].pop()
    return True


def lost_by_the_winner(match):
    played = [r for r in match["reports"] if r["ended_by"] == "played"]
    if not played or match["b"] is None or played[-1]["winner"] not in ("a", "b"):
        return False
    played[-1]["winner"] = {"a": "b", "b": "a"}[played[-1]["winner"]]
    return True


def drawn_by_nobody(match):
    last = match["reports"][-1:]
    if not last or match["b"] is None:
        return False
    last[0]["ended_by"] = "bye"
    return True


def won_alone(match):
    if match["b"] is not None or not match["reports"]:
        return False
    match["reports"][-1]["ended_by"] = "played"
    return True


def confirmed_by_players(match):
    if not match["reports"] or match["reports"][-1]["kind"] != "decision":
        return False
    match["reports"][-1]["kind"] = "confirmation"
    return True


def decided_by_an_earlier_one(match):
    if match["decision"] is None or match["version"] < 2:
        return False
    match["decision"] -= 1
    return True


def nothing_known(row):
    row["state"] = "unknown"
    return True


def never_published(row):
    if row["state"] != "published":
        return False
    row["published_at"] = None
    return True


def never_closed(stage):
    if stage["state"] != "closed":
        return False
    stage["closed_at"] = None
    return True


def never_planned(stage):
    stage["key"] = "other"
    return True


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        *(("match", change) for change in (undecided, unreported, lost_by_the_winner)),
        *(("match", change) for change in (drawn_by_nobody, won_alone, confirmed_by_players)),
        *(("round", never_published), ("stage", never_closed), ("stage", never_planned)),
        *((kind, nothing_known) for kind in ("match", "round", "stage", "draw", "event")),
        ("match", decided_by_an_earlier_one),
    ],
)
def test_a_row_that_does_not_agree_with_itself_is_named(checked, kind, change):
    document = golden(LIFE)
    where = forged(document, kind, change)
    code, said = checked(document)
    assert code == 1
    assert where in said


@pytest.mark.parametrize(
    ("action", "status"),
    [("round.published", "disqualified"), ("result.entered", "withdrawn"), ("draw.start", "gone")],
)
def test_a_status_that_the_act_does_not_make_is_named(checked, action, status):
    document = golden(LIFE)
    place, row = next((p, r) for p, r in document["rows"].items() if p.startswith("entry/"))
    line = lines_of(document, action)[0]
    line["facts"].setdefault("rows", {})[place] = row | {"status": status}
    code, said = checked(chained_anew(document))
    assert code == 1
    assert f"line {line['number']}: {place} went from" in said


def test_an_event_that_finished_without_an_act_is_named(checked):
    document = golden(LIFE)
    line = lines_of(document, "event.finish")[-1]
    line["action"] = "announcement.made"
    code, said = checked(chained_anew(document))
    assert code == 1
    assert f"line {line['number']}: event went from running to finished" in said


def test_a_loss_by_rule_of_who_had_not_left_is_named(checked):
    document = golden(LIFE)
    gone = {
        p for p, r in document["rows"].items() if r.get("status") in ("withdrawn", "disqualified")
    }
    line, place, row = next(
        each
        for each in told(document, "match")
        if each[2]["b"] is not None
        and each[2]["reports"]
        and not gone & {f"entry/{each[2]['a']}", f"entry/{each[2]['b']}"}
    )
    row["reports"][-1] |= {"kind": "automatic", "ended_by": "concession"}
    code, said = checked(chained_anew(document))
    assert code == 1
    assert f"line {line['number']}: {place} was lost by somebody who had not left" in said


@pytest.mark.parametrize(
    ("place", "columns", "words"),
    [
        ("round/1", {"state": "draft", "published_at": None}, "round 1: it is draft"),
        ("stage/2", {"state": "open", "closed_at": None, "places": {}}, "stage 2: it is open"),
        ("entry/1", {"status": "waiting"}, "player 1 has a seat, but not a place"),
    ],
)
def test_what_is_not_over_at_the_end_is_named(checked, place, columns, words):
    document = golden("swiss-cut-5")
    last = document["log"]["lines"][-1]
    last["facts"]["rows"][place] = document["rows"][place] | columns
    code, said = checked(chained_anew(document))
    assert code == 1
    assert words in said
