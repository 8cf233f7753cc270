"""The formula builder: a draft as typed, the steps that change it, and its page.

``draft.FormulaDraft`` holds what was typed, valid or not; ``steps`` reads it from a form and
applies a button, ``page`` finds errors and their fields, labels places, lays out the fewest and the
most players, and composes everything. Each button submits the
whole form, so no step needs stored state; ``formula_builder.js`` does it without loading the
page. An unsaved draft is kept in the session (``draft``). The settings of a stage are those of
its kind (``StageKind.settings``).
"""
