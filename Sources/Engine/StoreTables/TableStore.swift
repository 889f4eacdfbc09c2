package import FoundationEssentials
package import State

/// A state in the tables of a database; the store's own part is the connection, the lock and the
/// files.
///
/// The extensions of this protocol are the ports of `State` over these tables, with the same
/// statements for SQLite and PostgreSQL (decision 72). An actor: its calls run one after the other, in
/// the order in which they are made.
package protocol TableStore: Actor, StateStore {
    /// Names the state in errors.
    nonisolated var path: String { get }
    /// Opens the state's registrations; nil if they are not encrypted.
    nonisolated var openedVault: StateVault? { get }
    var upkeep: MembershipUpkeep { get set }

    /// Reads from one snapshot.
    func read<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value

    /// Writes everything or nothing; the changes are durable when it returns.
    func write<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value

    /// Like `write`, possibly in one commit with other changes. `body` may run several times; only
    /// the last result counts.
    func writeTogether<Value: Sendable>(
        _ body: @escaping (any StateDatabase) throws -> Value
    ) async throws(StateStoreError) -> Value

    /// Like `write`, for a change that erases; the store does what it can so that the database does not
    /// keep the erased content.
    func writeErasing<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value

    /// Stores the message IDs of outcomes in the transaction that records them.
    ///
    /// Outcomes are more important than IDs. An error is therefore returned, to be thrown after the
    /// outcomes are recorded.
    func keepIDs(
        of outcomes: [RequestOutcome],
        in unit: StoredUnit,
        on db: any StateDatabase
    ) throws -> StateStoreError?

    /// Rewrites what may still contain erased content; returns false if a reader prevents it.
    func sweep() throws(StateStoreError) -> Bool

    /// Removes what the store keeps outside of the tables about units whose outcomes were dropped.
    func removeFiles(of units: [UnitID])
}

extension TableStore {
    nonisolated package func failed(_ reason: String) -> StateStoreError {
        .failed(path: path, reason: reason)
    }

    nonisolated package func damaged(_ reason: String) -> StateStoreError {
        .damaged(path: path, reason: reason)
    }

    /// Seals and opens content with the keys that the state had when it was opened.
    nonisolated package var sealer: ContentSealer { ContentSealer(vault: openedVault, path: path) }

    nonisolated package func opened(_ content: Data, at place: SealedPlace) throws -> Data {
        try sealer.open(content, at: place)
    }
}

extension StateStoreError {
    /// A column is missing: the state is of a version of Herald that was not released.
    ///
    /// The format of these versions has the same number. Opening a state reads a column that they lack.
    package static func ofUnreleasedVersion(path: String, reason: String) -> StateStoreError {
        .damaged(path: path, reason: "its tables are not those of this version: \(reason)")
    }

    /// Converts an error that does not come from a database.
    package init(storing error: any Error, path: String) {
        switch error {
        case let error as StateStoreError: self = error
        case is UnexpectedValue:
            self = .damaged(path: path, reason: "a value is not of its column's type")
        default: self = .failed(path: path, reason: "\(type(of: error))")
        }
    }
}
