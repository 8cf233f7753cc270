"""Formulas that organisers have saved: stored, changed, played and shown by their events."""

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from rules.errors import BadInput, RuleError
from rules.formulas.base import DefaultGames
from tests import factories as make
from tests.browsers import read, url
from tests.rules.formulas import definitions
from tests.rules.formulas.definitions import Data
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import available_formulas, formula_by_slug, formula_labels
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event
from tournaments.formulas import services as formulas
from tournaments.lots import services as draws
from tournaments.models import Event, SavedFormula
from tournaments.players.services import departures
from tournaments.players.services.entries import make_link
from tournaments.starting import services as starting
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def groups(lowest: int = 6, highest: int = 10, name: str = "Due gironi") -> Data:
    """Return two groups, one of their best and the first of the start, and a final."""
    return definitions.formula(
        definitions.stage("Gironi", "round_robin", *map(definitions.group, "AB")),
        definitions.stage(
            "Attesa",
            "round_robin",
            definitions.group(
                "X",
                {"start": 1},
                *(definitions.rank(1, group, rank) for rank in (1, 2) for group in "AB"),
            ),
        ),
        definitions.stage(
            "Finale",
            "knockout",
            definitions.group("F", definitions.rank(2, "X", 1), definitions.rank(2, "X", 2)),
        ),
        lowest=lowest,
        highest=highest,
        name=name,
    )


def saved(owner: User, data: object = None) -> SavedFormula:
    return formulas.save_formula(owner=owner, data=data or groups())


def test_a_formula_is_stored_as_it_is_exported(owner: User) -> None:
    row = saved(owner)
    assert (row.slug, row.name, row.version) == ("custom_due-gironi", "Due gironi", 1)
    again = saved(owner, json.loads(json.dumps(row.definition)))
    assert (again.slug, again.definition) == ("custom_due-gironi-2", row.definition)
    assert formula_by_slug(row.slug).minimum == 6


def test_a_change_raises_the_version_and_an_older_one_is_refused(owner: User) -> None:
    row = saved(owner)
    data = groups(name="Altro")
    changed = formulas.save_formula(owner=owner, data=data, slug=row.slug, expected_version=1)
    assert (changed.slug, changed.name, changed.version) == (row.slug, "Altro", 2)
    with pytest.raises(RuleError) as stale:
        formulas.save_formula(owner=owner, data=groups(), slug=row.slug, expected_version=1)
    assert stale.value.code == "stale"
    same = formulas.save_formula(owner=owner, data=data, slug=row.slug, expected_version=2)
    assert same.version == 2


def test_what_can_not_be_played_is_not_stored(owner: User) -> None:
    data = groups()
    data["stages"][2]["groups"][0]["entrants"].pop()
    with pytest.raises(BadInput) as refused:
        saved(owner, data)
    assert refused.value.code == "formula_faults"
    (fault,) = refused.value.sentence.values["faults"]  # type: ignore[misc]
    assert str(fault).startswith("Stage 3, Finale, group F: ")
    assert not SavedFormula.objects.exists()


def test_nobody_changes_or_deletes_what_others_have_saved(owner: User) -> None:
    row, other = saved(owner), make.user(can_create_events=True)
    for act in (
        lambda: formulas.save_formula(owner=other, data=groups(), slug=row.slug),
        lambda: formulas.delete_formula(owner=other, slug=row.slug),
        lambda: saved(make.user(can_create_events=False)),
    ):
        with pytest.raises(PermissionDenied):
            act()
    with pytest.raises(BadInput):
        formulas.delete_formula(owner=owner, slug="custom_nobody")


def test_there_is_an_end_to_the_number_of_formulas(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formulas, "MOST_OF_ONE_OWNER", 1)
    saved(owner)
    with pytest.raises(RuleError) as refused:
        saved(owner)
    assert refused.value.code == "too_many_formulas"


@pytest.mark.parametrize("name", ["---", "数", "a_b c", "x" * 80])
def test_every_name_makes_a_slug(owner: User, name: str) -> None:
    if name == "---":
        with pytest.raises(BadInput):
            saved(owner, groups(name=name))
        return
    slugs = {saved(owner, groups(name=name)).slug for _again in range(3)}
    assert len(slugs) == 3
    assert all(slug.startswith("custom_") and len(slug) <= 60 for slug in slugs)


