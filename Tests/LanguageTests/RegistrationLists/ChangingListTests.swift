import CampaignModel
import FoundationEssentials
import RegistrationLists
import TestSupport
import Testing

/// Lists that change while they are read.
struct ChangingListTests {
    private static let lines = (0..<50_000).map { "angler:\($0)\n" }.joined()

    /// Reads one line of a list of many blocks, changes its file, and reads the rest.
    private static func reason(
        afterFirstLine change: (String) throws -> Void
    ) throws -> String? {
        let folder = try ListFolder(lines)
        var reader = try RegistrationReader(folder.list, directory: folder.directory)
        _ = try reader.next()
        try change(folder.directory + "/lists/a.txt")
        do {
            while try reader.next() != nil {}
            return nil
        } catch {
            guard case .unreadable("lists/a.txt", let reason) = error else { return "\(error)" }
            return reason.description
        }
    }

    @Test func `an unchanged file is read to its end`() throws {
        #expect(try Self.reason { _ in } == nil)
    }

    @Test func `a file that grows is refused`() throws {
        let reason = try Self.reason { path in
            try Data((Self.lines + "angler:x\n").utf8).write(to: URL(filePath: path))
        }
        #expect(reason == "it changed while it was read")
    }

    @Test func `a file that becomes shorter is refused`() throws {
        let reason = try Self.reason { path in
            try Data("angler:0\n".utf8).write(to: URL(filePath: path))
        }
        #expect(reason == "it changed while it was read")
    }

    @Test func `a file with another time of writing is refused`() throws {
        let reason = try Self.reason { path in
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)],
                ofItemAtPath: path
            )
        }
        #expect(reason == "it changed while it was read")
    }
}
