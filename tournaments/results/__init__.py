"""Results of matches: reported by players, entered by the staff, corrected later.

Results are reports that are only ever added (`models.Report`); ``Match.decision`` points to the
report that counts, ``Match.version`` is the number of the last one, and the staff's writes and
confirmations name the version that their page showed. A player's report goes through
`services.reports`: if the second player's report agrees (`rules.matches.agreement`: same winner,
score and kind of ending) the result is final, else the match is disputed. An unanswered report
confirms itself ``Event.confirm_after`` minutes later: `selectors` says which are due,
`services.results.confirm_due_reports` stores them. The staff's result goes through
`services.results.enter_result`, which decides an open match and corrects a final one.

What only a judge may decide (no-show, disqualification, double loss, void, a winner against the
score) is refused from players by `rules.matches.settling.resolve_claim`; a concession and a lack of
warriors may be reported, and need confirmation like any result.

Before a correction is stored, `selectors` computes which ranks, places, rounds and stages it
contradicts, by replacing the outcome in the stage's state and comparing, and puts rounds in words.
The caller chooses whether to keep later rounds and stages or take them back;
`tournaments.corrections` offers more than that, and takes back what has been played, too.

Where to look: `forms` for the pages of the desk (`tournaments.desk.views`) and of players
(`tournaments.personal.views`), `api` for programs, `services.results` for the undo of results too;
what every write on a match shares, and results as text, are in `tournaments.matches`.
"""
