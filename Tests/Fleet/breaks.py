"""Breaks a rule of the protocol in the functions of the server. The judge must notice each of them.

A run with a break kills two workers that send; more seeds are tried until a run shows the break.
"""

from dataclasses import dataclass

from drawing import Drawing, Fault

SEEDS = 4
UNKNOWN = "OR REPLACE FUNCTION fleet_make_unknown(target bigint) RETURNS bigint LANGUAGE plpgsql AS $$"


@dataclass(frozen=True)
class Break:
    sql: str
    # A part of what the judge must say.
    finding: str


def changed(function, text):
    """Returns a statement that removes a text from a function, which must have it."""
    return f"""
        DO $do$ DECLARE old text := pg_get_functiondef('{function}'::regproc); BEGIN
            IF position('{text}' IN old) = 0 THEN RAISE '{function} has changed'; END IF;
            EXECUTE replace(old, '{text}', '');
        END $do$"""


BREAKS = {
    "a takeover forgets what was released": Break(
        f"CREATE {UNKNOWN} BEGIN UPDATE work_units SET released = 0 WHERE id = target; RETURN 0; END $$", "doubled"),
    "a takeover records what was released as accepted": Break(
        # The outcome 6 is that of an acceptance.
        "CREATE FUNCTION accept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "NEW.outcomes := decode(replace(encode(NEW.outcomes, 'hex'), '02', '06'), 'hex'); RETURN NEW; END $$; "
        "CREATE TRIGGER accept BEFORE INSERT ON attempt_log FOR EACH ROW EXECUTE FUNCTION accept()", "recorded as accepted"),
    "units of living workers are claimed, and nothing checks the fence": Break(
        "CREATE OR REPLACE FUNCTION fleet_is_over(lease timestamptz) RETURNS boolean LANGUAGE sql VOLATILE AS "
        "$$ SELECT lease < clock_timestamp() OR random() < 0.05 $$; "
        + "; ".join(changed(function, "AND u.epoch = its_epoch AND u.token = its_token")
                    for function in ("fleet_change", "fleet_change_next", "fleet_commit")), "doubled"),
    "each commit returns all permits": Break(
        "CREATE FUNCTION give() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "NEW.returned := greatest(NEW.returned, coalesce((SELECT permits FROM fleet_slices WHERE worker = NEW.id), 0)); "
        "RETURN NEW; END $$; "
        "CREATE TRIGGER give BEFORE UPDATE OF commits ON fleet_workers FOR EACH ROW EXECUTE FUNCTION give()",
        "more than"),
    "some outcomes are not stored": Break(
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF random() < 0.1 THEN RETURN NULL; END IF; RETURN NEW; END $$; "
        "CREATE TRIGGER lose BEFORE INSERT ON attempt_log FOR EACH ROW EXECUTE FUNCTION lose()", "without a cause"),
}


def drawing(seed, options, name):
    """Returns a run with a break."""
    drawn = Drawing(seed, options)
    drawn.faults = [Fault(share, 8, "kill", worker, True, 2) for worker, share in ((0, 0.3), (1, 0.6))]
    drawn.broken = f"SET search_path = herald; {BREAKS[name].sql}"
    return drawn
