import CampaignModel
import Foundation
import TestSupport
import Testing

@testable import RegistrationLists

/// Fingerprints in memory and in files.
struct FingerprintCollectorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fingerprints(_ count: Int) throws -> [Fingerprint] {
        try (0..<count).map { number in
            ListFolder.fingerprinter.fingerprint(of: try #require(Registration("fid:\(number)")))
        }
    }

    private func collect(
        _ fingerprints: [Fingerprint],
        limit: Int,
        sortLimit: Int = 1 << 24
    ) throws -> FingerprintCollector.Collected {
        var collector = FingerprintCollector(
            folder: folder.path,
            limit: limit,
            sortLimit: sortLimit
        )
        for fingerprint in fingerprints.prefix(10) { try collector.append(fingerprint) }
        try collector.append(Array(fingerprints.dropFirst(10)))
        return try collector.finish()
    }

    @Test(arguments: [(0, 10), (10, 10), (11, 10), (70_000, 100_000), (140_000, 1_000)])
    func `are the same in memory and in files`(count: Int, limit: Int) throws {
        let all = try fingerprints(count)
        guard case .different(let found) = try collect(all, limit: limit) else {
            Issue.record("a fingerprint is repeated")
            return
        }
        #expect(found.areInFiles == (count > limit))
        #expect(found.count == count)
        #expect(found.first() == all.first)
        #expect(found.inOrder() == all)
        let sorted = all.sorted()
        #expect(found.sorted(inGroups: 0..<1_024) == sorted)
        let middle = sorted.filter { $0.high >> 62 == 1 }
        #expect(found.sorted(inGroups: 256..<512) == middle)
        #expect(found.sorted(inGroups: 7..<7).isEmpty)
    }

    @Test(arguments: [100, 20_000, 69_999, 140_000])
    func `are sorted in runs, and those after the last run stay in memory`(size: Int) throws {
        let all = try fingerprints(70_000)
        let collected = try collect(all, limit: 1_000, sortLimit: size)
        guard case .different(let found) = collected else {
            Issue.record("a fingerprint is repeated")
            return
        }
        let sorted = all.sorted()
        #expect(found.sorted(inGroups: 0..<1_024) == sorted)
        for first in stride(from: 0, to: 1_024, by: 100) {
            let groups = first..<min(first + 100, 1_024)
            #expect(
                found.sorted(inGroups: groups)
                    == sorted.filter { groups.contains(Int($0.high >> 54)) }
            )
        }
        let repeated = try collect(all + [all[3]], limit: 1_000, sortLimit: size)
        guard case .repeated = repeated else {
            Issue.record("the repetition was not found")
            return
        }
    }

    @Test(arguments: [200_000, 1_000])
    func `members are found in the order of the list`(limit: Int) throws {
        let all = try fingerprints(140_000)
        guard case .different(let found) = try collect(all, limit: limit) else {
            Issue.record("a fingerprint is repeated")
            return
        }
        let some = all.enumerated().filter { $0.offset % 97 == 3 }.map(\.element)
        #expect(found.inOrder(among: some.sorted()) == some)
        #expect(found.inOrder(among: all.sorted()) == all)
        #expect(found.inOrder(among: [all[7]]) == [all[7]])
        #expect(found.inOrder(among: []) == [])
    }

    @Test(arguments: [100_000, 1_000])
    func `a repetition is found`(limit: Int) throws {
        let all = try fingerprints(80_000)
        let list = all + [all[40_000]]
        guard case .repeated(let found) = try collect(list, limit: limit) else {
            Issue.record("the repetition was not found")
            return
        }
        #expect(found == list)
    }

    @Test func `leaves no file behind`() throws {
        _ = try collect(fingerprints(20_000), limit: 100)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `reports a folder that does not exist`() throws {
        var collector = FingerprintCollector(folder: folder.path + "/none", limit: 1)
        let all = try fingerprints(2)
        #expect(throws: (any Error).self) { try collector.append(all) }
    }
}
