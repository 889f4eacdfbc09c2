import PostgresClient
import State
import Testing

@testable import PostgresStore

struct ServerProblemTests {
    @Test(arguments: [
        (
            PostgresError.unreachable(
                message: "connection to server at \"db\", port 5432 failed: Connection refused"
            ),
            StateServerProblem.unreachable(
                message: "connection to server at \"db\", port 5432 failed: Connection refused"
            )
        ),
        (
            .unreachable(message: "SSL error: certificate verify failed"),
            .untrusted(message: "SSL error: certificate verify failed")
        ),
        (
            .unreachable(message: "FATAL:  password authentication failed for user \"ada\""),
            .rejected(message: "FATAL:  password authentication failed for user \"ada\"")
        ),
        (
            .unreachable(message: "FATAL:  the database system is shutting down"),
            .unreachable(message: "FATAL:  the database system is shutting down")
        ),
        (.timedOut, .slow),
        // PostgreSQL documentation, Error Codes.
        (.refused(message: "m", state: "53100"), .diskFull),
        (.refused(message: "m", state: "25006"), .readOnly),
        (.refused(message: "m", state: "57014"), .cancelled(message: "m")),
        (.refused(message: "m", state: "42501"), .lacksPrivilege(message: "m")),
        (.refused(message: "m", state: "57P01"), .unreachable(message: "m")),
        (.refused(message: "m", state: nil), .unreachable(message: "m")),
    ])
    func `names the problems of a server`(error: PostgresError, problem: StateServerProblem) {
        #expect(StateStoreError(postgres: error, path: "p") == .server(path: "p", problem))
    }

    @Test func `keeps the reason of other refused statements`() {
        #expect(
            StateStoreError(
                postgres: PostgresError.refused(message: "m", state: "23505"),
                path: "p"
            )
                == .failed(path: "p", reason: "m")
        )
    }

    @Test func `names tables of a version that was not released`() async throws {
        let scene = try PostgresScene()
        _ = try await scene.open()
        try scene.execute("ALTER TABLE meta DROP COLUMN moved")
        let reason = "its tables are not those of this version: column \"moved\" does not exist"
        await #expect(throws: StateStoreError.damaged(path: scene.place.name, reason: reason)) {
            try await scene.open()
        }
    }

    @Test(arguments: ["42P01", "42883"])
    func `names other objects of a version that was not released`(state: String) {
        let error = PostgresError.refused(message: "m", state: state)
        let reason = "its tables are not those of this version: m"
        let expected = StateStoreError.damaged(path: "p", reason: reason)
        #expect(StateStoreError(postgres: error, path: "p") == expected)
    }

    @Test(arguments: [
        (PostgresError.refused(message: "m", state: nil), true),
        (.refused(message: "m", state: "57P01"), true),
        (.timedOut, true),
        (.refused(message: "m", state: "40001"), false),
        (.refused(message: "m", state: "HRD02"), false),
    ])
    func `tells after which errors a commit may have happened`(
        error: PostgresError,
        isInDoubt: Bool
    ) {
        #expect(error.isOfConnection == isInDoubt)
    }
}
