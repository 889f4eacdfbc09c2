import CampaignModel
import FCMWire
import Foundation
import JSON
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

/// A temporary folder for a test; a class, because its deinitializer removes the folder.
final class StateFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "herald-state-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var state: String { path + "/made/here/dev.sqlite" }

    func open(key: StateKey? = nil) throws(StateStoreError) -> SQLiteStore {
        try SQLiteStore.open(path: state, keys: StateKeys(key: key))
    }

    /// Creates a state with something of every kind, and closes it.
    func fill(key: StateKey? = nil) async throws {
        let store = try open(key: key)
        let list = ListID(text: String(repeating: "0f", count: 32))
        try await store.store(StoreFixtures.registrations(0..<500), as: list)
        let run = try await store.beginRun(StoreFixtures.worker)
        try await store.record([.define(StoreFixtures.definition("sale", title: "Now"))], in: run)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: ["a": "b"],
            target: .registrations(list),
            count: 500
        )
        let unit = try await store.open(opened, in: run)
        let outcomes = (0..<64).map { RequestOutcome(index: $0, outcome: .rejected, detail: "404") }
        try await store.record(outcomes, released: 100, of: unit.id)
        let scope = try StoreFixtures.scope("all", "news")
        try await store.beginJoin(StoreFixtures.members(0..<500), in: scope)
        // A state whose run has not ended is refused without its write-ahead log.
        try await store.finishRun(
            run,
            as: RunEnd(status: .stopped, tally: OutcomeTally(), at: StoreFixtures.due)
        )
    }

    /// Reads something of every kind.
    func readAll(key: StateKey? = nil) async throws {
        let store = try open(key: key)
        let applied = try await store.appliedState()
        for unit in applied.occurrences.values.compactMap(\.unit) {
            _ = try await store.outcomes(of: unit.id, in: 0..<unit.count)
            _ = try await store.requests(of: unit.id, with: .rejected, limit: 100)
            guard case .registrations(let list) = unit.target else { continue }
            _ = try await store.registrations(of: list, from: 0, count: unit.count)
        }
        let scope = try StoreFixtures.scope("all", "news")
        let members = try await store.memberships(in: scope)
        _ = try await store.members(members.map(\.fingerprint), in: scope)
    }

    /// Returns the bytes with which the state stores a registration if it is not encrypted.
    func packedRegistration(_ number: Int) throws -> Data {
        var bytes: [UInt8] = []
        for registration in try StoreFixtures.registrations(number..<number + 1) {
            PackedRegistration.append(registration, to: &bytes)
        }
        return Data(bytes)
    }

    func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}

/// Runs a program to its end and returns its exit code.
@discardableResult
func runToEnd(_ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
}
