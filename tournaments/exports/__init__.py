"""Exports of an event: the workbook (.xlsx) and the public transcript (JSON).

``workbook.event_workbook`` loads the data once (``loading``), builds the tables (``event``,
``results``, ``standings``, ``ties``) and writes each as a sheet; ``cells`` converts values so that
no spreadsheet program misreads them. A workbook is passed on, so it holds decklists only for
readers who may see all of them. ``views`` has the downloads and the transcript, the public data
from which anybody can recompute and verify a finished event (docs/verifying.md).
"""
