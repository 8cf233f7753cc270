"""The program that checks transcripts judges every line by its own copy of the laws."""

import copy
from hashlib import sha256

import pytest

from rules.events import ledger, record_laws
from tests import factories as make
from tests.transcripts import chained_anew, golden, golden_names, lines_of, program, told
from tournaments.core.acts import acts
from tournaments.exports.views import whole_transcript
from tournaments.formulas.services import save_formula
from tournaments.verification.event import verify_event

program()  # puts its parts where they can be imported

from transcript_checks.law_table import COUNTED, OLDER, VERSION, WRITES  # noqa: E402
from transcript_checks.laws import unwritten  # noqa: E402

LIFE = "3-swiss-cut"


SWISS_SECOND = {
    "girone_formula": 1,
    "name": "Groups and Swiss rounds",
    "about": "",
    "players": {"lowest": 6, "highest": 6},
    "stages": [
        {
            "name": "Groups",
            "kind": "round_robin",
            "groups": [{"name": name, "entrants": "start"} for name in "AB"],
        },
        {
            "name": "Swiss",
            "kind": "swiss",
            "rounds": 2,
            "groups": [
                {
                    "name": "Swiss",
                    "entrants": [
                        {"stage": 1, "group": group, "rank": rank}
                        for rank in (1, 2)
                        for group in "AB"
                    ],
                }
            ],
        },
        {
            "name": "Final",
            "kind": "knockout",
            "groups": [
                {
                    "name": "Final",
                    "entrants": [{"stage": 2, "group": "Swiss", "rank": n} for n in (1, 2)],
                }
            ],
        },
    ],
}


def test_the_programs_copy_of_the_laws_is_the_registrys():
    """A pattern that changes makes another version, so that transcripts of before are known."""
    assert {key: act.writes for key, act in acts().items()} == WRITES
    assert record_laws.VERSION == VERSION
    assert {kind: {*names} for kind, names in COUNTED.items()} == ledger.COUNTED


@pytest.mark.django_db
def test_a_second_stage_of_swiss_rounds_is_opened_with_its_seed(by, checked):
    formula = save_formula(owner=by.user, data=SWISS_SECOND)
    event = make.played(by, 6, formula=formula.slug)
    document = whole_transcript(event)
    assert document["laws"]["acts"]["result.entered"] == WRITES["result.entered"]
    assert list(verify_event(event)) == []
    code, said = checked(document, event.head)
    assert code == 0, said
    assert "laws brought" in said


def rows_of(line):
    return line["facts"].setdefault("rows", {})


def held_before(document, number):
    """Return the rows that the log tells up to a line."""
    shorter = copy.deepcopy(document)
    shorter["log"]["lines"] = [e for e in shorter["log"]["lines"] if e["number"] < number]
    return chained_anew(shorter)["rows"]


def breaks(checked, document, law, number, words):
    """Assert that a document, chained anew, is wrong for this law at this line."""
    code, said = checked(chained_anew(document))
    found = [each for each in said.splitlines() if each.startswith(f"line {number} breaks law")]
    assert code == 1
    assert any(each.startswith(f"line {number} breaks law {law}: ") for each in found), said
    assert any(words in each for each in found), said


def test_the_laws_are_asked_of_every_line(checked):
    document = golden(LIFE)
    said = checked(document)[1]
    lines = len(document["log"]["lines"])
    undone = [line for line in document["log"]["lines"] if line["action"].startswith("act.")]
    assert f"law 2 {lines}, law 3 {lines}, law 1 {lines - len(undone)}" in said
    assert f"law 4 {len(undone)}" in said


def test_an_announcement_that_tells_criteria_is_named(checked):
    document = golden(LIFE)
    line = lines_of(document, "result.entered")[3]
    line["action"] = "announcement.made"
    line["facts"] = {"rows": {"event": document["rows"]["event"] | {"criteria": ["lots"]}}}
    words = "announcement.made may not write event"
    breaks(checked, document, 1, line["number"], words)


