"""Swiss rounds that are paired elsewhere or by hand: made, refused, undone, verified, archived."""

import pytest

from rules.drafts.given import ImportedTable
from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.callers import Callers
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.drafts.selectors import draft_check
from tournaments.events import services as events
from tournaments.events.services import delete_event_rows
from tournaments.models import Event, Match
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 0}, "format": "creatures-of-exo"}


def seats(*tables: tuple[int, ...]) -> list[ImportedTable]:
    return [ImportedTable(table) for table in tables]


def give(event: Event, by, *tables: tuple[int, ...], **more):
    expected = load_facts(event).last_ordinal + 1
    return rounds.draft_round(
        event=event, expected_round=expected, given=seats(*tables), by=by, **more
    )


def elsewhere(by, players: int = 8, **more) -> Event:
    return make.started(by, players, paired_elsewhere=True, **SWISS | more)


PAIRS = ((1, 2), (3, 4), (5, 6), (7, 8))


def test_an_event_paired_elsewhere_pairs_nobody_by_itself(by) -> None:
    event = elsewhere(by)
    with pytest.raises(RuleError) as refused:
        make.next_round(event, by)
    assert refused.value.code == "pairings_needed"
    item = give(event, by, *PAIRS)
    assert make.pairs_of(item.matches.order_by("number")) == [*PAIRS]
    assert list(item.matches.order_by("number").values_list("table", flat=True)) == [1, 2, 3, 4]
    assert all(match.reason["by_hand"] for match in item.matches.all())


def test_a_round_of_any_swiss_event_may_be_given_with_its_tables(by) -> None:
    event = make.started(by, 5, **SWISS)
    given = [ImportedTable((5, 2), 12), ImportedTable((1, 4), 7), ImportedTable((3,))]
    item = rounds.draft_round(event=event, expected_round=1, given=given, publish=True, by=by)
    found = {match.seats: match for match in item.matches.all()}
    assert sorted((match.table or 0) for match in found.values()) == [0, 7, 12]
    bye = item.matches.get(table=None)
    assert (bye.state, bye.decision.ended_by) == (Match.State.FINAL, "bye")
    assert verify_event(event) == []


def test_a_wrong_round_leaves_nothing(by) -> None:
    event = elsewhere(by)
    with pytest.raises(BadInput) as refused:
        give(event, by, (1, 2), (3, 4), (5, 6), (7, 1))
    assert refused.value.sentence.values["path"] == "pairings[3][1]"
    assert not event.rounds.exists()


@pytest.mark.deep
def test_three_given_rounds_are_verified_archived_and_finished(by) -> None:
    event = elsewhere(by, player_reports=False)
    for tables in (PAIRS, ((1, 3), (2, 4), (5, 7), (6, 8)), ((1, 8), (2, 7), (3, 6), (4, 5))):
        make.play_round(give(event, by, *tables, publish=True), by)
    assert make.refusal(give, event, by, *PAIRS) == "stage_complete"
    assert verify_event(event) == []
    content = event_archive(event)
    delete_event_rows(event)
    back = restore_archive(content)
    assert event_archive(back) == content
    assert Event.objects.get(pk=back.pk).paired_elsewhere
    assert make.pairs_of(back.rounds.get(ordinal=1).matches.order_by("number")) == [*PAIRS]
    assert verify_event(back) == []


@pytest.mark.deep
def test_a_given_round_is_undone_as_any_other(by) -> None:
    event = elsewhere(by)
    give(event, by, *PAIRS)
    event.refresh_from_db()
    undo(event=event, expected=event.version, by=by)
    assert not event.rounds.exists()
    assert verify_event(event) == []


@pytest.mark.deep
def test_the_setting_may_change_until_the_end_and_is_undone(by) -> None:
    event = make.started(by, 4, **SWISS)
    event = events.change_event(event=event, changes={"paired_elsewhere": True}, by=by)
    assert make.refusal(make.next_round, event, by) == "pairings_needed"
    undo(event=event, expected=event.version, by=by)
    assert make.next_round(event, by).number == 1


def test_only_formats_with_swiss_rounds_are_paired_elsewhere(by) -> None:
    for formula in ("single-group", "groups-knockout", "single-elimination", "mutant-chronicles"):
        with pytest.raises(BadInput) as refused:
            make.event(by, formula=formula, paired_elsewhere=True)
        assert refused.value.code == "no_swiss_rounds"
    assert make.event(by, **make.TABLES, paired_elsewhere=True).paired_elsewhere
    running = make.started(by, 4, formula="single-group")
    with pytest.raises(BadInput):
        events.change_event(event=running, changes={"paired_elsewhere": True}, by=by)


