"""The next event of a chain: when it begins, and what it is called.

Moments are local, of the event's time zone and without one, so that an evening stays at its hour
when clocks change; ``resolve_local_time`` gives them their zone again.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from rules.numbers import ordinal_suffix

Written = Callable[[date], str]
"""A way to write a day."""
WEEK = timedelta(days=7)
LONGEST_GAP = timedelta(days=366)
"""Events further apart suggest no rhythm."""


def resolve_local_time(local: datetime, zone: ZoneInfo) -> datetime:
    """Return a local time as an unambiguous moment in a time zone.

    When the clocks change, the earlier of two moments counts; a skipped time is moved an hour
    later.
    """
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)


def next_start(last: datetime, before: datetime | None, now: datetime) -> datetime:
    """Return the start of the event after ``last``, at the same hour; all times are local.

    It is a week later, or as far from ``last`` as ``last`` is from ``before``, the event before it.
    Two on the same weekday of following months, such as both first Fridays, suggest that weekday of
    the next month. A start that is not after ``now`` is moved by whole weeks.
    """
    gap = timedelta() if before is None else last.date() - before.date()
    if before is not None and _is_monthly(before.date(), last.date()):
        day = _same_weekday(last.date())
    elif timedelta() < gap <= LONGEST_GAP:
        day = last.date() + gap
    else:
        day = last.date() + WEEK
    start = datetime.combine(day, last.time())
    if start <= now:
        start += ((now - start) // WEEK + 1) * WEEK
    return start


def _is_monthly(before: date, last: date) -> bool:
    """Return whether two days are the same weekday, as the first Friday, of following months."""
    months = (last.year - before.year) * 12 + last.month - before.month
    same = last.weekday() == before.weekday() and (last.day - 1) // 7 == (before.day - 1) // 7
    return months == 1 and same


def _same_weekday(last: date) -> date:
    """Return the day of the next month that is its first, second … weekday as ``last`` is.

    The last one if there is no fifth.
    """
    year, month = divmod(last.year * 12 + last.month, 12)
    first = date(year, month + 1, 1)
    day = 1 + (last.weekday() - first.weekday()) % 7 + (last.day - 1) // 7 * 7
    return first.replace(day=day if day <= monthrange(year, month + 1)[1] else day - 7)


MONTHS = {
    "en": "january february march april may june july august september october november december",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
}
SHORT = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
}
"""Names of the months by language."""
COUNTED = (
    r"#|№|n[.°º]|nr\.?|no\.|num\.|vol\.?|week|evening|edition|round|part|episode|ep\.|leg|"
    r"settimana|serata|edizione|tappa|giornata|turno|parte|episodio|puntata"
)
"""Words before a number that counts events."""
NO_COUNT = frozenset({"top", "of", "bo", "best", "under", "a", "da", "di"})
"""Words before a number at the end of a name that counts something else."""
YEARS = range(1900, 2101)
AFTER_WORD = re.compile(
    rf"(?:(?<=\W)|^)(?:{COUNTED})\s?(\d{{1,4}})(?!\d|[.:,]\d|\w)", re.IGNORECASE
)
ORDINAL = re.compile(r"(?<![\w.:,])(\d{1,4})(?=(?:st|nd|rd|th|ª|º|°)(?!\w))", re.IGNORECASE)
LAST_WORD = re.compile(r" (\d{1,3})$")
"""Numbers of a name that go on: behind a word that counts, an ordinal, the last word."""
SUFFIX = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
DATE = "\0"
"""What stands for the date in a name while its number is looked for."""


def next_event_name(name: str, before: str, days: tuple[date, date, date], language: str) -> str:
    """Return the name of the next event of a chain: date and number are advanced.

    ``name`` and ``before`` ("" without one) are the names of the last event and of the one before
    it; ``days`` are the days of (the one before, the last, the next event). Only the last event's
    own date is recognised, in English or Italian words (``language`` decides in doubt) or in
    digits. The number advanced is the one that differs between both names, else one that counts
    events, such as "#3"; never a year.
    """
    earlier, last, following = days
    masked, written = _without_date(name, last, language)
    moved = _with_next_number(masked, _without_date(before, earlier, language)[0])
    return moved.replace(DATE, written(following) if written else "")


def _without_date(name: str, day: date, language: str) -> tuple[str, Written | None]:
    """Return a name with ``DATE`` in place of the day, and how it is written; None without one."""
    folded = name.lower()
    if len(folded) != len(name):
        return name, None
    for form in _forms(language):
        start = folded.find(text := form(day).lower())
        end = start + len(text)
        if start < 0 or _goes_on(name[start - 1 : start], "/.-") or _goes_on(name[end:][:1], "/-"):
            continue
        as_was = _case_of(name[start:end])
        masked = name[:start] + DATE + name[end:]
        return masked, lambda other, form=form, as_was=as_was: as_was(form(other))
    return name, None


def _goes_on(sign: str, signs: str) -> bool:
    """Return whether a sign beside a day belongs to it, or to a word of which it is a part."""
    return sign.isalnum() or (sign != "" and sign in signs)


def _case_of(text: str) -> Callable[[str], str]:
    """Return the function that gives the words of a day the capitals that they have here."""
    if text.isupper():
        return str.upper
    if any(letter.isupper() for letter in text):
        return lambda words: re.sub("[a-z]{3,}", lambda word: word.group().capitalize(), words)
    return str


def _forms(language: str) -> Iterator[Written]:
    """Yield the ways to write a day, those with more words first."""
    for year in ("{0:%Y}", "{0:%y}", ""):
        if year == "{0:%Y}":
            yield lambda day: f"{day:%Y-%m-%d}"
            yield lambda day: f"{day:%Y%m%d}"
        for sign in "/.-":
            end = sign + year if year else ""
            for form in (
                "{0:%d}S{0:%m}",
                "{0.day}S{0.month}",
                "{0:%m}S{0:%d}",
                "{0.month}S{0.day}",
            ):
                yield (form.replace("S", sign) + end).format
        if year == "{0:%y}":
            continue
        tongues = sorted(MONTHS, key=lambda key: key != language)
        for months in (*(MONTHS[key] for key in tongues), *(SHORT[key] for key in tongues)):
            yield from _with_words(months.split(), year)


def _with_words(months: list[str], year: str) -> Iterator[Written]:
    def month(day: date) -> str:
        return months[day.month - 1]

    end, other_end = (f" {year}", f", {year}") if year else ("", "")
    yield lambda day: f"{day.day} {month(day)}{end.format(day)}"
    yield lambda day: f"{day.day}{ordinal_suffix(day.day)} {month(day)}{end.format(day)}"
    yield lambda day: f"{day.day}{ordinal_suffix(day.day)} of {month(day)}{end.format(day)}"
    yield lambda day: f"{day.day}. {month(day)}{end.format(day)}"
    yield lambda day: f"{month(day)} {day.day}{ordinal_suffix(day.day)}{other_end.format(day)}"
    yield lambda day: f"{month(day)} {day.day}{other_end.format(day)}"


def _with_next_number(name: str, before: str) -> str:
    place, step = _differing_number(name, before) or (_counting_number(name), 1)
    if place is None:
        return name
    first, end = place
    number = int(name[first:end]) + step
    ending = name[end : end + 2]
    if ending.lower() in ("st", "nd", "rd", "th") and not name[end + 2 : end + 3].isalnum():
        new = ordinal_suffix(number)
        name = name[:end] + (new.upper() if ending.isupper() else new) + name[end + 2 :]
    return f"{name[:first]}{number:0{end - first if name[first] == '0' else 1}}{name[end:]}"


Place = tuple[int, int]


def _differing_number(name: str, before: str) -> tuple[Place, int] | None:
    """Return the one number in which two names differ, if it rises, and by how much."""
    ours, theirs = list(re.finditer(r"\d+", name)), re.findall(r"\d+", before)
    rest, other = (re.split(r"\d+", SUFFIX.sub("", text)) for text in (name, before))
    if rest != other:
        return None
    pairs = zip(ours, theirs, strict=True)
    differ = [
        (one, int(one.group()) - int(was)) for one, was in pairs if int(one.group()) != int(was)
    ]
    if len(differ) != 1 or differ[0][1] < 1:
        return None
    return differ[0][0].span(), differ[0][1]


def _counting_number(name: str) -> Place | None:
    """Return the number that counts events by what stands around it, None without one."""
    for pattern in (AFTER_WORD, ORDINAL, LAST_WORD):
        for found in reversed(list(pattern.finditer(name))):
            words = name[: found.start()].split()
            other = pattern is LAST_WORD and (not words or words[-1].lower() in NO_COUNT)
            if int(found.group(1)) not in YEARS and not other:
                return found.span(1)
    return None
