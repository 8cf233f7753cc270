"""The organiser's pages: who may open them, what they say, how many queries they take."""

import pytest

from tests import factories as make
from tests.browsers import page, signed_in, url
from tournaments.core.acts import acts
from tournaments.models import Event, LogLine
from tournaments.stages.services import close_stage

pytestmark = pytest.mark.django_db
PAGES = (
    "manage",
    "manage-settings",
    "manage-players",
    "manage-staff",
    "manage-start",
    "log",
)


@pytest.fixture
def event(by):
    return make.open_event(by, decklists="required")


@pytest.fixture
def signed(by):
    return signed_in(by)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_organiser_opens_every_page(signed, event, by, name, language):
    make.players(event, 4, by)
    answer = signed.get(url(name, event), headers={"Accept-Language": language})
    assert answer.status_code == 200


def test_not_everything_is_ready_while_somebody_is_absent(signed, by):
    event = make.open_event(by, decklists="off")
    make.players(event, 3, by)
    event.entries.filter(number=1).update(status="checked_in")
    for name in ("manage", "manage-start"):
        shown = signed.get(url(name, event), headers={"Accept-Language": "en"}).content.decode()
        assert "Present: 1 of 3" in shown
        assert "plays all the same" in shown
        assert "Everything is ready" not in shown
    event.entries.update(status="checked_in")
    for name in ("manage", "manage-start"):
        shown = signed.get(url(name, event), headers={"Accept-Language": "en"}).content.decode()
        assert "Present: 3 of 3" in shown
        assert "plays all the same" not in shown


@pytest.mark.parametrize("name", PAGES)
def test_others_are_kept_out(client, event, name):
    assert client.get(url(name, event)).status_code == 403
    client.force_login(make.user())
    assert client.get(url(name, event)).status_code == 403


@pytest.mark.parametrize("name", PAGES)
def test_a_draft_is_not_there_for_others(client, by, name):
    assert client.get(url(name, make.event(by))).status_code == 404


@pytest.mark.parametrize(
    ("name", "status"), [("manage", 200), ("log", 403), ("manage-settings", 403)]
)
def test_a_judge_sees_but_does_not_manage(client, event, name, status):
    judge = make.staff(event).user
    client.force_login(judge)
    answer = client.get(url(name, event), headers={"Accept-Language": "en"})
    assert answer.status_code == status
    if status == 403:
        said = answer.content.decode()
        assert "This page is for the organisers of the event." in said
        assert f"You are signed in as {judge.name}." in said
        assert "Sign in with the account" not in said


def test_a_new_event_needs_an_account(client):
    answer = client.get("/events/new/")
    assert answer.status_code == 302
    assert "login" in answer.headers["Location"]


def filled(page, **typed):
    form = page.context["form"]
    values = {bound.html_name: bound.value() for bound in form}
    return {
        key: "" if value is None else value for key, value in values.items() if value is not False
    } | typed


@pytest.mark.parametrize("template", ["doomtrooper-original", "creatures-of-exo", "single-group"])
def test_an_event_is_made_from_a_template(signed, template):
    page = signed.get(f"/events/new/?template={template}")
    typed = filled(page, name="New", starts_at="2026-12-05T10:00")
    answer = signed.post("/events/new/", typed)
    assert answer.status_code == 302
    made = Event.objects.get()
    assert made.slug == "new-2"
    assert made.state == "draft"
    assert made.starts_at.astimezone(made.zone).hour == 10
    assert made.criteria[-1] == "lots"


def test_a_time_that_is_not_there_is_refused_and_the_text_stays(signed):
    typed = filled(signed.get("/events/new/"), name="Notte", starts_at="2027-03-28T02:30")
    answer = signed.post("/events/new/", typed)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "clocks go forward" in page
    assert "Notte" in page
    assert "2027-03-28T02:30" in page
    assert not Event.objects.exists()


def test_a_time_that_comes_twice_is_the_first(signed):
    typed = filled(signed.get("/events/new/"), name="Notte", starts_at="2027-10-31T02:30")
    answer = signed.post("/events/new/", typed, follow=True)
    assert "twice that day" in answer.content.decode()
    assert Event.objects.get().starts_at.utcoffset().total_seconds() == 0
    assert Event.objects.get().starts_at.hour == 0


def test_criteria_are_ordered_by_their_places(signed):
    typed = filled(signed.get("/events/new/"), name="Ordine", starts_at="2026-12-05T10:00")
    typed |= {
        "criterion_opponents_points": "",
        "criterion_wins": "1",
        "criterion_points": "2",
        "criterion_head_to_head": "",
    }
    signed.post("/events/new/", typed)
    criteria = Event.objects.get().criteria
    assert criteria[:2] == ["wins", "points"]
    assert "head_to_head" not in criteria


def test_settings_after_the_start_keep_the_rules(signed, by):
    event = make.started(by, 4, formula="single-group")
    page = signed.get(url("manage-settings", event))
    assert "has started" in page.content.decode()
    typed = filled(page, name="Nuovo nome")
    refused = signed.post(url("manage-settings", event), typed | {"formula": "mutant-chronicles"})
    assert refused.status_code == 400
    assert "After the start this can&#x27;t be changed: Formula." in refused.content.decode()
    assert signed.post(url("manage-settings", event), typed).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.formula) == ("Nuovo nome", "single-group")


