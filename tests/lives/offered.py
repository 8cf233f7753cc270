"""What a page offers, as a reader sees it: forms with what they send, links, and figures."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from lxml import html

Fields = tuple[tuple[str, str], ...]
TYPED = {"own": "40", "other": "22"}
"""What is typed into fields that wait for it."""
NOT_SENT = ("csrfmiddlewaretoken",)
PRESSED = "(not(@type) or @type='submit') and not(@disabled)"
NUMBER = re.compile(r"\d+")
OF_SCRIPTS = "/0/"
"""In the address of a form whose number a script puts in."""
FULL_HOUR = re.compile(r"(?<=\d):00\b")
LANGUAGE = re.compile(r"-(en|it)-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A form with one of its buttons: where it is sent, and what with it."""

    path: str
    fields: Fields

    @property
    def act(self) -> tuple[str, Fields]:
        """Return what is offered, without words that people read."""
        return self.path, tuple(pair for pair in self.fields if pair[0] != "reason")


def tree_of(page: str) -> Any:
    """Return a page, or a part of one, as a tree."""
    return html.fromstring(f"<div>{page}</div>")


def offers(tree: Any, path: str) -> Iterator[Offer]:
    """Yield each button of each form that sends something; a form without action sends to ``path``.

    A form typed into sends what is in TYPED; of choices it sends what stands first where nothing is
    chosen. Left out is what waits for more words, or can't be pressed.
    """
    for form in tree.xpath(".//form[@method='post']"):
        sent = tuple(_fields(form))
        filled = {name for name, value in sent if value}
        if any(field.get("name") not in filled for field in form.xpath(".//*[@required]")):
            continue
        pressed = [] if form.get("hidden") is not None else form.xpath(f".//button[{PRESSED}]")
        if form.get("id"):
            pressed += tree.xpath(f".//button[@form='{form.get('id')}'][{PRESSED}]")
        for button in () if OF_SCRIPTS in (form.get("action") or "") else pressed:
            name, value = button.get("name"), button.get("value", "")
            yield Offer(
                path=button.get("formaction") or form.get("action") or path,
                fields=tuple(sorted((*sent, (name, value)) if name else sent)),
            )


def _fields(form: Any) -> Iterator[tuple[str, str]]:
    radios: dict[str, str] = {}
    for field in form.xpath(".//input[@name]|.//select[@name]|.//textarea[@name]"):
        name, kind = field.get("name"), field.get("type", "text")
        if name in NOT_SENT or kind in ("submit", "file") or field.get("disabled") is not None:
            continue
        if field.tag == "select":
            yield name, _chosen(field)
        elif field.tag == "textarea":
            yield name, (field.text or "").strip()
        elif kind == "radio":
            if name not in radios or field.get("checked") is not None:
                radios[name] = field.get("value", "on")
        elif kind == "checkbox":
            if field.get("checked") is not None:
                yield name, field.get("value", "on")
        else:
            yield name, field.get("value") or TYPED.get(name, "")
    yield from radios.items()


def _chosen(field: Any) -> str:
    found = field.xpath("./option[@selected]") or field.xpath(".//option")
    return found[0].get("value", found[0].text or "") if found else ""


def sent_in_vain(
    browser: Client, tree: Any, path: str, *, fill: bool = False, **more: str
) -> list[str]:
    """Send all that a page offers, each from this moment on; return what was refused.

    Nothing of it stays. ``more`` goes along with each form. To ``fill`` in forms better than TYPED
    does is left to people: an answer that asks for that is no refusal.
    """
    right = (200, 302, 400) if fill else (200, 302)
    refused = []
    for offer in sorted(set(offers(tree, path)), key=repr):
        answer = undone(browser, offer.path, (*offer.fields, *more.items()))
        if answer.status_code not in right:
            words = " ".join(tree_of(answer.content.decode()).text_content().split())
            refused.append(f"{offer}: {answer.status_code} {words[:600]}")
    return refused


def undone(browser: Client, path: str, fields: Fields) -> HttpResponse:
    """Send a form, and take back whatever it did."""
    sent: dict[str, list[str]] = defaultdict(list)
    for name, value in fields:
        sent[name].append(value)
    with transaction.atomic():
        answer: HttpResponse = browser.post(path, sent)
        transaction.set_rollback(True)
    return answer


def acts(tree: Any, path: str) -> Counter[object]:
    """Return the acts and links of a page, the same in every language."""
    found = Counter[object](offer.act for offer in offers(tree, path))
    found.update(LANGUAGE.sub("-", link) for link in tree.xpath(".//a/@href"))
    return found


def figures(tree: Any) -> Counter[str]:
    """Return the numbers that a reader of a page sees, each as often as it stands there.

    Of a full hour only the hour, as Italian writes "ore 12".
    """
    return Counter(NUMBER.findall(FULL_HOUR.sub("", tree.text_content())))
