"""The order of the ranking criteria changed while an event runs.

Before the start it is one of the settings (`tournaments.events`), whose fields
`config.criteria_fields` has. Afterwards `views.CriteriaPage` first shows what another order would
change (`selectors.criteria_change`), and stores it once the organiser confirms just these effects,
which a fingerprint identifies. Criteria themselves are plug-ins in `rules.criteria`.
"""