def test_a_player_is_added_and_the_next_can_be_typed(signed, event):
    answer = signed.post(url("manage-players-add", event), {"name": "Ada", "club": "Drago"})
    assert answer.headers["Location"].endswith("?next=add")
    assert "data-quick" in signed.get(answer.headers["Location"]).content.decode()
    refused = signed.post(url("manage-players-add", event), {"name": "---", "club": "Drago"})
    assert refused.status_code == 400
    assert 'value="Drago"' in refused.content.decode()


def test_who_adds_a_namesake_is_told_so(signed, event, by):
    """A player of the same name is taken in, as in a pasted list, and may be one twice."""
    first = make.players(event, 2, by)[0]
    told = f"Already there under this name: {first.name} ({first.number})."
    added = signed.post(url("manage-players-add", event), {"name": "  ÁDA "}, follow=True)
    assert event.entries.count() == 3
    assert told in added.content.decode()
    other = signed.post(url("manage-players-add", event), {"name": "Zoe"}, follow=True)
    assert "Already there" not in other.content.decode()


def test_who_gets_the_name_of_another_is_told_of(signed, event, by):
    first, second = make.players(event, 2, by)
    address = url("manage-player", event, second.number)
    club = signed.post(address, {"name": second.name, "club": "Drago"}, follow=True)
    assert "Already there" not in club.content.decode()
    named = signed.post(address, {"name": first.name.upper()}, follow=True)
    told = f"Already there under this name: {first.name} ({first.number})."
    assert told in named.content.decode()
    again = signed.post(address, {"name": first.name.upper(), "club": "Lupo"}, follow=True)
    assert "Already there" not in again.content.decode()


def test_pasted_namesakes_are_shown_before_anybody_is_added(signed, event, by):
    make.players(event, 1, by)
    text = "ADA; Drago\nBea"
    seen = signed.post(url("manage-players-paste", event), {"text": text})
    assert "already there?" in seen.content.decode()
    assert event.entries.count() == 1
    signed.post(url("manage-players-paste", event), {"text": text, "sure": "on"})
    assert event.entries.count() == 2
    sure = {"text": "ADA; Drago", "sure": "on", "who:ada 1": "other"}
    signed.post(url("manage-players-paste", event), sure)
    assert event.entries.count() == 3


def test_seeds_are_swapped_in_one_go(signed, event, by):
    make.players(event, 2, by)
    to = url("manage-players-seeds", event)
    signed.post(to, {"seed_1": "1", "seed_2": "2"})
    signed.post(to, {"seed_1": "2", "seed_2": "1"})
    assert list(event.entries.values_list("number", "seed")) == [(1, 2), (2, 1)]
    assert signed.post(to, {"seed_1": "1"}).status_code == 400


def test_a_player_leaves_comes_back_and_is_removed(signed, event, by):
    make.players(event, 1, by)
    leave = url("manage-player-leave", event, 1)
    assert signed.post(leave, {"action": "disqualify"}).status_code == 400
    signed.post(leave, {"action": "withdraw"})
    assert event.entries.get().status == "withdrawn"
    signed.post(leave, {"action": "come_back"})
    assert event.entries.get().status == "checked_in"
    signed.post(url("manage-player-remove", event, 1))
    assert not event.entries.exists()


def test_a_personal_link_is_shown_once(signed, event, by):
    make.players(event, 1, by)
    sent = signed.post(url("manage-player-link", event, 1))
    assert sent.status_code == 302
    answer = signed.get(sent.url)
    assert "/p/" in answer.content.decode()
    assert event.entries.get().links.filter(revoked_at=None).count() == 1
    assert answer.headers["Cache-Control"] == "no-store"
    assert "/p/" not in signed.get(url("manage-player", event, 1)).content.decode()
    signed.post(url("manage-player-link", event, 1), {"revoke": "1"})
    assert event.entries.get().links.filter(revoked_at=None).count() == 0


def test_a_list_is_handed_in_for_a_player(signed, event, by):
    make.players(event, 1, by)
    to = url("manage-player-decklist", event, 1)
    assert signed.get(to).status_code == 200
    answer = signed.post(to, {"text": "Deck\n1 Nulla"}, follow=True)
    assert "illegal" in answer.content.decode()


def test_a_role_is_taken_and_who_is_on_the_staff_gets_another_at_once(signed, event):
    person = make.staff(event).user
    signed.post(url("manage-staff", event), {"email": person.email, "role": "scorekeeper"})
    assert set(event.staff.filter(user=person).values_list("role", flat=True)) == {
        "judge",
        "scorekeeper",
    }
    for role in event.staff.filter(user=person):
        signed.post(url("manage-staff-take", event, role.pk))
    assert not event.staff.filter(user=person).exists()


def test_the_log_has_words_for_everything_played(signed, by):
    event = make.started(by, 4, formula="single-group")
    make.play_event(event, by)
    unknown = set(LogLine.objects.values_list("action", flat=True)) - set(acts())
    assert not unknown
    assert (
        signed.get(url("log", event) + "?word=started").context["log"]["page"].paginator.count == 1
    )


@pytest.mark.parametrize("name", ["manage", "manage-players", "manage-start", "log"])
def test_as_many_queries_for_many_players(signed, event, by, name, django_assert_max_num_queries):
    make.players(event, 300, by)
    with django_assert_max_num_queries(16):
        signed.get(url(name, event))


def test_once_all_stages_are_closed_the_next_step_is_the_end(by, signed):
    event = make.stage_played(by, 4, formula="single-group")
    assert "What is to do is at the desk." in page(signed, "manage", event)
    close_stage(event=event, expected_stage=1, by=by)
    said = page(signed, "manage", event)
    assert "only the end of the event is left" in said
    assert "What is to do is at the desk." not in said
    assert said.count(url("desk-finish", event)) == 1
