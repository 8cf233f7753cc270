"""What the folder's program runs: ``girone``, or the reader of a photo in a process of its own."""

import os
import runpy
import sys
import traceback


def give_back_libraries() -> None:
    """Let programs that it starts, as the browser, load the system's libraries again."""
    system = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
    os.environ.pop("LD_LIBRARY_PATH", None)
    if system:
        os.environ["LD_LIBRARY_PATH"] = system


def main(arguments: list[str]) -> int:
    """Run the program with the arguments of the command line; return the exit code."""
    if arguments == ["photo_reader"]:
        runpy.run_module("tournaments.arrivals.photo_reader", run_name="__main__")
        return 0
    give_back_libraries()
    from config.program import main as run

    try:
        code = run(arguments)
    except Exception:  # noqa: BLE001 - shown while the window stays
        traceback.print_exc()
        code = 1
    if code and not arguments and os.name == "nt":
        input("Press Enter to close this window.")  # else nobody reads why it ended
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
