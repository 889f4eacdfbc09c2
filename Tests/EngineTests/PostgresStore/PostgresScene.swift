import CampaignModel
import Foundation
import PostgresClient
import State
import StoreTables
import Testing

@testable import PostgresStore

/// A schema of its own in the server that `Scripts/with-postgres.sh` starts; it ends with the server.
struct PostgresScene: Sendable {
    let place: PostgresPlace

    init() throws {
        let address = try #require(
            ProcessInfo.processInfo.environment["HERALD_TEST_POSTGRES"],
            "run the tests through Scripts/with-postgres.sh"
        )
        let name = SystemRandom.bytes(8).map { String($0, radix: 16) }.joined()
        place = PostgresPlace(
            try PostgresAddress(address, variables: [:]),
            schema: "state_\(name)"
        )
    }

    func open(key: StateKey? = nil) async throws(StateStoreError) -> PostgresStore {
        try await PostgresStore.open(place, keys: StateKeys(key: key))
    }

    /// Executes statements as another client would, in one transaction; returns the answer to the
    /// last one.
    @discardableResult
    func execute(_ statements: [PostgresStatement]) throws -> PostgresResult {
        let patience = PostgresLimit.patience(.seconds(30))
        let pipeline = try PostgresPipeline(to: place.address, within: patience)
        let path = PostgresStatement("SET search_path = \(place.schema)")
        return try #require(try pipeline.send([path] + statements, within: patience).last)
    }

    @discardableResult
    func execute(_ statement: String) throws -> PostgresResult {
        try execute([PostgresStatement(statement)])
    }

    func number(_ query: String) throws -> Int64 {
        guard case .integer(let number) = try execute(query).value(row: 0, column: 0) else {
            throw UnexpectedValue()
        }
        return number
    }
}
