"""Room for deep calls, as those of pytest and Django together are.

Python keeps the frames of a thread in pieces of 16 KiB, and gives a piece back to the system as
soon as the call that needed it returns. A loop at the end of a piece takes and gives back one with
each of its calls: some hundred times for one page, a fifth of the time that the page takes.
"""

from types import FunctionType
from typing import TypeVar

Called = TypeVar("Called", bound=FunctionType)

SLOTS = 70_000
"""The least piece for so large a frame is a mebibyte; half of it is left for what is called."""


def roomy(function: Called) -> Called:
    """Give a function a frame with room for all that it calls; return the function."""
    function.__code__ = function.__code__.replace(co_stacksize=SLOTS)
    return function
