import PostgresClient
import State
import StoreConformance
import Testing

@testable import PostgresStore
@testable import SQLiteStore
@testable import StoreTables

// A commit with a warning is not confirmed by a standby.
extension StateMoveTests {
    /// Lets the commit of a changed mark give a warning, as one does that no standby confirms.
    private static func warning(if condition: String) -> [String] {
        [
            "CREATE SEQUENCE marks",
            """
            CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF \(condition) THEN RAISE WARNING 'no standby has confirmed it'; END IF;
                RETURN NULL;
            END $$
            """,
            """
            CREATE CONSTRAINT TRIGGER warn AFTER INSERT OR UPDATE ON meta
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION warn()
            """,
        ]
    }

    @Test func `no step of a move succeeds while no commit is confirmed`() async throws {
        let store = try await scene.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try scene.execute(Self.warning(if: "true").map { PostgresStatement($0) })
        let version = try await store.version()
        await #expect(throws: StateStoreError.server(path: scene.place.name, .slow)) {
            try await store.markMoved(to: "the file", since: version)
        }
        try await folder.fill()
        let (file, place) = (try folder.open(), try PostgresScene().place)
        let identity = try await file.identity()
        await #expect(throws: StateStoreError.server(path: place.name, .slow)) {
            try await PostgresStore.fill(place, with: identity, moved: "the file") { to in
                for statement in Self.warning(if: "true") { try to.db.run(statement) }
                try file.readForMove { try StateMove(from: $0, to: to).perform() }
            }
        }
    }

    @Test func `a later commit confirms the one that marks a state`() async throws {
        let store = try await scene.open()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        try scene.execute(
            Self.warning(if: "nextval('marks') = 1").map { PostgresStatement($0) }
        )
        try await store.markMoved(to: "the file", since: try await store.version())
        #expect(try scene.number("SELECT last_value FROM marks") == 2)
    }
}
