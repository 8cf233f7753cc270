"""What a line may tell: the first three laws of the record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.events.ledger import Ledger, Line, kind_of
from rules.events.record_laws import Pattern, breaches, pattern
from tests.rules.events.lines_told import MATCH, RESULT, Record, draw, match, report

DRAWS = ("+draw/*", "draw/*: state, seed, fingerprint, by_hand, order")
EVENT = {"state": "running", "plan": None, "name": "Torneo"}


def test_patterns_are_read():
    assert pattern("entry/*") == Pattern("", "entry/*")
    assert pattern("+round/*") == Pattern("+", "round/*")
    assert pattern("-round/*") == Pattern("-", "round/*")
    found = Pattern("", "round/*/match/*", frozenset({"state"}), frozenset({"reports"}))
    assert pattern("round/*/match/*: state, +reports") == found


@pytest.mark.parametrize("text", ["", "+", ": state", "event:", "event: +", "+entry/*: seed"])
def test_a_pattern_that_says_nothing_is_refused(text):
    with pytest.raises(ValueError, match=r".*"):
        pattern(text)


def test_kinds_of_places():
    assert kind_of("round/5/match/3") == "round/*/match/*"
    assert kind_of("event") == "event"


class TestWhatAnActWrites:
    def test_the_columns_that_it_names(self):
        record = Record(event=EVENT)
        told = {"event": EVENT | {"state": "finished", "name": "Coppa"}}
        assert record.broken(("event: state",), rows=told) == []
        assert record.broken(("event",), rows=told) == [(1, "event", "state")]
        assert record.broken((), rows=told) == [(1, "event", ""), (1, "event", "state")]

    def test_what_does_not_count_where_it_tells_of_the_place(self):
        record = Record(event=EVENT, entry_1={"seed": None, "number": 1})
        told = {"event": EVENT | {"name": "Coppa"}}
        assert record.broken(("event",), rows=told) == []
        assert record.broken(("entry/*",), rows=told) == [(1, "event", "")]

    def test_what_is_told_again_as_it_was(self):
        assert Record(event=EVENT).broken((), rows={"event": dict(EVENT)}) == []

    def test_a_column_that_later_versions_tell(self):
        record = Record(event=EVENT)
        assert record.broken(("event",), rows={"event": EVENT | {"points_win": 3}}) == []
        assert (
            record.broken(("event",), rows={"event": {"name": "Torneo", "state": "running"}}) == []
        )
        told = {"event": {"name": "Torneo", "plan": None}}
        assert record.broken(("event",), rows=told) == [(1, "event", "state")]

    def test_who_sat_at_a_match_before_is_told_by_the_act_that_gives_it_away(self):
        record = Record(round_1_match_1=match(report(1)))
        told = {MATCH: match(report(1), earlier=[{"until": 1, "seats": [5, 6]}])}
        assert record.broken(RESULT, rows=told) == [(1, MATCH, "earlier")]
        assert record.broken(("round/*/match/*: earlier",), rows=told) == []
        record.add(rows=told)
        assert record.broken(RESULT, rows={MATCH: match(report(1))}) == [(1, MATCH, "earlier")]

    def test_places_that_come_and_go(self):
        record = Record(entry_1={"seed": None})
        assert record.broken(("+entry/*",), rows={"entry/2": {"seed": 1}}) == []
        assert record.broken(("entry/*: seed",), rows={"entry/2": {}}) == [(1, "entry/2", "")]
        assert record.broken(("-entry/*",), gone=["entry/1", "entry/9"]) == []
        assert record.broken(("+entry/*",), gone=["entry/1"]) == [(1, "entry/1", "")]

    def test_what_goes_with_a_place(self):
        record = Record(round_1={"state": "closed"}, round_1_match_1=match())
        assert record.broken(("-round/*",), gone=["round/1"]) == [(1, MATCH, "")]
        assert record.broken(("-round/*", "-round/*/match/*"), gone=["round/1"]) == []

    def test_closed_words_count_as_a_kind_of_place(self):
        record = Record({"penalties": {"given": [1]}}, penalties={})
        told = {"rows": {"penalties": {}}, "words": {"penalties": {"given": [1, 2]}}}
        assert record.broken(("penalties",), **told) == []
        assert record.broken(("event",), **told) == [(1, "penalties", "")]
        assert record.broken(("event",), told["words"]) == [(1, "penalties", "")]

    def test_a_new_match_has_results_by_rule_alone(self):
        record = Record(event=EVENT)
        bye = match(report(1, kind="automatic"))
        assert record.broken(("+round/*/match/*",), rows={MATCH: bye}) == []
        told = {MATCH: match(report(1))}
        assert record.broken(("+round/*/match/*",), rows=told) == [(1, MATCH, "reports")]

    def test_the_first_line_of_an_event_makes_it(self):
        line = Line(number=1, facts={"whole": True, "rows": {"event": {}, "entry/1": {}}}, words={})
        ledger = Ledger()
        told = ledger.changes_by(line)
        made = list(breaches(ledger, line, ("+event",), told))
        assert [(each.law, each.place) for each in made] == [(1, "entry/1")]
        assert list(breaches(ledger, line, ("event",), told)) == []
        begun = Line(number=1, facts={**line.facts, "begun": True}, words={})
        assert list(breaches(ledger, begun, ("+event",), told)) == []

    def test_a_later_line_begins_nothing(self):
        record = Record(event=EVENT)
        told = {"event": EVENT | {"state": "finished"}}
        assert record.broken(("+event",), begun=True, rows=told)


class TestDrafts:
    ROUND = {"state": "draft"}
    PUBLISHED = ("round/*: state",)

    def test_what_is_published_is_what_was_drafted(self):
        draft = {MATCH: {"draft": match()}}
        record = Record(draft, round_1=self.ROUND, round_1_match_1={})
        told = {"round/1": {"state": "published"}, MATCH: match()}
        assert record.broken(self.PUBLISHED, rows=told) == []
        other = told | {MATCH: match(b=3)}
        assert record.broken(self.PUBLISHED, rows=other) == [(1, MATCH, ""), (1, MATCH, "b")]

    def test_who_may_not_read_it_learns_of_the_match_with_its_round(self):
        record = Record(round_1=self.ROUND, round_1_match_1={})
        told = {"round/1": {"state": "published"}, MATCH: match()}
        assert record.broken(self.PUBLISHED, rows=told) == []
        assert record.broken(RESULT, rows={MATCH: match()}) == [(1, MATCH, "")]
        record.add(rows=told)
        again = {"round/1": self.ROUND, MATCH: {}}
        assert record.broken(self.PUBLISHED, rows=again) == []

    def test_byes_of_a_draft_go_with_its_pairing(self):
        bye = match(report(1, kind="automatic"), b=None)
        record = Record({MATCH: {"draft": bye}}, round_1=self.ROUND, round_1_match_1={})
        words = {MATCH: {"draft": match()}}
        may = ("round/*/match/*: b, version, state, decision, reports",)
        assert record.broken(may, words, rows={MATCH: {}}) == []
        found = record.broken(RESULT, words, rows={MATCH: {}})
        assert found == [(1, MATCH, "b"), (1, MATCH, "reports")]


class TestReports:
    def test_one_more_is_a_result(self):
        record = Record({}, round_1_match_1=match())
        told = {MATCH: match(report(1))}
        assert record.broken(RESULT, rows=told) == []
        found = record.broken(("round/*/match/*",), rows=told)
        assert {column for _law, _place, column in found} == {
            *("version", "state", "decision", "reports"),
        }

    @pytest.mark.parametrize("writes", [RESULT, ("event",), ("round/*/match/*: reports",)])
    def test_one_that_was_told_never_changes(self, writes):
        record = Record({}, round_1_match_1=match(report(1), report(2)))
        for reports in (
            (report(1), report(2, "b")),
            (report(1, "b"), report(2)),
            (report(1),),
            (report(1, "b"), report(2), report(3)),
        ):
            told = {MATCH: match(*reports, version=2, decision=2)}
            assert (2, MATCH, "reports") in record.broken(writes, rows=told)

    def test_it_goes_with_its_match_and_never_alone(self):
        record = Record({}, round_1={}, round_1_match_1=match(report(1)))
        gone = ("-round/*", "-round/*/match/*")
        assert record.broken(gone, gone=["round/1"]) == []

    def test_it_may_have_columns_of_later_versions(self):
        record = Record({}, round_1_match_1=match(report(1)))
        later = report(1) | {"invented": True}
        assert record.broken(RESULT, rows={MATCH: match(later)}) == []

    def test_its_closed_part_changes_by_an_erasure_alone(self):
        words = {MATCH: {"told": [{"note": "detto da Anna", "player": 1}]}}
        record = Record(words, round_1_match_1=match(report(1)))
        told = {MATCH: match(report(1), report(2))}
        more = {MATCH: {"told": [*words[MATCH]["told"], {"note": "corretto"}]}}
        assert record.broken(RESULT, more, rows=told) == []
        for other in ({MATCH: {"told": [{"player": 2}, {}]}}, {}):
            assert record.broken(RESULT, other, rows=told) == [(2, MATCH, "told")]
            erased = record.broken(RESULT, other, rows=told, erased=[1])
            assert erased == []

    def test_a_draft_is_no_longer_told(self):
        record = Record(round_1={"state": "published"}, round_1_match_1=match(report(1)))
        told = {"round/1": {"state": "draft"}, MATCH: {}}
        assert record.broken(("round/*: state",), rows=told) == []


class TestDraws:
    def test_it_is_by_the_fingerprint_that_was_told(self):
        record = Record({}, draw_1=draw())
        told = {"draw/1": draw("seed"), "draw/2": draw(told="next")}
        assert record.broken(DRAWS, rows=told) == []

    def test_a_seed_of_another_fingerprint(self):
        record = Record({}, draw_1=draw())
        assert record.broken(DRAWS, rows={"draw/1": draw("x")}) == [(3, "draw/1", "seed")]
        told = {"draw/1": draw("x", "x")}
        assert record.broken(DRAWS, rows=told) == [(3, "draw/1", "fingerprint")]
        given_seed = {"draw/1": {"note": "public seed"}}
        assert record.broken(DRAWS, given_seed, rows=told) == []
        assert Record(draw_1=draw()).broken(DRAWS, rows=told) == []
        made = {"draw/2": draw("x", "x")}
        assert record.broken(DRAWS, rows=made) == [(3, "draw/2", "fingerprint")]

    def test_by_hand_there_is_no_seed(self):
        told = {"draw/1": draw(state="drawn", by_hand=True, fingerprint="", seed="", order=[1])}
        assert Record({}, draw_1=draw()).broken(DRAWS, rows=told) == []

    def test_an_announced_fingerprint_stays(self):
        told = {"draw/1": draw(told="other")}
        found = Record({}, draw_1=draw()).broken(DRAWS, rows=told)
        assert found == [(3, "draw/1", "fingerprint")]
        told = {"draw/1": draw(announced_at="later")}
        assert Record({}, draw_1=draw()).broken(DRAWS, rows=told) == []

    def test_it_never_changes_and_never_goes(self):
        words = {"draw/1": {"witnesses": "Anna"}}
        record = Record(words, draw_1=draw("seed", order=[1, 2], stage=1))
        told = {"draw/1": draw("seed", order=[2, 1], stage=1)}
        assert record.broken(DRAWS, words, rows=told) == [(3, "draw/1", "order")]
        assert record.broken(("-draw/*",), gone=["draw/1"]) == [(3, "draw/1", "")]
        same = {"draw/1": draw("seed", order=[1, 2], stage=1)}
        other = {"draw/1": {"witnesses": "Bea"}}
        assert record.broken(DRAWS, other, rows=same) == [(3, "draw/1", "witnesses")]
        assert record.broken(DRAWS, other, rows=same, erased=[1]) == []
        unread = Record(draw_1=draw("seed", order=[1, 2]))
        told = {"draw/1": draw("seed", order=[2, 1])}
        assert unread.broken(DRAWS, rows=told) == [(3, "draw/1", "order")]

    def test_a_restored_event_may_have_no_such_stage(self):
        record = Record({}, draw_1=draw("seed", stage=2))
        told = {"draw/1": draw("seed", stage=None)}
        assert record.broken(("held",), names=1, whole=True, rows=told) == []
        assert record.broken(DRAWS, rows=told)


COLUMNS = {
    "event": ("state", "plan", "name"),
    "entry/1": ("seed", "status", "number"),
    "stage/1": ("state", "groups"),
    "round/1": ("state", "level"),
}
VALUES = st.none() | st.integers(0, 2) | st.lists(st.integers(0, 1), max_size=2)
ROWS = st.fixed_dictionaries(
    {place: st.fixed_dictionaries(dict.fromkeys(names, VALUES)) for place, names in COLUMNS.items()}
)
UNCOUNTED = {("event", "name"), ("entry/1", "number")}


@given(before=ROWS, now=ROWS, may=st.sets(st.sampled_from(sorted(COLUMNS))), data=st.data())
def test_a_line_is_within_its_patterns_or_named_for_each_column_that_counts(before, now, may, data):
    named = {place: data.draw(st.sets(st.sampled_from(COLUMNS[place]))) for place in sorted(may)}
    writes = tuple(
        f"{kind_of(place)}: {', '.join(sorted(names))}" if names else kind_of(place)
        for place, names in named.items()
    )
    record = Record({}, **{place.replace("/", "_"): row for place, row in before.items()})
    wrong = {
        (place, column)
        for place, row in now.items()
        for column, value in row.items()
        if value != before[place][column]
        and (place, column) not in UNCOUNTED
        and column not in named.get(place, ())
    } | {(place, "") for place in now if now[place] != before[place] and place not in may}
    assert {(place, column) for _law, place, column in record.broken(writes, rows=now)} == wrong
