"""Several who do the same at the same moment."""

import threading

from django.db import connection


def at_once(act, how_many):
    """Call ``act`` with 0, 1, 2 … at the same moment, each in a thread with a connection."""
    gate, results = threading.Barrier(how_many), {}

    def run(number):
        gate.wait()
        try:
            results[number] = act(number)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(how_many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[number] for number in range(how_many)]
