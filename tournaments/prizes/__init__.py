"""Prizes of an event: its table by place or record, the winners, and what was handed out.

``rules.events.prizes`` says who wins what. ``services`` stores the table and ticks winners,
``selectors`` names them for pages, paper, CSV and API.
"""
