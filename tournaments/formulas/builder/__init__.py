"""The formula builder: a draft as typed, the steps that change it, and its page.

``draft.Draft`` holds what was typed, valid or not; ``filling`` reads it from a form, ``steps``
applies a button, ``preview`` lays out the fewest and the most players, ``page`` finds errors and
their fields, labels places and composes everything. Each button submits the
whole form, so no step needs stored state; ``formula_builder.js`` does it without loading the
page. An unsaved draft is kept in the session (``draft``). The settings of a stage are those of
its kind (``StageKind.settings``).
"""
