"""Models of events. Only facts are stored; whatever can be computed comes from the rules."""

from tournaments.models import brought as brought
from tournaments.models.check import DeckCheck, Penalty, TimeExtension
from tournaments.models.clock import RoundClock
from tournaments.models.draw import Draw
from tournaments.models.entry import DeckDraft, DeckSubmission, Entry, KeptApart, PersonalLink
from tournaments.models.erasure import ErasedAccount, ErasedPlayer, RemainingMention
from tournaments.models.event import Event
from tournaments.models.formula import SavedFormula
from tournaments.models.judging import Announcement, JudgeCall, Ruling, StaffNote
from tournaments.models.log import KeptRows, LogLine
from tournaments.models.match import Match, MatchSeat, Report, Round
from tournaments.models.restoration import Restoration
from tournaments.models.snapshot import Snapshot
from tournaments.models.staff import StaffInvitation, StaffRole
from tournaments.models.stage import Group, Seat, Stage
from tournaments.models.token import GivenAnswer, TokenScope

__all__ = [
    "Announcement",
    "DeckCheck",
    "DeckDraft",
    "DeckSubmission",
    "Draw",
    "Entry",
    "ErasedAccount",
    "ErasedPlayer",
    "Event",
    "GivenAnswer",
    "Group",
    "JudgeCall",
    "KeptApart",
    "KeptRows",
    "LogLine",
    "Match",
    "MatchSeat",
    "Penalty",
    "PersonalLink",
    "RemainingMention",
    "Report",
    "Restoration",
    "Round",
    "RoundClock",
    "Ruling",
    "SavedFormula",
    "Seat",
    "Snapshot",
    "StaffInvitation",
    "StaffNote",
    "StaffRole",
    "Stage",
    "TimeExtension",
    "TokenScope",
]
