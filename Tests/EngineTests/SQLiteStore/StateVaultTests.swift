import CampaignModel
import Foundation
import State
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct StateVaultTests {
    private let vault = StateVault(
        dataKey: [UInt8](repeating: 7, count: 32),
        fingerprintKey: FingerprintKey(bytes: [UInt8](32..<64))
    )
    private let content = Data("SECRET:device-0".utf8)
    private let place = SealedPlace.records(
        scope: 3,
        segment: 5,
        last: Fingerprint(high: 1, low: 2)
    )

    @Test func `opens sealed content`() throws {
        let sealed = try vault.seal(content, at: place)
        #expect(vault.open(sealed, at: place) == content)
        #expect(vault.open(Data([0, 0]) + sealed, at: place) == nil)
        #expect(vault.open((Data([0, 0]) + sealed).dropFirst(2), at: place) == content)
    }

    @Test func `seals equal content differently each time`() throws {
        let sealed = try (0..<100).map { _ in try vault.seal(content, at: place) }
        #expect(Set(sealed).count == 100)
    }

    @Test(arguments: [
        SealedPlace.records(scope: 4, segment: 5, last: Fingerprint(high: 1, low: 2)),
        .records(scope: 3, segment: 6, last: Fingerprint(high: 1, low: 2)),
        .records(scope: 3, segment: 5, last: Fingerprint(high: 1, low: 3)),
        .records(scope: 3, segment: 5, last: Fingerprint(high: 0, low: 2)),
        .registrations(page: 3),
        .list("0f", first: 3),
    ])
    func `opens content only at its own place`(other: SealedPlace) throws {
        #expect(vault.open(try vault.seal(content, at: place), at: other) == nil)
    }

    @Test func `distinguishes the parts of a list, and lists`() throws {
        let list = String(repeating: "0f", count: 32)
        let sealed = try vault.seal(content, at: .list(list, first: 1_000))
        #expect(vault.open(sealed, at: .list(list, first: 1_000)) == content)
        #expect(vault.open(sealed, at: .list(list, first: 0)) == nil)
        #expect(vault.open(sealed, at: .list("0f", first: 1_000)) == nil)
    }

    @Test func `opens nothing with a changed bit`() throws {
        let sealed = try vault.seal(content, at: place)
        for byte in sealed.indices {
            var changed = sealed
            changed[byte] ^= 0x10
            #expect(vault.open(changed, at: place) == nil, "byte \(byte)")
        }
        for count in 0..<sealed.count {
            #expect(vault.open(sealed.prefix(count), at: place) == nil, "\(count) bytes")
        }
    }
}

struct StateVaultWrappingTests {
    private let lineage = "00112233445566778899aabbccddeeff"
    private let vault = StateVault(
        dataKey: [UInt8](repeating: 7, count: 32),
        fingerprintKey: FingerprintKey(bytes: [UInt8](32..<64))
    )
    private let keys: [StateKey]

    init() throws {
        keys = try [1, 2, 3].map {
            try #require(StateKey(bytes: [UInt8](repeating: $0, count: 32)))
        }
    }

    @Test func `opens only with its own key, even if other keys are given`() throws {
        let wrapped = try vault.wrapped(under: keys[1], lineage: lineage)
        guard case .vault(let opened, let key) = unwrap(wrapped, keys) else {
            Issue.record("the vault was not unwrapped")
            return
        }
        #expect(opened.isSame(as: vault) && key == keys[1])
        guard case .wrongKey = unwrap(wrapped, [keys[0], keys[2]]) else {
            Issue.record("another key is not reported as wrong")
            return
        }
    }

    @Test func `contains no readable key`() throws {
        let wrapped = try vault.wrapped(under: keys[0], lineage: lineage)
        for secret in [
            Data(repeating: 7, count: 8), Data(repeating: 1, count: 8), Data(32..<40),
        ] {
            #expect(wrapped.range(of: secret) == nil)
        }
    }

    @Test func `is damaged if it is truncated, changed, or from another state`() throws {
        let wrapped = try vault.wrapped(under: keys[0], lineage: lineage)
        var broken = (0..<wrapped.count).map { Data(wrapped.prefix($0)) } + [wrapped + [0]]
        // A change of the ID's bytes turns it into the ID of another key.
        for byte in wrapped.indices where !(1...8).contains(byte) {
            var changed = wrapped
            changed[byte] ^= 1
            broken.append(changed)
        }
        for case .vault in broken.map({ unwrap($0, keys) }) { Issue.record("it was unwrapped") }
        for case .wrongKey in broken.map({ unwrap($0, keys) }) { Issue.record("a wrong key") }
        guard case .damaged = StateVault.unwrap(wrapped, lineage: "0", with: keys) else {
            Issue.record("the vault opens in another state")
            return
        }
    }

    private func unwrap(_ wrapped: Data, _ keys: [StateKey]) -> StateVault.Unwrapping {
        StateVault.unwrap(wrapped, lineage: lineage, with: keys)
    }
}
