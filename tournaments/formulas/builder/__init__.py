"""The formula builder: a draft as typed, the steps that change it, and its page.

``draft.Draft`` holds what was typed, valid or not; ``typed`` reads it from a form, ``steps``
applies a button, ``problems`` finds errors and their fields, ``words`` labels places, ``preview``
lays out the fewest and the most players, ``page`` composes everything. Each button submits the
whole form, so no step needs stored state; ``formula_builder.js`` does it without loading the
page. An unsaved draft is kept in the session (``begun``). The settings of a stage are those of
its kind (``StageKind.settings``).
"""
