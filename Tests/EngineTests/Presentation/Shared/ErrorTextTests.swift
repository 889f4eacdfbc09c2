import CampaignModel
import Planning
import RegistrationLists
import RunControl
import State
import StoreConformance
import Testing

@testable import Presentation

struct ErrorTextTests {
    @Test(arguments: [
        (
            ApplyError.unreachable(reason: "refused\u{1B}"),
            "the server cannot be reached: refused\\u{1B}",
            "start it, or choose another environment with -e; nothing was sent"
        ),
        (
            .unanswered(reason: "lost"), "the server stopped answering: lost",
            "run apply again to continue; all results so far are recorded"
        ),
        (
            .refused(reason: "401"), "FCM refuses access: 401",
            "fix the cause and run apply again; nothing more was sent"
        ),
        (
            .interrupted, "interrupted",
            "run apply again to continue; all results so far are recorded"
        ),
        (
            .list(.changed(path: "l.txt")),
            "the list l.txt changed while the plan was applied",
            "run plan again; nothing was sent to the changed list"
        ),
        (
            .state(.diskFull(path: "s")), "the disk of the state s is full",
            "free some space and run apply again; Herald sends only what it can record"
        ),
    ])
    func `describes the error of an apply`(error: ApplyError, message: String, help: String) {
        #expect(ErrorText(error) == ErrorText(message, help: help))
    }

    @Test(arguments: [
        (
            StateServerProblem.unreachable(message: "Connection refused\u{1B}"),
            "the state postgres://db/h cannot be reached: Connection refused\\u{1B}",
            "check that the server runs and accepts connections from this machine, then run the "
                + "command again"
        ),
        (
            .readOnly,
            "the server of the state postgres://db/h accepts no changes: it is a standby or "
                + "read-only",
            "name the primary server in the address, or add target_session_attrs=read-write"
        ),
        (
            .unsafeSetting(name: "fsync"),
            "the server of the state postgres://db/h can lose what it has confirmed: fsync is off",
            "set fsync = on in postgresql.conf and restart the server"
        ),
        (
            .malformedAddress,
            "the address of the state is not a PostgreSQL connection string",
            "write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, and "
                + "percent-encode special characters in the password"
        ),
    ])
    func `describes the problem of a state's server`(
        problem: StateServerProblem,
        message: String,
        help: String
    ) {
        let error = StateStoreError.server(path: "postgres://db/h", problem)
        #expect(ErrorText(error) == ErrorText(message, help: help))
    }

    @Test(arguments: [
        (
            StateStoreError.unreachable(path: "s", reason: "no such file"),
            "the state s cannot be opened: no such file",
            "check the folder's owner and permissions" as String?
        ),
        (
            .readOnly(path: "s"), "the state s cannot be written",
            "check the permissions of the file and its folder"
        ),
        (
            .otherFormat(path: "s", found: 3, supported: 1),
            "the state s has format 3; this Herald supports 1",
            "use the version of Herald that wrote it"
        ),
        (
            .locked(holder: nil), "another run is writing this state",
            "wait for it, or set a longer --lock-timeout"
        ),
        (
            .locked(holder: StoreFixtures.worker),
            "another run is writing this state: `apply` by ada on desk, process 4711, since "
                + "2027-01-15T08:00:00Z",
            "wait for it, or set a longer --lock-timeout"
        ),
        (
            .damagedIDs(path: "s.ids/7", reason: "it is incomplete"),
            "the message ids s.ids/7 are damaged: it is incomplete",
            "the IDs cannot be shown; the state is not affected"
        ),
        (
            .encrypted(path: "local.sqlite"),
            "the state local.sqlite is encrypted, but there is no key for it",
            "name the key in herald.yaml, in the environment: "
                + "`state: { encryption: { key: env:NAME } }`"
        ),
        (
            .wrongKey(path: "local.sqlite"),
            "the state local.sqlite is encrypted with another key",
            "give the key that it was encrypted with; if the key was changed, put the old key "
                + "under `previous`"
        ),
        (
            .notEncrypted(path: "staging.sqlite"),
            "the state staging.sqlite is not encrypted, but herald.yaml names a key",
            "encrypt it with `herald state init -e staging`"
        ),
        (
            .replaced(path: "s"), "the state s was replaced while this command waited for it",
            "run the command again; nothing was changed"
        ),
        (.failed(path: "s", reason: "I/O"), "the state s failed: I/O", nil),
    ])
    func `describes state errors`(error: StateStoreError, message: String, help: String?) {
        #expect(ErrorText(error) == ErrorText(message, help: help))
        #expect(ErrorText(ApplyError.state(error)) == ErrorText(message, help: help))
        #expect(ErrorText(PlanningError.state(error)) == ErrorText(message, help: help))
    }

