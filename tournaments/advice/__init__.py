"""The adviser: which formulas fit a number of players, tables and hours.

``rules.formulas.adviser`` computes it; ``selectors`` makes rows of text, which a public page and
the form of a new event show.
"""
