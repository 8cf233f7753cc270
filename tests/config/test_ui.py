"""The components escape what they show and keep their promises to assistive tools."""

from datetime import UTC, date, datetime

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils import translation

from rules.wording import Sentence


def draw(source, **values):
    values["request"] = RequestFactory().get("/")
    return Template(source).render(Context(values))


@pytest.mark.parametrize(
    "source",
    [
        "{% panel bad %}x{% endpanel %}",
        "{% card bad url=bad %}x{% endcard %}",
        "{% badge bad %}",
        "{% button bad url=bad %}",
        "{% button bad why_not=bad %}",
        "{% person bad %}",
        "{% pagehead bad kicker=bad %}{% endpagehead %}",
        "{% table bad %}{% endtable %}",
        "{% crumb bad url=bad %}",
        "{% fact bad %}{{ bad }}{% endfact %}",
        "{% act bad url=bad confirm=bad field=bad %}",
    ],
)
def test_values_are_escaped(source):
    assert "<script>" not in draw(source, bad='"><script>')


def test_content_between_tags_stays_markup():
    assert "<p>x</p>" in draw("{% panel 'Title' %}<p>x</p>{% endpanel %}")


@pytest.mark.parametrize(
    "source",
    ["{% badge 'x' 'pink' %}", "{% button 'x' look='huge' %}", "{% notice 'x' %}{% endnotice %}"],
)
def test_a_mistyped_tone_is_seen_at_once(source):
    with pytest.raises(TemplateSyntaxError, match="is not one of"):
        draw(source)


def test_a_table_scrolls_in_a_named_region():
    html = draw("{% table 'Group A' %}{% endtable %}")
    assert 'role="region" tabindex="0" aria-labelledby="table-group-a-caption"' in html
    assert "<caption" in html


def test_a_greyed_button_says_why():
    html = draw("{% button 'Publish' why_not='Two results are missing.' %}")
    assert 'aria-disabled="true" aria-describedby="why-publish"' in html
    assert "Two results are missing." in html


def test_a_posting_button_carries_its_fields_and_token():
    html = draw("{% act 'Drop' url='/drop/' version=3 confirm='Sure?' %}")
    assert 'name="csrfmiddlewaretoken"' in html
    assert 'name="version" value="3"' in html
    assert 'data-confirm="Sure?"' in html


def test_the_next_step_of_a_page_tells_its_key():
    for tag in ("act", "button"):
        html = draw("{% " + tag + " 'Go' url='/go/' step=True %}")
        assert 'data-step aria-keyshortcuts="Control+Enter"' in html
        assert 'aria-hidden="true">Ctrl ↵</kbd>' in html


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", "sabato 21 novembre 2026, ore 15:30"), ("en", "Sat 21 November 2026, 15:30")],
)
def test_a_moment_shows_the_zone_in_visible_text(language, words):
    moment = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)
    with translation.override(language):
        html = draw("{% when moment 'Europe/Rome' named=True %}", moment=moment)
    assert words in html
    assert '<small class="zone">Europe/Rome</small>' in html


def test_a_sentence_of_the_rules_is_said_in_the_readers_language():
    sentence = Sentence("Saved.", {})
    with translation.override("it"):
        assert draw("{{ sentence|words }}", sentence=sentence) == "Salvato."


@pytest.mark.parametrize(("part", "words"), [("all", "ore 10"), ("time", "10:00")])
def test_italians_write_the_hour_their_way_and_an_events_zone_once(part, words):
    moment = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
    with translation.override("it"):
        html = draw("{% when moment 'Europe/Rome' part=part %}", moment=moment, part=part)
    assert f"{words}</time>" in html
    assert "zone" not in html


def test_a_moment_without_a_zone_of_its_own_names_the_zone():
    html = draw("{% when moment %}", moment=datetime(2026, 11, 21, 9, 0, tzinfo=UTC))
    assert '<small class="zone">' in html


def test_a_day_has_no_zone():
    with translation.override("it"):
        html = draw("{% when day 'Europe/Rome' %}", day=date(2026, 11, 21))
    assert html == '<time datetime="2026-11-21">sab 21 novembre 2026</time>'
