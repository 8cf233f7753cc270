"""The workbook of an event, read back."""

from io import BytesIO

from django.utils import translation
from openpyxl import load_workbook

from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.workbook import event_workbook


def book(event, *, staff=True, sight=EVERY_LIST, language="en"):
    with translation.override(language):
        return load_workbook(BytesIO(event_workbook(event, staff=staff, sight=sight)))


def rows(sheet):
    return [tuple(row) for row in sheet.iter_rows(min_row=2, values_only=True)]