    @Test(arguments: [
        (
            StateStoreError.damaged(path: ".herald/live.sqlite", reason: "torn"),
            "the state .herald/live.sqlite is damaged: torn",
            "restore a copy with `herald state push FILE -e live`. Without a copy, `herald state "
                + "recover -e live` keeps what can be read"
        ),
        (
            Self.lost,
            "the state .herald/local.sqlite is missing: herald.yaml names lineage a\\u{1B}",
            "restore a copy with `herald state push FILE`. Without a copy, `herald state recover` "
                + "creates a state that repeats nothing on its own"
        ),
        (
            .missing(path: ".herald/live.sqlite", required: Self.required(by: .machine)),
            "the state .herald/live.sqlite is missing: this machine has seen it there, with "
                + "lineage a\\u{1B}",
            "restore a copy with `herald state push FILE -e live`. Without a copy, `herald state "
                + "recover -e live` creates a state that repeats nothing on its own"
        ),
        (
            .foreign(
                path: ".herald/live.sqlite",
                required: Self.required(by: .projectFile),
                found: StateLineage(text: "b")
            ),
            "the state .herald/live.sqlite has lineage b, but herald.yaml names lineage a\\u{1B}",
            "restore the right state with `herald state push FILE -e live`. If this one is right, "
                + "write `lineage: \"b\"` under the environment's `state` in herald.yaml"
        ),
        (
            .foreign(
                path: ".herald/live.sqlite",
                required: Self.required(by: .machine),
                found: StateLineage(text: "b")
            ),
            "the state .herald/live.sqlite has lineage b, but this machine has seen it with "
                + "lineage a\\u{1B}",
            "restore the right state with `herald state push FILE -e live`. If this one is right, "
                + "write `lineage: \"b\"` under the environment's `state` in herald.yaml"
        ),
        (
            .rolledBack(
                path: ".herald/live.sqlite",
                seen: StateSerial(number: 9),
                found: StateSerial(number: 3)
            ),
            "the state .herald/live.sqlite is older than one seen here: its serial is 3, the "
                + "highest seen is 9",
            "restore the newest copy with `herald state push FILE -e live`. Without it, `herald "
                + "state recover -e live` continues with this one and repeats nothing on its own"
        ),
    ])
    func `describes errors about a wrong state`(
        error: StateStoreError,
        message: String,
        help: String
    ) {
        #expect(ErrorText(error) == ErrorText(message, help: help))
        let environment = error == Self.lost ? "" : " -e live"
        let reset = ". `herald emulator reset\(environment)` starts from scratch"
        let ofEmulator = ErrorText(error, isOfOwnEmulator: true)
        #expect(ofEmulator == ErrorText(message, help: help + reset))
    }

    /// No command restores a copy on a server.
    @Test(arguments: [
        (
            StateStoreError.damaged(path: "postgres://db/h", reason: "torn"),
            "restore the newest backup of the database with PostgreSQL's tools"
        ),
        (
            .missing(path: "postgres://db/h", required: Self.required(by: .machine)),
            "restore the newest backup of the database with PostgreSQL's tools"
        ),
        (
            .foreign(
                path: "postgres://db/h",
                required: Self.required(by: .machine),
                found: StateLineage(text: "b")
            ),
            "check the address of the state. If this one is right, write `lineage: \"b\"` under the "
                + "environment's `state` in herald.yaml"
        ),
        (
            .rolledBack(
                path: "postgres://db/h",
                seen: StateSerial(number: 9),
                found: StateSerial(number: 3)
            ),
            "restore the newest backup of the database with PostgreSQL's tools. Without it, `herald "
                + "state recover` continues with this one and repeats nothing on its own"
        ),
        (
            .notEncrypted(path: "postgres://db/h"),
            "move it into a file with `herald state migrate`, encrypt the file with `herald state "
                + "init`, and move it back"
        ),
    ])
    func `suggests what helps on a server`(error: StateStoreError, help: String) {
        #expect(ErrorText(error).help == help)
        #expect(ErrorText(error, isOfOwnEmulator: true).help == help)
    }

