"""What undo, redo and a restored snapshot may bring back: the fourth law of the record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.events.record_laws import HELD
from tests.rules.events.lines_told import MATCH, Record, draw, match, report

ENTRY = {"seed": 1, "status": "registered"}


def undone(record, names, words=None, **told):
    return record.broken(HELD, words, names=names, **told)


def played(*reports, words=None):
    """Return a log whose second line adds a report to a match."""
    record = Record(words if words is not None else {}, round_1_match_1=match(*reports[:-1]))
    record.add(rows={MATCH: match(*reports)})
    return record


class TestUndo:
    def test_a_column_is_as_before_the_act(self):
        record = Record({}, entry_1=ENTRY)
        record.add(rows={"entry/1": ENTRY | {"status": "withdrawn"}})
        record.add(rows={"entry/1": {"seed": 2, "status": "withdrawn"}})
        assert undone(record, 2, rows={"entry/1": {"seed": 2, "status": "registered"}}) == []
        for status in ("disqualified", "checked_in", None):
            told = {"entry/1": {"seed": 2, "status": status}}
            assert undone(record, 2, rows=told) == [(4, "entry/1", "status")]

    def test_places_come_back_and_go_as_they_were(self):
        record = Record({}, entry_1=ENTRY)
        record.add(gone=["entry/1"], rows={"entry/2": ENTRY})
        assert undone(record, 2, rows={"entry/1": ENTRY}, gone=["entry/2"]) == []
        other = {"entry/1": ENTRY | {"seed": 3}}
        assert undone(record, 2, rows=other) == [(4, "entry/1", "seed")]
        assert undone(record, 2, rows={"entry/3": ENTRY}) == [(4, "entry/3", "")]
        record.add(rows={"entry/1": ENTRY})
        assert undone(record, 3, gone=["entry/1", "entry/2"]) == [(4, "entry/2", "")]

    def test_an_act_begins_before_the_lines_that_it_wrote_meanwhile(self):
        record = Record({}, entry_1=ENTRY)
        record.add(gone=["entry/1"])
        record.add(since=1)
        assert undone(record, 3, rows={"entry/1": ENTRY}) == []

    def test_reports_of_who_sat_there_meanwhile_stay_theirs(self):
        """A correction gave the match to others (line 2), who reported; it is undone."""
        first, other = [{"until": 1, "seats": [1, 2]}], report(2, "b")
        record = Record({}, round_1_match_1=match(report(1), seats=[1, 2]))
        record.add(rows={MATCH: match(report(1), other, a=3, seats=[3, 2], earlier=first)})
        again = match(report(1), other, report(3), seats=[1, 2])
        sat = [*first, {"until": 2, "seats": [3, 2]}]
        assert undone(record, 2, rows={MATCH: again | {"earlier": sat}}) == []
        for wrong in ([], sat[1:], [*first, {"until": 2, "seats": [1, 2]}], [*sat, sat[-1], {}]):
            told = {MATCH: again | {"earlier": wrong}}
            assert undone(record, 2, rows=told) == [(4, MATCH, "earlier")]

    @pytest.mark.parametrize("names", [None, 3, 9])
    def test_a_line_that_names_no_earlier_one_brings_nothing(self, names):
        record = Record({}, entry_1=ENTRY)
        record.add(rows={"entry/1": ENTRY | {"seed": 2}})
        assert undone(record, names, rows={"entry/1": ENTRY}) == [(4, "entry/1", "")]
        assert undone(record, names, rows={"entry/1": ENTRY | {"seed": 2}}) == []

    def test_of_what_was_before_the_chain_nothing_is_known(self):
        record = Record({}, entry_1=ENTRY)
        assert undone(record, 1, rows={"entry/1": {"seed": 9, "status": "registered"}}) == []

    def test_what_does_not_count_is_not_asked_for(self):
        words = {"event": {"fee": "5"}}
        record = Record(words, event={"lists_published_at": "12:00", "state": "running"})
        record.add(words, rows={"event": {"lists_published_at": "13:00", "state": "finished"}})
        told = {"event": {"lists_published_at": None, "state": "running"}}
        assert undone(record, 2, {"event": {"fee": "6"}}, rows=told) == []
        told["event"]["state"] = "draft"
        assert undone(record, 2, words, rows=told) == [(4, "event", "state")]


class TestResults:
    def test_a_match_is_open_again_and_keeps_its_report(self):
        record = played(report(1))
        told = {MATCH: match(report(1), state="open", decision=None)}
        assert undone(record, 2, rows=told) == []
        assert undone(record, 2, rows={MATCH: match(report(1), state="disputed")})

    def test_a_result_counts_again_as_a_new_report(self):
        record = played(report(1), report(2, "b"))
        again = match(report(1), report(2, "b"), report(3, kind="automatic"))
        assert undone(record, 2, rows={MATCH: again}) == []

    @pytest.mark.parametrize(
        "told",
        [
            match(report(1), report(2, "b"), report(3, "draw")),
            match(report(1), report(2, "b"), report(3, "b")),
            match(report(1), report(2, "b"), report(3), report(4)),
            match(report(1), report(2, "b"), report(3, "b"), state="open"),
        ],
    )
    def test_no_other_result_does(self, told):
        record = played(report(1), report(2, "b"))
        found = undone(record, 2, rows={MATCH: told})
        assert {law for law, _at, _column in found} == {4}

    def test_versions_grow(self):
        record = played(report(1), report(2, "b"))
        found = undone(record, 2, rows={MATCH: match(report(1), report(2, "b"), version=0)})
        assert (4, MATCH, "version") in found

    def test_without_a_result_before_none_comes(self):
        record = played(report(1))
        told = {MATCH: match(report(1), report(2))}
        assert {column for _law, _at, column in undone(record, 2, rows=told)} >= {"reports"}

    def test_what_was_told_stays_whatever_is_undone(self):
        record = played(report(1), report(2, "b"))
        found = undone(record, 2, rows={MATCH: match(report(1, "b"), report(2, "b"))})
        assert (2, MATCH, "reports") in found

    def test_a_round_comes_back_with_its_results(self):
        words = {MATCH: {"told": [{"note": "Anna"}]}}
        record = Record(words, round_1={"state": "published"}, round_1_match_1=match(report(1)))
        record.add(gone=["round/1"])
        told = {"round/1": {"state": "published"}, MATCH: match(report(1))}
        assert undone(record, 2, words, rows=told) == []
        assert undone(record, 2, {}, rows=told) == [(4, MATCH, "told")]
        told |= {MATCH: match(report(1, "b"))}
        assert undone(record, 2, words, rows=told) == [(4, MATCH, "reports")]


class TestClosedWords:
    def test_items_of_a_list_stand_by_themselves(self):
        record = Record({"penalties": {"given": ["one"]}}, penalties={})
        for given_now in (["one", "two"], ["one", "two", "three"]):
            record.add({"penalties": {"given": given_now}}, rows={"penalties": {}})
        told = {"penalties": {}}
        assert undone(record, 2, {"penalties": {"given": ["one", "three"]}}, rows=told) == []
        found = undone(record, 2, {"penalties": {"given": ["one", "four"]}}, rows=told)
        assert found == [(4, "penalties", "given")]

    def test_they_are_those_of_before_until_somebody_is_erased(self):
        record = Record({"round/1": {"apart": "12"}}, round_1={"state": "draft"})
        record.add({"round/1": {"apart": "34"}}, rows={"round/1": {"state": "draft"}})
        told = {"round/1": {"state": "draft"}}
        assert undone(record, 2, {"round/1": {"apart": "12"}}, rows=told) == []
        other = {"round/1": {"apart": "56"}}
        assert undone(record, 2, other, rows=told) == [(4, "round/1", "apart")]
        record.add({"round/1": {"apart": "34"}}, erased=[1, 2])
        assert undone(record, 2, other, rows=told) == []


class TestRestored:
    def record(self):
        event = {"state": "running", "lists_published_at": None}
        record = Record({}, event=event, entry_1=ENTRY, round_1_match_1=match(), draw_1=draw())
        record.add(rows={MATCH: match(report(1)), "entry/2": ENTRY})
        record.add(gone=["entry/1"], rows={"event": event | {"lists_published_at": "12:00"}})
        record.add(rows={"draw/1": draw("seed"), "draw/2": draw(told="next")})
        return record

    def whole(self, **other):
        event = {"state": "running", "lists_published_at": "12:00"}
        rows = {"event": event, "entry/1": ENTRY, MATCH: match()}
        rows |= {"draw/1": draw("seed"), "draw/2": draw(told="next")} | other
        return {"whole": True, "rows": {place: row for place, row in rows.items() if row}}

    def test_it_is_as_it_was_then_but_for_what_stays(self):
        assert undone(self.record(), 1, **self.whole()) == []

    @pytest.mark.parametrize(
        ("place", "row", "column"),
        [
            ("entry/1", ENTRY | {"status": "disqualified"}, "status"),
            ("entry/1", None, ""),
            ("entry/2", ENTRY, ""),
            (MATCH, match(report(1)), "version"),
            ("event", {"state": "finished", "lists_published_at": "13:00"}, "state"),
        ],
    )
    def test_nothing_else_is_brought_back(self, place, row, column):
        found = undone(self.record(), 1, **self.whole(**{place: row}))
        assert (4, place, column) in found

    def test_draws_stay(self):
        told = self.whole(**{"draw/1": draw("seed", order=[1])})
        assert undone(self.record(), 1, **told) == []
        assert undone(self.record(), 1, **self.whole(**{"draw/2": None})) == [(3, "draw/2", "")]


moments = st.lists(
    st.dictionaries(st.sampled_from(("entry/1", "entry/2", "entry/3")), st.integers(0, 2)),
    min_size=2,
    max_size=5,
)


@given(told=moments, data=st.data())
def test_a_restored_event_is_that_of_its_moment_and_no_other(told, data):
    record = Record({})
    for rows in told:
        record.add(whole=True, rows={place: {"seed": value} for place, value in rows.items()})
    at = data.draw(st.integers(0, len(told) - 1))
    other = data.draw(st.integers(0, len(told) - 1))
    rows = {place: {"seed": value} for place, value in told[other].items()}
    found = undone(record, at + 2, whole=True, rows=rows)
    assert (found == []) == (told[at] == told[other])
