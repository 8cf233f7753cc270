"""The order of the ranking criteria: its form fields, and changing it while an event runs.

`forms.CriteriaFields` is mixed into the settings form of an event (`tournaments.events`) before the
start. Afterwards `views.Criteria` first shows what another order would change
(`selectors.criteria_change`), and stores it once the organiser confirms just these effects, which a
fingerprint identifies. Criteria themselves are plug-ins in `rules.criteria`.
"""