@pytest.mark.deep
def test_an_event_is_played_by_it_to_the_end(by: Actor, owner: User) -> None:
    row = saved(owner)
    event = make.played(by, 9, formula=row.slug)
    facts = load_facts(event)
    assert sorted(p for level in facts.ranking for p in level) == list(range(1, 10))
    first, waiting, _final = facts.stages
    order = next(draw.order for draw in facts.draws if draw.kind == "start")
    assert order[0] not in first.state.players
    assert waiting.state.seats["X"][0] == order[0]
    assert list(verify_event(event)) == []
    assert [str(stage.plan.label) for stage in facts.stages] == ["Gironi", "Attesa", "Finale"]


@pytest.mark.deep
def test_an_event_that_has_not_started_follows_the_formula_of_today(by: Actor, owner: User) -> None:
    row = saved(owner)
    started = make.started(by, 7, formula=row.slug)
    waiting = make.open_event(by, formula=row.slug)
    plan, versions = started.plan, (started.version, waiting.version)
    formulas.save_formula(owner=owner, data=groups(lowest=8, highest=8), slug=row.slug)
    started.refresh_from_db()
    waiting.refresh_from_db()
    assert (started.plan, started.version) == (plan, versions[0])
    assert waiting.version == versions[1] + 1
    assert waiting.log.latest("number").action == "event.formula_changed"
    assert make.play_event(started, by).state == "finished"
    make.players(waiting, 7, by)
    draw = draws.draw_start_order(event=waiting, seed="x", by=by)
    with pytest.raises(BadInput, match="at least 8") as few:
        starting.start_event(event=waiting, draw_number=draw.number, by=by)
    assert few.value.code == "too_few_players"


def test_too_many_players_can_not_start(by: Actor, owner: User) -> None:
    event = make.open_event(by, formula=saved(owner, groups(highest=7)).slug)
    make.players(event, 8, by)
    draw = draws.draw_start_order(event=event, seed="x", by=by)
    with pytest.raises(BadInput, match="at most 7"):
        starting.start_event(event=event, draw_number=draw.number, by=by)


def test_open_lists_of_stages_that_are_gone_are_closed(by: Actor, owner: User) -> None:
    row = saved(owner)
    event = make.event(by, formula=row.slug, open_lists=["stage1", "stage3:all"])
    formulas.save_formula(owner=owner, data=definitions.swiss_cut(), slug=row.slug)
    event.refresh_from_db()
    assert event.open_lists == ["stage1"]


def test_an_event_does_not_go_back_to_a_formula_that_was_deleted(by: Actor, owner: User) -> None:
    row = saved(owner)
    event = make.event(by, formula=row.slug)
    change_event(event=event, changes={"formula": "single-group"}, by=by)
    line = event.log.latest("number")
    formulas.delete_formula(owner=owner, slug=row.slug)
    with pytest.raises(BadInput) as refused:
        undo(event=event, expected=line.number, by=by)
    assert refused.value.code == "unknown_formula"
    event.refresh_from_db()
    assert event.formula == "single-group"


def test_events_have_formulas_of_their_owner_only(by: Actor, owner: User) -> None:
    row, other = saved(owner), make.organiser()
    for slug, code in ((row.slug, "foreign_formula"), ("custom_nobody", "unknown_formula")):
        with pytest.raises(BadInput) as refused:
            make.event(other, formula=slug)
        assert refused.value.code == code
    event = make.event(by, formula=row.slug)
    helper = make.staff(event, "organiser")
    changed = change_event(event=event, changes={"venue": "Altrove"}, by=helper)
    assert changed.formula == row.slug


def test_a_form_offers_the_own_ones_and_the_one_that_is_there(by: Actor, owner: User) -> None:
    row, other = saved(owner), make.user()
    saved_keys = {f.key for f in available_formulas(owner.pk) if f.key.startswith("custom_")}
    assert saved_keys == {row.slug}
    assert row.slug not in {f.key for f in available_formulas(other.pk)}
    assert row.slug in {f.key for f in available_formulas(other.pk, row.slug)}


@pytest.mark.deep
def test_pages_of_an_event_show_it(by: Actor, owner: User, client: Client) -> None:
    row = saved(owner)
    event = make.started(by, 9, formula=row.slug)
    fresh = make.open_event(by, formula=row.slug, name="Domani")
    make.players(fresh, 8, by)
    client.force_login(owner)
    for one in (event, fresh):
        for page in ("event", "formula", "manage-players", "manage-settings", "workbook"):
            answer = client.get(reverse(f"tournaments:{page}", args=[one.slug]))
            assert answer.status_code == 200, page
        assert "Gironi" in read(client, url("formula", one))
    for page in ("event-list", "event-new"):
        assert "Due gironi" in read(client, reverse(f"tournaments:{page}"))