@pytest.mark.parametrize(
    ("action", "place", "columns", "words"),
    [
        ("result.entered", "event", {"points_win": 5}, "may not write event"),
        ("result.entered", "entry/1", {"status": "disqualified"}, "may not write entry/1"),
        ("round.published", "stage/1", {"seed": "f" * 32}, "may not write stage/1"),
        ("event.finish", "event", {"criteria": ["lots"]}, "may not write event: criteria"),
        ("entry.disqualify", "entry/1", {"seed": 1}, "may not write entry/1: seed"),
    ],
)
def test_what_an_act_may_not_write_is_named(checked, action, place, columns, words):
    document = golden(LIFE)
    line = lines_of(document, action)[-1]
    before = held_before(document, line["number"])[place]
    rows_of(line)[place] = rows_of(line).get(place, before) | columns
    breaks(checked, document, 1, line["number"], words)


def test_a_place_that_comes_or_goes_by_another_act_is_named(checked):
    document = golden(LIFE)
    line = lines_of(document, "result.entered")[2]
    rows_of(line)["entry/99"] = document["rows"]["entry/1"] | {"number": 99}
    breaks(checked, document, 1, line["number"], "may not write entry/99")
    document = golden(LIFE)
    line = lines_of(document, "result.entered")[2]
    line["facts"]["gone"] = ["round/1/match/1"]
    breaks(checked, document, 1, line["number"], "may not write round/1/match/1")


def test_a_match_that_comes_with_a_result_of_people_is_named():
    """Only results by rule come with their match."""
    report = {"version": 1, "kind": "decision"}
    coming = ("+round/*/match/*",)
    assert unwritten("round/1/match/1", None, {"reports": [report]}, coming, set()) == [
        "round/1/match/1: reports of people"
    ]
    by_rule = {"reports": [report | {"kind": "automatic"}]}
    assert unwritten("round/1/match/1", None, by_rule, coming, set()) == []


def test_a_result_line_that_changes_an_earlier_report_is_named(checked):
    document = golden(LIFE)
    line, place, row = next(
        each for each in told(document, "match") if each[0]["action"] == "result.corrected"
    )
    assert len(row["reports"]) > 1
    row["reports"][0]["winner"] = {"a": "b", "b": "a"}.get(row["reports"][0]["winner"], "a")
    breaks(checked, document, 2, line["number"], f"reports of {place} were told")


def test_a_result_line_that_takes_a_report_away_is_named(checked):
    document = golden(LIFE)
    line, place, row = next(
        each for each in told(document, "match") if each[0]["action"] == "result.corrected"
    )
    row["reports"] = [row["reports"][-1] | {"version": 1}]
    row["version"] = row["decision"] = 1
    breaks(checked, document, 2, line["number"], f"reports of {place} were told")


def test_a_made_draw_that_changes_is_named(checked):
    document = golden(LIFE)
    line = lines_of(document, "round.published")[0]
    draw = document["rows"]["draw/1"]
    rows_of(line)["draw/1"] = draw | {"order": draw["order"][::-1]}
    breaks(checked, document, 3, line["number"], "draw/1 was made or announced order")


def test_a_draw_that_is_gone_or_announced_otherwise_is_named(checked):
    document = golden(LIFE)
    line = lines_of(document, "round.published")[0]
    line["facts"]["gone"] = ["draw/1"]
    breaks(checked, document, 3, line["number"], "draw/1 was made or announced")
    document = golden(LIFE)
    line = lines_of(document, "round.published")[0]
    place, draw = next(
        (p, r)
        for p, r in held_before(document, line["number"]).items()
        if p.startswith("draw/") and r["state"] == "announced"
    )
    rows_of(line)[place] = draw | {"fingerprint": "0" * 64}
    breaks(checked, document, 3, line["number"], f"{place} was made or announced fingerprint")


def drawn_from(document, seed):
    """Let the first draw of the start be drawn from another seed; return its line and row."""
    line = lines_of(document, "draw.start")[0]
    for told_later in document["log"]["lines"]:
        row = told_later["facts"].get("rows", {}).get("draw/1")
        if row and row["state"] == "drawn":
            row["seed"] = seed
    return line, rows_of(line)["draw/1"]


