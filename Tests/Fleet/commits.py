"""A client that shows which commits a failover loses, and how long none is possible."""

import threading
import time

import psycopg2
from processes import eventually


class Commits:
    """Inserts one number after another, and remembers which of them the primary acknowledged.

    It shows that the failovers are those that the test wants: with synchronous replication, no acknowledged commit may
    get lost; with replication cut before the kill, some must.
    """

    pause = 0.02

    def __init__(self, cluster):
        self.cluster = cluster
        # The number and the time of each acknowledged commit.
        self.acknowledged = []
        self.is_over = threading.Event()

    def __enter__(self):
        self.cluster.execute("CREATE TABLE commits (number bigint PRIMARY KEY)")
        self.thread = threading.Thread(target=self.insert, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def insert(self):
        number, connection = 0, None
        while not self.is_over.wait(self.pause):
            number += 1
            try:
                connection = connection or self.cluster.connect()
                with connection.cursor() as cursor:
                    cursor.execute("INSERT INTO commits VALUES (%s)", [number])
                # A commit that was not replicated, because the wait for it was cancelled, has a warning.
                if not connection.notices:
                    self.acknowledged.append((number, time.monotonic()))
                connection.notices.clear()
            except psycopg2.Error:
                connection = connection and connection.close()
        if connection:
            connection.close()

    def lost(self, since=0):
        """Returns how many of the commits that were acknowledged since a time are lost."""
        numbers = {number for number, moment in list(self.acknowledged) if moment >= since}
        return len(numbers - {number for number, in self.cluster.execute("SELECT number FROM commits")})

    def gap(self, begin):
        """Waits for a commit from now on. Returns the longest time without one since `begin`."""
        now = time.monotonic()
        times = eventually(
            lambda: (found := [moment for _, moment in list(self.acknowledged)]) and found[-1] > now and found,
            lambda: "no commit is possible")
        since = max((moment for moment in times if moment <= begin), default=begin)
        recent = [moment for moment in times if moment >= since]
        return max(after - before for before, after in zip(recent, recent[1:]))
