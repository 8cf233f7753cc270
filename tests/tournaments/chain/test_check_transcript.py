"""The program that checks transcripts: honest events of every formula, forged and broken files."""

import contextlib
import copy
import json
from random import Random

import pytest

from rules.results import EndedBy
from tests import factories as make
from tests.chance_events import FORMULAS, chance_event
from tests.transcripts import DOCS, chained_anew, golden, lines_of, program
from tournaments.core.event_state import load_facts
from tournaments.exports.views import whole_transcript
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.penalties import services as penalties
from tournaments.starting import services as starting

pytestmark = pytest.mark.django_db

CRITERIA = ["points", "fewest_penalties", "lots"]
UNSEEN = ("event", "restored")
WRONG = [None, "", "x", -1, 10**30, 1.5, True, [], {}, [[]], {"a": {}}, "\ud800", [1, None, "x"]]


def events():
    """Return seeds for each shipped formula; all but two events are for ``make test-all``.

    Each day those are checked that are kept as files (``test_check_statuses.py``).
    """
    daily = {("mutant-chronicles", 0), ("swiss-cut", 0)}
    return [
        pytest.param(formula, seed, marks=[] if (formula, seed) in daily else pytest.mark.deep)
        for formula in FORMULAS
        for seed in range(15)
    ]


@pytest.mark.parametrize(("formula", "seed"), events())
def test_every_rank_of_an_honest_event_is_computed(by, checked, formula, seed):
    event = chance_event(by, formula, seed)
    code, said = checked(whole_transcript(event), event.head)
    *sentences, counts = said.splitlines()
    apart = any(stage.plan.apart for stage in load_facts(event).stages)
    assert code == (3 if apart else 0), said
    unchecked = [words for words in sentences[:-2] if not words.startswith("draw ")]
    assert all("groups are kept apart there" in words for words in unchecked), said
    assert sentences[-2] == "Not restored from an archive."
    assert f" {event.entries.count()} ranks, fingerprint {event.head}" in sentences[-1]
    assert counts.endswith(f"wrong 0, not checked {apart:d}")