def test_a_new_event_is_made_with_it_by_the_form(by: Actor, owner: User, client: Client) -> None:
    row = saved(owner)
    client.force_login(owner)
    page = client.get(f"{reverse('tournaments:event-new')}?format=thoom&formula={row.slug}")
    form = page.context["form"]
    assert form["formula"].value() == row.slug
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value is not None and value is not False}
    answer = client.post(
        reverse("tournaments:event-new"), sent | {"name": "Nuovo", "starts_at": "2030-01-01T10:00"}
    )
    assert answer.status_code == 302, answer.context["form"].errors
    assert Event.objects.get(name="Nuovo").formula == row.slug


def test_the_page_of_an_event_calls_the_formula_by_its_name(by: Actor, owner: User) -> None:
    row = saved(owner)
    event = make.open_event(by, formula=row.slug)
    page = Client().get(f"/events/{event.slug}/").content.decode()
    assert f">{row.name}</a>" in page
    assert f">{row.slug}</a>" not in page


@pytest.mark.deep
def test_lists_of_events_need_no_query_for_each(
    by: Actor, owner: User, client: Client, django_assert_num_queries: Any
) -> None:
    slugs = [saved(owner, groups(name=f"Numero {number}")).slug for number in range(4)]
    make.open_event(by, formula=slugs[0])
    assert formula_labels([slugs[0], "single-group"])[slugs[0]] == "Numero 0"
    address = reverse("tournaments:event-list")
    client.get(address)
    with django_assert_num_queries(6):
        client.get(address)
    for slug in slugs:
        make.open_event(by, formula=slug)
    with django_assert_num_queries(6):
        client.get(address)


@pytest.mark.deep
def test_an_archive_brings_its_own_formula_beside_the_one_that_is_there(
    by: Actor, owner: User
) -> None:
    row = saved(owner)
    fresh, started = make.event(by, formula=row.slug), make.started(by, 8, formula=row.slug)
    files = event_archive(fresh), event_archive(started)
    formulas.save_formula(owner=owner, data=groups(highest=11), slug=row.slug)
    copy = restore_archive(files[0], slug="copia", caller=owner)
    assert formula_by_slug(copy.formula).plan(10, {}, DefaultGames()) is not None
    with pytest.raises(RuleError):
        formula_by_slug(copy.formula).plan(11, {}, DefaultGames())
    again = restore_archive(files[1], slug="in-corso", caller=owner)
    assert again.plan == started.plan
    assert {copy.formula, again.formula, row.slug} == set(
        SavedFormula.objects.values_list("slug", flat=True)
    )


@pytest.mark.deep
def test_the_demo_plays_it(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    row = saved(owner)
    call_command("demo", players=8, formula=row.slug, play=True)
    slug = capsys.readouterr().out.partition("\t")[0]
    event = Event.objects.get(slug=slug)
    assert (event.state, event.created_by) == ("finished", owner)
    with pytest.raises(CommandError) as refused:
        call_command("demo", formula="custom_nobody")
    assert refused.value.returncode == 2


@pytest.mark.deep
def test_who_waits_for_a_later_stage_has_pages_and_may_leave(
    by: Actor, owner: User, client: Client
) -> None:
    event = make.started(by, 9, formula=saved(owner).slug)
    facts = load_facts(event)
    waiting = next(draw.order for draw in facts.draws if draw.kind == "start")[0]
    entry = event.entries.get(number=waiting)
    make.next_round(event, by)
    client.get(reverse("tournaments:open-link", args=[make_link(entry=entry, by=by)]))
    for page in ("me", "me-now", "pairings", "standings", "prospects", "players"):
        address = reverse(f"tournaments:{page}", args=[event.slug])
        assert client.get(address, follow=True).status_code == 200, page
    make.play_round(event.rounds.get(), by)
    departures.withdraw(entry=entry, reason="", by=by)
    finished = make.play_event(Event.objects.get(pk=event.pk), by)
    ranking = load_facts(finished).ranking
    assert sorted(player for level in ranking for player in level) == list(range(1, 10))
    assert ranking[0] != (waiting,)
    assert list(verify_event(finished)) == []
