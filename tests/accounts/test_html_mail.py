"""Every mail has its words as HTML beside the text, one button, and nothing from elsewhere."""

import re
from html import unescape

import pytest
from django.utils.html import strip_tags

from accounts.mail import build_mail as make_mail
from tests.accounts.test_mail_to_strangers import RESET, SIGN_UP, browser, proved
from tests.mails import sent_mails

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _by_mail(settings):
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def words_of(text):
    return " ".join(unescape(text).split())


def html_of(sent):
    ((html, kind),) = sent.alternatives
    assert kind == "text/html"
    return html


def check(sent):
    html = html_of(sent)
    shown = words_of(strip_tags(html.partition("<body>")[2].replace("<br>", " ")))
    for part in sent.body.split("\n\n"):
        assert words_of(part) in shown
    assert not re.search(r"<(img|link|script|iframe)|url\(|\ssrc=|@import", html)
    assert html.count('class="button"') == ("http" in sent.body.partition("\n\nGirone")[0])
    return html


@pytest.mark.parametrize("language", ["en", "it"])
def test_mails_about_accounts_say_the_same_twice(language):
    proved("anna@example.org", name="Anna")
    reader = browser(language)
    for email in ("anna@example.org", "nobody@example.org"):
        reader.post(RESET, {"email": email})
        form = {"email": f"new-{email}", "name": "Anna", "password1": "sala-grande-9"}
        browser(language).post(SIGN_UP, form)
    assert len(sent_mails()) == 4
    for sent in sent_mails():
        assert f'<html lang="{language}">' in check(sent)


def test_a_name_is_no_markup_and_the_link_has_words():
    text = "Hello <b>Ada</b>,\n\nyour link:\n\nhttps://girone.example/p/x/\n\nKeep it."
    html = check(make_mail("Coppa <i>", text, "ada@example.org", button="Open"))
    assert "<b>" not in html
    assert '<a class="button" href="https://girone.example/p/x/">Open</a>' in html
