"""Staff of an event are invited: they see it once they accept, and nobody learns of an account."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Outgoing, User
from rules.errors import RuleError
from tests import factories as make
from tests.accounts.at_once import at_once
from tests.browsers import url
from tests.mails import sent_mails
from tournaments.core.permissions import Actor
from tournaments.models import StaffInvitation, StaffRole
from tournaments.staff import services as invitations
from tournaments.staff.services import AN_HOUR
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
PASSWORD = "sala-grande-9"


@pytest.fixture
def event(by):
    return make.event(by)


@pytest.fixture
def organiser(by):
    return signed_in(by.user)


def signed_in(user):
    client = Client(headers={"accept-language": "en"})
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def staff_page(event):
    return reverse("tournaments:manage-staff", args=[event.slug])


def invite(organiser, event, email, role="judge"):
    """Invite by the page; return the page that follows."""
    form = {"email": email, "role": role}
    return organiser.post(staff_page(event), form, follow=True).content.decode()


def link_in(page):
    return re.search(r'value="http://testserver(/invitations/[\w-]+/)"', page)[1]


CHANCE = re.compile(
    r'value="(\w{64}|http[^"]+)"|<svg.*?</svg>|<time.*?</time>|invitations/\d+'
    r'|<p class="log-print">.*?</p>',
    re.DOTALL,
)
"""What every invitation has of its own: tokens, the picture of the link, moments, keys, the log."""


def same(page, email):
    return CHANCE.sub("", page.replace(email, "ADDRESS"))


def test_the_inviting_page_never_tells_who_has_an_account(organiser, event):
    anna = make.user("anna@example.org")
    known = invite(organiser, event, anna.email)
    event.invitations.all().delete()
    unknown = invite(organiser, event, "nora@example.org")
    assert same(known, anna.email) == same(unknown, "nora@example.org")
    assert "Invitation" in known
    assert not event.staff.filter(user=anna).exists()


def test_a_judge_sees_a_draft_once_they_accept(organiser, event):
    anna = make.user("anna@example.org")
    link = link_in(invite(organiser, event, anna.email))
    judge = signed_in(anna)
    assert judge.get(f"/events/{event.slug}/manage/").status_code == 404
    shown = judge.get(link, follow=True)
    assert shown.redirect_chain == [("/invitations/", 302)]
    assert event.name in shown.content.decode()
    assert judge.get(f"/events/{event.slug}/manage/").status_code == 404
    assert judge.post("/invitations/").url == f"/events/{event.slug}/manage/"
    assert judge.get(f"/events/{event.slug}/manage/", follow=True).status_code == 200
    assert event.staff.get(user=anna).role == "judge"
    assert not event.invitations.exists()


@pytest.mark.deep
def test_a_judge_who_accepts_while_the_event_runs_is_led_to_the_tables(by):
    event = make.playing(by, 4)
    organiser = signed_in(by.user)
    for role, first in (("judge", "floor/"), ("head_judge", "floor/"), ("scorekeeper", "manage/")):
        reader = signed_in(make.user())
        reader.get(link_in(invite(organiser, event, f"{role}@example.org", role)))
        assert reader.post("/invitations/").url == f"/events/{event.slug}/{first}"


def test_the_link_is_shown_once_and_only_its_hash_is_kept(organiser, event):
    page = invite(organiser, event, "nora@example.org")
    token = link_in(page).split("/")[2]
    again = organiser.get(staff_page(event)).content.decode()
    assert token not in again
    assert "nora@example.org" in again
    assert token not in str(list(StaffInvitation.objects.values()))
    assert organiser.get(staff_page(event))["Cache-Control"].count("no-store") == 1


def test_an_invitation_opens_the_sign_up_for_one_account(organiser, event, settings):
    settings.SIGN_UP = "invitation"
    link = link_in(invite(organiser, event, "nora@example.org"))
    readers = [Client(headers={"accept-language": "en"}) for _ in range(2)]
    for number, reader in enumerate(readers):
        assert "Create an account" in reader.get(link, follow=True).content.decode()
        form = {"email": f"n{number}@example.org", "name": f"N{number}", "password1": PASSWORD}
        answer = reader.post("/accounts/signup/", form | {"next": "/invitations/"})
        assert (answer.status_code == 302) == (number == 0)
    assert not User.objects.filter(email="n1@example.org").exists()
    shown = readers[0].get("/invitations/").content.decode()
    assert "You are accepting as N0 (n0@example.org)" in " ".join(shown.split())
    readers[0].post("/invitations/")
    assert event.staff.filter(user__email="n0@example.org").exists()


@pytest.mark.parametrize("mails", [True, False])
def test_both_who_invites_and_who_accepts_read_that_any_account_may(
    organiser, event, settings, mails
):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = mails, "http://testserver"
    plain = "the first person to accept gets the role"
    assert plain in " ".join(organiser.get(staff_page(event)).content.decode().split())
    shown = invite(organiser, event, "nora@example.org")
    link = (
        re.search(r"http://testserver(/invitations/\S+)", sent_mails()[0].body)[1]
        if mails
        else link_in(shown)
    )
    for reader in (Client(headers={"accept-language": "en"}), signed_in(make.user("eva@x.org"))):
        page = " ".join(reader.get(link, follow=True).content.decode().split())
        assert "Sign in or create an account to accept." in page or "You are accepting as" in page


@pytest.mark.deep
def test_a_link_that_was_used_taken_back_or_is_too_old_is_gone(organiser, event, by):
    for how in ("used", "taken back", "too old"):
        link = link_in(invite(organiser, event, f"{len(how)}@example.org"))
        reader = signed_in(make.user())
        reader.get(link)
        found = event.invitations.get()
        if how == "used":
            invitations.accept_invitation(invitation=found, by=Actor(user=make.user()))
        elif how == "taken back":
            args = [event.slug, found.pk]
            organiser.post(reverse("tournaments:manage-invitation-revoke", args=args))
        else:
            event.invitations.update(expires_at=timezone.now())
        for answer in (reader.get(link), reader.post("/invitations/"), reader.get("/invitations/")):
            assert answer.status_code == 404, how
            assert "no longer works" in answer.content.decode()
        event.invitations.all().delete()
    assert event.staff.count() == 2


@pytest.mark.deep
def test_an_undone_invitation_is_gone_and_an_undone_acceptance_takes_the_role(event, by):
    invitations.offer_role(event=event, email="nora@example.org", role="judge", by=by)
    first = event.invitations.get()
    line = event.log.latest("number").number
    undo(event=event, expected=line, by=by)
    with pytest.raises(RuleError, match="been used"):
        invitations.accept_invitation(invitation=first, by=Actor(user=make.user()))
    invitations.offer_role(event=event, email="nora@example.org", role="judge", by=by)
    person = make.user()
    invitations.accept_invitation(invitation=event.invitations.get(), by=Actor(user=person))
    undo(event=event, expected=event.log.latest("number").number, by=by)
    assert not event.staff.filter(user=person).exists()
    assert not event.invitations.exists()


def test_the_address_is_kept_with_the_open_invitation_alone(event, by):
    invitations.offer_role(event=event, email="nora@example.org", role="judge", by=by)
    invitations.accept_invitation(invitation=event.invitations.get(), by=Actor(user=make.user()))
    kept = [*event.log.values(), *event.kept_rows.values()]
    assert "nora@example.org" not in str(kept)


def test_inviting_has_a_limit(event, by):
    for number in range(AN_HOUR):
        invitations.offer_role(event=event, email=f"p{number}@example.org", role="judge", by=by)
        event.invitations.all().delete()
    with pytest.raises(RuleError, match="too many"):
        invitations.offer_role(event=event, email="one@example.org", role="judge", by=by)
    event.log.update(at=timezone.now() - timezone.timedelta(hours=2))
    invitations.offer_role(event=event, email="one@example.org", role="judge", by=by)


@pytest.mark.django_db(transaction=True)
def test_twenty_who_accept_at_the_same_moment_are_one(event, by):
    """Safety notes, T24."""
    invitations.offer_role(event=event, email="nora@example.org", role="judge", by=by)
    found = event.invitations.get()
    people = [make.user() for _ in range(20)]

    def act(number):
        try:
            invitations.accept_invitation(invitation=found, by=Actor(user=people[number]))
        except RuleError as refused:
            return refused.code
        return "in"

    answers = at_once(act, 20)
    assert sorted(set(answers)) == ["in", "invitation_gone"]
    assert answers.count("in") == 1
    assert StaffRole.objects.filter(event=event, role="judge").count() == 1


def test_where_mail_is_set_up_the_link_goes_by_mail(organiser, event, settings):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "https://girone.example"
    page = invite(organiser, event, "nora@example.org")
    assert "nora@example.org" in page
    assert "Waiting" in page
    assert "/invitations/" not in re.sub(r"staff/invitations/\d+/revoke", "", page)
    (sent,) = sent_mails()
    assert sent.to == ["nora@example.org"]
    link = re.search(r"https://girone.example(/invitations/[\w-]+/)", sent.body)[1]
    reader = signed_in(make.user())
    assert event.name in reader.get(link, follow=True).content.decode()


def test_a_mail_that_is_not_sent_leaves_the_link_to_hand_on(organiser, event, settings):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "http://testserver"
    settings.EMAIL_BACKEND = "tests.accounts.test_without_mail.Gone"
    page = invite(organiser, event, "nora@example.org")
    assert "Show the link" not in page
    to = url("manage-invitation-link", event, event.invitations.get().pk)
    assert organiser.post(to).status_code == 409
    Outgoing.objects.update(ends_at=timezone.now())
    assert sent_mails() == []
    assert "Show the link" in organiser.get(staff_page(event)).content.decode()
    link = link_in(organiser.post(to, follow=True).content.decode())
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    organiser.post(url("manage-mail-again", event, Outgoing.objects.get().pk))
    (sent,) = sent_mails()
    assert link in sent.body, "the one that was shown is not ended"
    assert signed_in(make.user()).get(link).status_code == 302