    @Test func `names the new place of a moved state`() {
        let error = StateStoreError.moved(path: "a.sqlite", to: "postgres://db/h\u{1B}")
        #expect(
            ErrorText(error)
                == ErrorText(
                    "the state a.sqlite was moved to postgres://db/h\\u{1B}",
                    help: "use the state there: see `state` in herald.yaml, or --state. `herald "
                        + "state migrate` moves it back"
                )
        )
    }

    private static let lost = StateStoreError.missing(
        path: ".herald/local.sqlite",
        required: required(by: .projectFile)
    )

    private static func required(by source: RequiredLineage.Source) -> RequiredLineage {
        RequiredLineage(StateLineage(text: "a\u{1B}"), by: source)
    }

    @Test func `describes an unreadable list`() throws {
        let scene = try PlanScene()
        let lists = ListSurveys(
            of: [.file(path: "no\u{1B}.txt")],
            directory: scene.folder.path,
            fingerprinter: scene.fingerprinter
        )
        guard case .failure(let error)? = lists[.file(path: "no\u{1B}.txt")] else {
            Issue.record("the list was read")
            return
        }
        #expect(
            ErrorText(error)
                == ErrorText("the list no\\u{1B}.txt cannot be read: no such file or directory")
        )
    }

    @Test(arguments: [
        (RegistrationListError.empty(path: "l.txt"), "the list l.txt contains no registrations"),
        (.empty(path: nil), "the list contains no registrations"),
        (
            .repeated(line: 5, first: 2, path: "l.txt", count: 9),
            "l.txt:5 repeats the registration of line 2"
        ),
        (
            .repeated(line: 5, first: 2, path: nil, count: 9),
            "the list:5 repeats the registration of line 2"
        ),
        (
            .repeated(line: 5, first: 2, path: "b.txt", count: 9, firstPath: "a.txt"),
            "b.txt:5 repeats the registration of a.txt:2"
        ),
        (
            .repeated(line: 5, first: 2, path: "b.txt", count: 9, firstPath: "b.txt"),
            "b.txt:5 repeats the registration of line 2"
        ),
    ])
    func `describes list errors`(error: RegistrationListError, message: String) {
        #expect(ErrorText(error) == ErrorText(message))
        #expect(ErrorText(ApplyError.list(error)) == ErrorText(message))
        #expect(ErrorText(PlanningError.list(error)) == ErrorText(message))
    }

    @Test func `hides the content of a broken line`() throws {
        let scene = try PlanScene()
        _ = try scene.file(0..<1)
        try runToEnd("sh", "-c", "printf 'SECRET one\\n' >> \(scene.folder.path)/list.txt")
        let surveys = ListSurveys(
            of: [.file(path: "list.txt")],
            directory: scene.folder.path,
            fingerprinter: scene.fingerprinter
        )
        guard case .failure(let error)? = surveys[.file(path: "list.txt")] else {
            Issue.record("the list was read")
            return
        }
        let start = try scene.registration(0).token.utf8.count + 1
        #expect(
            ErrorText(error)
                == ErrorText(
                    "list.txt:2 is not a registration: "
                        + "a registration has no white space, quotes or commas "
                        + "(column 7, byte \(start + 7))"
                )
        )
    }

    @Test func `describes memberships without a decision`() throws {
        let scope = try StoreFixtures.scope("everyone", "news")
        let other = try StoreFixtures.scope("beta", "tests")
        let error = PlanningError.abandonedMemberships([
            MembershipSummary(
                audience: scope.audience,
                topic: scope.topic,
                counts: [.joined: 999, .external: 1]
            ),
            MembershipSummary(audience: other.audience, topic: other.topic, counts: [.joined: 1]),
        ])
        #expect(
            ErrorText(error)
                == ErrorText(
                    "no document specifies what to do with 1,000 registrations of everyone in "
                        + "topic news, 1 registration of beta in topic tests",
                    help: "write a document `removed: { audience: everyone, members: "
                        + "unsubscribe }`, or `members: forget` to keep them subscribed; an apply "
                        + "subscribed them for an `audience:` that was removed or no longer has "
                        + "`subscribe`"
                )
        )
    }

    @Test func `describes a record of another version`() throws {
        let error = PlanningError.unreadableOccurrence(try StoreFixtures.occurrence("sale"))
        #expect(
            ErrorText(error)
                == ErrorText(
                    "the state's record of sale/once/1 cannot be read",
                    help: "finish it with the version of Herald that wrote it"
                )
        )
    }
}
