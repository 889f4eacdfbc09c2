"""Records of failovers: the judge must accept the good ones, and find what is wrong in the others."""

from failover_judge import FailoverJudge
from wrong import World, line


class FailoverWorld(World):
    """A good run with failovers, which a change may make a bad one."""

    def __init__(self):
        super().__init__()
        self.held, self.stopping = {}, set()

    def problems(self):
        # Reads the log.
        super().problems()
        return FailoverJudge(self.record, self.held, self.stopping).judge()


def double(world, *named):
    world.lines.append(line("two", 7))
    world.two.doubled += named


def stop(world):
    """The requests from 20 on are not sent."""
    for request in range(20, 40):
        world.drop("two", request)
        world.set(world.two, request, 7, "returned")


def hold(world):
    stop(world)
    double(world)
    world.held["two"] = 1


def hold_falsely(world):
    hold(world)
    world.set(world.two, 20, 1, "accepted")


def stop_at_unknown(world):
    stop(world)
    world.set(world.two, 9, 3, "unknown")
    world.stopping.add("two")


GOOD = {
    "nothing is wrong": lambda w: None,
    "a double is named": lambda w: double(w, (0, 10)),
    "more is named than doubled": lambda w: w.two.doubled.append((0, 10)),
    "an occurrence is held": hold,
    "an occurrence stopped at an unknown request": stop_at_unknown,
    "an unknown request of an occurrence that stopped is doubled": lambda w: (stop_at_unknown(w), w.lines.append(line("two", 9))),
}
# A change of the good run, and a part of what the judge must say.
WRONG = {
    "a double is not named": (double, "doubled"),
    "others are named than the double": (lambda w: double(w, (0, 7), (8, 20)), "doubled"),
    "a named request is lost": (lambda w: (w.drop("two", 7), w.two.doubled.append((0, 10))), "lost"),
    "an occurrence stopped, but is not held": (stop, "lost"),
    "a request of an occurrence that stopped looks unsent": (
        lambda w: (stop_at_unknown(w), w.lines.append(line("two", 30))), "looks unsent"),
    "a double of an occurrence that stopped is not named": (lambda w: (stop_at_unknown(w), double(w)), "doubled"),
    "an occurrence stopped without an unknown request": (lambda w: (stop(w), w.stopping.add("two")), "lost"),
    "a held occurrence has an acceptance that was never sent": (hold_falsely, "recorded as accepted"),
}


def hunt():
    """Returns the records that the judge judges wrongly."""
    missed = []
    for name, change in GOOD.items():
        world = FailoverWorld()
        change(world)
        missed += [f"{name}: {problem}" for problem in world.problems()]
    for name, (change, part) in WRONG.items():
        world = FailoverWorld()
        change(world)
        found = world.problems()
        if not any(part in problem for problem in found):
            missed.append(f"{name}: {found}")
    return missed