def test_a_knock_out_after_rounds_paired_elsewhere_follows_from_the_standings(by) -> None:
    event = elsewhere(by, 4, options={"rounds": 1, "cut": 2})
    make.play_round(give(event, by, (1, 2), (3, 4), publish=True), by)
    make.draw_lots(event, by)
    rounds.close_and_draft(event=event, expected_stage=1, expected_round=2, by=by)
    assert event.rounds.get(ordinal=2).matches.count() == 1
    assert verify_event(event) == []


def test_tables_of_three_and_more_are_given_with_their_cost(by) -> None:
    event = make.started(by, 7, paired_elsewhere=True, **make.TABLES)
    item = give(event, by, (1, 3, 5, 7), (2, 4, 6), publish=True)
    assert [len(match.seats) for match in item.matches.order_by("number")] == [4, 3]
    assert item.cost["proven"] is False
    assert verify_event(event) == []


def test_points_apart_are_no_remark_of_a_given_round_but_a_second_meeting_is(by) -> None:
    event = elsewhere(by, 4)
    make.play_round(give(event, by, (1, 2), (3, 4), publish=True), by)
    item = give(event, by, (1, 2), (4, 3))
    facts = load_facts(event)
    codes = {line.remark.code for line in draft_check(facts, *facts.round_at(item.ordinal)).lines}
    assert codes == {"rematch"}


def test_a_correction_contradicts_no_given_round(by) -> None:
    event = elsewhere(by, 4)
    first = give(event, by, (1, 2), (3, 4), publish=True)
    make.play_round(first, by)
    give(event, by, (1, 3), (2, 4), publish=True)
    match = first.matches.get(number=1)
    match.refresh_from_db()
    claim = Claim(score=(0, 2))
    _match, effects = results.correct_result(
        match=match, version=match.version, claim=claim, reason="Errore", by=by
    )
    assert effects.repairings == ()
    assert verify_event(event) == []


# --- The API -------------------------------------------------------------------------------------
@pytest.fixture
def around() -> Callers:
    return Callers()


@pytest.mark.deep
def test_programs_send_pairings_and_learn_what_is_wrong_with_them(around: Callers) -> None:
    client = around.clients["organiser"]
    made = {"name": "Coppa", "slug": "coppa", "format": "creatures-of-exo", "formula": "swiss-cut"}
    body = made | {"options": {"rounds": 2, "cut": 0}, "paired_elsewhere": True, "decklists": "off"}
    told = client.post("/api/v1/events/", body, format="json")
    assert (told.status_code, told.json()["paired_elsewhere"]) == (201, True)
    at = "/api/v1/events/coppa"
    client.patch(f"{at}/", {"status": "registration"}, format="json")
    names = [{"name": name} for name in ("Ada", "Bea", "Carlo", "Dora", "Elio")]
    assert client.post(f"{at}/players/", names, format="json").status_code == 201
    assert client.post(f"{at}/start/", {}, format="json").status_code in (200, 201)

    def send(pairings, **more):
        return client.post(f"{at}/rounds/", {"pairings": pairings} | more, format="json")

    refused = client.post(f"{at}/rounds/", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "pairings_needed")
    for pairings, path in (
        ([[1, 2], [3, 4], [1, None]], "pairings[2][0]"),
        ([[1, 2], [3, 9], [5, None]], "pairings[1][1]"),
        ([[1, 2], [3, 4]], "pairings"),
        ([[1, 2, 3], [4, 5]], "pairings[0]"),
        ([[None, 1], [2, 3], [4, 5]], "pairings[0]"),
        ([[None, None]], "pairings[0]"),
    ):
        refused = send(pairings)
        assert (refused.status_code, refused.json()["path"]) == (400, path)
    for rubbish in (3, "1-2", [1], [[]], [["x"]], [[1, 2]] * 6000, [[1.5, 2]], [[1] * 9]):
        assert send(rubbish).status_code == 400
    drafted = send([[5, 2], [4, 1], [3, None]], draft=True)
    assert (drafted.status_code, drafted.json()["state"]) == (201, "draft")
    assert client.delete(f"{at}/rounds/1/").status_code == 204
    published = send([[5, 2], [4, 1], [3, None]]).json()
    assert [(m["table"], m["a"], m["b"], m["by_hand"]) for m in published["matches"]] == [
        (1, 5, 2, True),
        (2, 4, 1, True),
        (None, 3, None, True),
    ]
    assert published["matches"][0]["reason"] == "Paired elsewhere."


def test_a_schedule_takes_no_pairings(around: Callers) -> None:
    client = around.clients["organiser"]
    refused = client.post(around.address("rounds"), {"pairings": [[1, 2]]}, format="json")
    assert refused.status_code == 409
    at = client.patch(around.address("event"), {"paired_elsewhere": True}, format="json")
    assert (at.status_code, [*at.json()["errors"]]) == (400, ["paired_elsewhere"])
