"""Formulas that organisers build, save, import and export.

``core.formulas.formula_by_slug`` returns the formula of a slug, built-in or saved (``custom_…``).
A saved formula may change at any time: events that have not started follow it, as
their logs record; started ones keep their plan. ``rules/formulas/custom`` reads and checks
definitions, ``services`` stores them. ``builder`` is the page on which formulas are made.
"""
