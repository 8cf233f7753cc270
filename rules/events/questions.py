"""Questions that an event asks at registration, and what may be answered to them.

A consent is a question that is answered by ticking it. Answers are kept by the question's key, so
a question that somebody has answered keeps its words (``check_answers_stay_valid``).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from rules.errors import BadInput, RuleError
from rules.json_reader import ANY_TEXT, JsonObjectReader, boolean, list_of, text

TEXT, CHOICE, YES_NO, CONSENT = KINDS = ("text", "choice", "yes_no", "consent")
MOST_QUESTIONS = 20
MOST_CHOICES = 20
LONGEST_QUESTION = 200
LONGEST_CHOICE = 80
LONGEST_ANSWER = 300

Answer = str | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of the registration form.

    ``kind`` is "text", "choice", "yes_no" or "consent"; only a choice has ``choices``. A
    ``required`` consent must be given.
    """

    key: str
    kind: str
    text: str
    required: bool = False
    choices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the question as JSON data, as it is stored in the event."""
        return asdict(self) | {"choices": list(self.choices)}


def make_question(
    *, key: str, kind: str, text: str, required: bool = False, choices: Iterable[str] = ()
) -> Question:
    """Return a question with its texts cleaned and checked.

    Raises BadInput ``bad_question``, ``bad_choices``.
    """
    words = " ".join(text.split())
    if kind not in KINDS or not words or len(words) > LONGEST_QUESTION or not words.isprintable():
        raise BadInput(
            "bad_question",
            "Write at most %(most)s characters.",
            most=LONGEST_QUESTION,
        )
    offered = tuple(filter(None, (" ".join(one.split()) for one in choices)))
    if kind == CHOICE:
        _check_choices(offered)
    return Question(
        key=key,
        kind=kind,
        text=words,
        required=required,
        choices=offered if kind == CHOICE else (),
    )


def _check_choices(offered: tuple[str, ...]) -> None:
    """Raise BadInput ``bad_choices`` unless there are several, each once and not too long."""
    good = all(len(one) <= LONGEST_CHOICE and one.isprintable() for one in offered)
    if not good or not 2 <= len(offered) <= MOST_CHOICES or len(set(offered)) < len(offered):
        raise BadInput(
            "bad_choices",
            "Enter 2 to %(most)s different choices of at most %(letters)s characters each.",
            most=MOST_CHOICES,
            letters=LONGEST_CHOICE,
        )


def read_questions(stored: object) -> tuple[Question, ...]:
    """Return the questions of stored JSON, in their order.

    Raises BadInput ``bad_question``, ``bad_choices``, ``too_many_questions``; WrongValue for JSON
    of another shape.
    """
    found = list_of(_question_from_json)(stored)
    if len(found) > MOST_QUESTIONS or len({one.key for one in found}) < len(found):
        raise BadInput(
            "too_many_questions",
            "At most %(most)s are allowed.",
            most=MOST_QUESTIONS,
        )
    return found


def _question_from_json(stored: object) -> Question:
    given = JsonObjectReader(stored, ("key", "kind", "text", "required", "choices"))
    return make_question(
        key=given.read("key", KEY),
        kind=given.read("kind", ANY_TEXT),
        text=given.read("text", ANY_TEXT),
        required=given.read("required", boolean, False),
        choices=given.read("choices", TEXTS, ()),
    )


KEY, TEXTS = text(40, 1), list_of(ANY_TEXT)


def check_answers_stay_valid(
    before: Iterable[Question],
    after: Iterable[Question],
    answers: Mapping[str, Collection[object]],
) -> None:
    """Raise RuleError ``question_answered`` if changed questions would invalidate answers.

    ``before`` and ``after`` are the questions, ``answers`` those given, by the question's key. An
    answered question keeps its kind and its text; unused choices may change, and whether it is
    required, but a consent that somebody has refused can't become required. The order is free.
    """
    now = {one.key: one for one in after}
    for one in before:
        given, new = answers.get(one.key, ()), now.get(one.key)
        if not given or new == one:
            continue
        if new is None or (new.kind, new.text) != (one.kind, one.text):
            raise RuleError(
                "question_answered",
                "“%(question)s” already has answers. Add a new question instead.",
                question=one.text,
            )
        if not all(_still_holds(new, each) for each in given):
            raise RuleError(
                "question_answered",
                "“%(question)s” already has answers. Add a new question instead.",
                question=one.text,
            )


def _still_holds(question: Question, answer: object) -> bool:
    refused = question.kind == CONSENT and question.required and answer is False
    return is_valid_answer(question, answer) and not refused


def reorder_questions(questions: Sequence[Question], key: str, *, up: bool) -> tuple[Question, ...]:
    """Return the questions with one (``key``) moved up or down; unchanged at either end.

    Raises RuleError ``no_question`` for an unknown key.
    """
    order = list(questions)
    place = next((at for at, one in enumerate(order) if one.key == key), None)
    if place is None:
        raise question_removed_error()
    to = place - 1 if up else place + 1
    if 0 <= to < len(order):
        order[place], order[to] = order[to], order[place]
    return tuple(order)


def question_removed_error() -> RuleError:
    """Return the RuleError ``no_question``: the question does not exist any more."""
    return RuleError("no_question", "Not found. Reload the page.")


def validate_answers(
    questions: Iterable[Question], given: Mapping[str, object], *, complete: bool
) -> dict[str, Answer]:
    """Return the non-empty answers to these questions by key, checked.

    ``given`` are the values from a form or an archive. ``complete``: each required question must be
    answered. Raises BadInput ``answer_missing``, ``bad_answer``.
    """
    found: dict[str, Answer] = {}
    for question in questions:
        answer = _answer(question, given.get(question.key))
        refused = question.kind == CONSENT and answer is False
        if complete and question.required and (answer is None or refused):
            raise _missing_answer_error(question)
        if answer is not None:
            found[question.key] = answer
    return found


def _missing_answer_error(question: Question) -> BadInput:
    return BadInput(
        "answer_missing",
        "Answer “%(question)s”.",
        question=question.text,
    )


def _answer(question: Question, given: object) -> Answer | None:
    """Return an answer as it is stored, None for an empty one. Raises BadInput ``bad_answer``."""
    if given is None or given == "":
        return None
    if not is_valid_answer(question, given):
        raise BadInput(
            "bad_answer",
            "Answer “%(question)s”.",
            question=question.text,
        )
    return given.strip() or None if isinstance(given, str) else bool(given)


def is_valid_answer(question: Question, given: object) -> bool:
    """Return whether a value from a form or an archive is a valid answer to a question."""
    if question.kind in (YES_NO, CONSENT):
        return isinstance(given, bool)
    if not isinstance(given, str) or len(given) > LONGEST_ANSWER:
        return False
    return given in question.choices if question.kind == CHOICE else given.strip().isprintable()
