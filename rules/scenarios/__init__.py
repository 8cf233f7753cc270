"""Who is through, who is out, and what the next match must bring.

Every pattern of results that the remaining matches of a group can have is looked at; scores are
not known, so that from the first criterion of scores on everything that is not fixed yet counts
as possible either way. What is said therefore holds whatever the scores will be, as long as
every match is won or drawn and nobody leaves. In a group that can end in too many ways, and in
Swiss rounds to come, points alone say what is certain.
"""

from rules.scenarios.status import prospects as prospects
from rules.scenarios.verdicts import Bound as Bound
from rules.scenarios.verdicts import Margin as Margin
from rules.scenarios.verdicts import Measure as Measure
from rules.scenarios.verdicts import On as On
from rules.scenarios.verdicts import Prospect as Prospect
from rules.scenarios.verdicts import Verdict as Verdict