def test_a_draw_from_another_seed_than_its_fingerprint_is_named(checked):
    document = golden(LIFE)
    line, _row = drawn_from(document, "chosen")
    words = "the seed of draw/1 has another fingerprint"
    breaks(checked, document, 3, line["number"], words)


def test_a_seed_that_was_not_announced_is_one_that_somebody_gave(checked):
    document = golden(LIFE)
    line, row = drawn_from(document, "chosen")
    row["fingerprint"] = sha256(b"chosen").hexdigest()
    origin = {"number": 1, "by_hand": False, "public_since": None, "told_by_line": None, "count": 1}
    document["draws"] = [origin | {"seed_given": False}]
    breaks(checked, document, 3, line["number"], "nobody gave the seed of draw/1")
    document["draws"] = [origin | {"seed_given": True}]
    assert "breaks law 3" not in checked(document)[1]


@pytest.mark.parametrize("action", ["act.undone", "act.redone"])
def test_an_undo_that_reaches_what_no_line_held_is_named(checked, action):
    document = golden(LIFE)
    line = lines_of(document, action)[0]
    before = held_before(document, line["number"])
    place, entry = next((p, r) for p, r in before.items() if p.startswith("entry/"))
    rows_of(line)[place] = entry | {"status": "disqualified"}
    breaks(checked, document, 4, line["number"], place)


def test_an_undo_that_brings_a_result_that_nobody_reported_is_named(checked):
    document = golden("25-single-group")
    line, place, row = next(
        each
        for each in told(document, "match")
        if each[0]["action"] in ("act.undone", "act.redone") and each[2]["reports"]
    )
    row["reports"].append(row["reports"][-1] | {"winner": "draw", "version": row["version"] + 1})
    row["version"] += 1
    row["decision"], row["state"] = row["version"], "final"
    breaks(checked, document, 4, line["number"], place)


def test_a_file_that_brings_its_own_laws_is_named(checked):
    document = golden(LIFE)
    document["laws"] = {"version": VERSION, "acts": {k: [*v] for k, v in WRITES.items()}}
    assert checked(document)[0] == 0
    of_one = {key: [OLDER[1].get(one, one) for one in own] for key, own in WRITES.items()}
    assert checked(document | {"laws": {"version": 1, "acts": of_one}})[0] == 0
    document["laws"]["acts"]["announcement.made"] = ["event: criteria"]
    assert checked(document)[0] == 0, "no line of that act"
    document["laws"]["acts"]["result.entered"] = ["event: criteria"]
    code, said = checked(document)
    assert code == 1
    assert f"the file brings another law for result.entered than version {VERSION} has" in said
    document["laws"]["version"] = VERSION + 1
    code, said = checked(document)
    assert code == 3
    assert f"laws that the file brings: not checked, because they are version {VERSION + 1}" in said


def test_an_act_that_this_program_does_not_know_is_not_checked(checked):
    document = golden(LIFE)
    line = lines_of(document, "result.entered")[0]
    line["action"] = "result.dreamt"
    code, said = checked(chained_anew(document))
    assert code == 3
    assert "this program does not know the act result.dreamt" in said


def test_what_was_there_when_the_log_began_was_written_by_no_act(checked):
    document = golden("begun-late")
    last = document["log"]["lines"][-1]
    said = checked(document)[1]
    assert f"The log tells what was done from line {last['number']} on." in said
    document = golden(LIFE)
    line = lines_of(document, "result.entered")[-1]
    changed = {"entry/1": document["rows"]["entry/1"] | {"status": "disqualified"}}
    rows = held_before(document, line["number"]) | rows_of(line) | changed
    line["facts"] = {"whole": True, "begun": True, "rows": rows}
    breaks(checked, document, 1, line["number"], "may not write entry/1")


@pytest.mark.parametrize("name", golden_names())
def test_no_line_of_before_the_laws_breaks_one(checked, name):
    assert "breaks law" not in checked(golden(name))[1]