def test_where_each_draw_comes_from_is_said_and_further_ones_are_counted(by, checked):
    event = make.open_event(by, formula="single-elimination")
    make.players(event, 2, by)
    draws.draw_start_order(event=event, by=by)
    draws.record_start_order(event=event, order=[2, 1], witnesses="Ada", by=by)
    draw = draws.draw_start_order(event=event, seed="mine", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    document = whole_transcript(make.play_event(Event.objects.get(pk=event.pk), by))
    code, said = checked(document)
    assert (code, said.splitlines()[:3]) == (
        0,
        [
            "draw 1: its fingerprint was public before, from line 1",
            "draw 2: drawn by hand; second draw of the start",
            "draw 3: its seed was given by somebody, not drawn; third draw of the start",
        ],
    )
    of_before = {key: document[key] for key in document if key != "draws"}
    assert checked(of_before)[0] == 0
    document["draws"][2] |= {"seed_given": False, "told_by_line": 1}
    code, said = checked(document)
    assert code == 1
    assert "draw 3: it does not come from where the transcript says" in said
    assert "draw 3: its seed was given by somebody, not drawn" in said


def test_partial_answers_zero_where_nothing_is_wrong(checked):
    document = golden("groups-knockout-7")
    assert checked(document)[0] == 3
    assert checked(document, "--partial")[0] == 0
    document["ranking"][0]["rank"] = 2
    assert checked(document, "--partial")[0] == 1


def test_a_double_loss_in_the_final_is_no_fault(by, checked):
    def nobody_wins(match, index):
        final = match.number == 3
        return make.Claim(ended_by=EndedBy.DOUBLE_LOSS) if final else make.a_wins(match, index)

    event = make.play_event(make.started(by, 4, formula="single-elimination"), by, nobody_wins)
    code, said = checked(whole_transcript(event), event.head)
    assert code == 0, said


def test_what_rests_on_penalties_is_said_not_to_be_checked(by, checked):
    event = make.started(by, 4, formula="single-group", criteria=CRITERIA)
    entry = event.entries.get(number=2)
    penalties.give_penalty(entry=entry, level="warning", infraction="late", note="", by=by)
    event = make.play_event(event, by, lambda match, _index: make.Claim(score=(30, 30)))
    code, said = checked(whole_transcript(event), event.head)
    assert code == 3
    assert "places of stage 1: not checked, because penalties are not public" in said
    assert "ranks 1 to 4: not checked, because penalties are not public" in said
    assert "wrong 0, not checked 2" in said


@pytest.mark.parametrize(
    "times", [pytest.param(100, id="daily"), pytest.param(3000, id="deep", marks=pytest.mark.deep)]
)
def test_a_broken_file_gives_a_verdict_and_no_traceback(checked, times):
    document = golden("swiss-cut-5")
    draw = Random(19)
    for _time in range(times):
        broken = copy.deepcopy(document)
        spoil(broken, draw)
        code, said = checked(broken)
        if computed(broken) != computed(document):
            assert code in (1, 3), said
        assert said.splitlines()[-1].startswith("right ")


@pytest.mark.parametrize("survivors", [0, -1])
def test_a_bracket_that_has_no_end_ends(checked, survivors):
    document = golden("swiss-cut-5")
    (start,) = lines_of(document, "event.start")
    for line in document["log"]["lines"]:
        plan = line["facts"].get("rows", {}).get("event", {}).get("plan") or {"stages": []}
        for stage in plan["stages"]:
            stage["survivors"] = survivors
    assert start["facts"]["rows"]["event"]["plan"]["stages"][-1]["survivors"] == survivors
    code, said = checked(chained_anew(document))
    assert code == 3
    assert "a bracket that leaves nobody" in said


def computed(document):
    """Return a document without what nothing outside the site can check."""
    kept = copy.deepcopy({key: document[key] for key in document if key not in UNSEEN})
    with contextlib.suppress(AttributeError, KeyError, TypeError):
        for row in kept["players"]:
            row.pop("name", None), row.pop("club", None)
        for line in kept["log"]["lines"]:
            line.pop("signature", None)
    return kept


def spoil(value, draw):
    """Replace or remove something at a depth drawn at random."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = draw.choice(keys)
    inner = value[key]
    if isinstance(inner, dict | list) and inner and draw.random() < 0.9:
        spoil(inner, draw)
    elif draw.random() < 0.3:
        del value[key]
    else:
        value[key] = draw.choice(WRONG)


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b"[]", b"null", b"{}"])
def test_what_is_no_transcript_is_not_checked(tmp_path, capsys, content):
    path = tmp_path / "transcript.json"
    path.write_bytes(content)
    assert program().main([str(path)]) == 3
    assert "wrong 0, not checked 1" in capsys.readouterr().out


def test_a_key_that_stands_twice_is_not_read(tmp_path, capsys):
    text = json.dumps(golden("single-group-3"))
    path = tmp_path / "transcript.json"
    path.write_text(text.replace('"ranking":', '"ranking": [], "ranking":', 1))
    assert program().main([str(path)]) == 3
    assert "a key stands twice" in capsys.readouterr().out


def test_called_in_another_way_it_says_how(capsys):
    assert program().main([]) == 2
    assert program().main(["nothing.json"]) == 2
    assert "python check_transcript.py transcript.json" in capsys.readouterr().out


def test_it_is_plain_python_of_short_files():
    parts = [DOCS / "check_transcript.py", *(DOCS / "transcript_checks").glob("*.py")]
    assert len(parts) > 5
    for part in parts:
        lines = part.read_text().splitlines()
        assert len(lines) <= 300, part.name
        imports = {
            line.split()[1].split(".")[0]
            for line in lines
            if line.strip().startswith(("import ", "from "))
        }
        own = {"transcript_checks", "networkx"}
        assert imports <= own | {
            "collections",
            "contextlib",
            "fractions",
            "functools",
            "hashlib",
            "itertools",
            "json",
            "math",
            "pathlib",
            "sys",
        }
