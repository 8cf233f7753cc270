"""The questions of an event, and the answers of a player."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules.events.questions import Question, is_answer, questions_of
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredQuestion:
    """A question and what a player answered, in the reader's language; "" without an answer."""

    key: str
    text: str
    answer: str


def questions_in(event: Event) -> tuple[Question, ...]:
    """Return the questions of an event; no query."""
    return questions_of(event.questions)


def answers_of(event: Event, entry: Entry) -> tuple[AnsweredQuestion, ...]:
    """Return each question of an event with a player's answer; no query."""
    return answered(questions_in(event), entry.answers)


def answered(
    questions: tuple[Question, ...], answers: Mapping[str, Any]
) -> tuple[AnsweredQuestion, ...]:
    """Return each question with its answer, from a player's stored answers."""
    return tuple(
        AnsweredQuestion(
            key=one.key, text=one.text, answer=_answer_in_words(one, answers.get(one.key))
        )
        for one in questions
    )


def stored_answers(event: Event, entry: Entry) -> dict[str, Any]:
    """Return a player's stored answers by key, without those to removed questions."""
    return {
        one.key: entry.answers[one.key]
        for one in questions_in(event)
        if is_answer(one, entry.answers.get(one.key))
    }


def _answer_in_words(question: Question, answer: object) -> str:
    if not is_answer(question, answer):
        return ""
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    return str(answer)
