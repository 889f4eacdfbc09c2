import SystemIO
import TestSupport
import Testing

struct AtomicFileTests {
    private static func text(_ path: String) -> String? {
        guard case .bytes(let bytes) = FileContents(of: path, limit: 1_000) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func names(_ folder: TemporaryFolder) throws -> [String] {
        try Folder.entries(of: folder.path).map(\.name).sorted()
    }

    @Test func `gives the file the new contents and the permissions of the argument`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try folder.write("a", "ebb")
        try AtomicFile(path).write(Array("flood".utf8), permissions: 0o640)
        #expect(Self.text(path) == "flood")
        #expect(try FileStatus.of(path).permissions == 0o640)
        #expect(try Self.names(folder) == ["a"])
    }

    @Test func `a draft that is not published leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try folder.write("a", "ebb")
        func abandon() throws {
            _ = try AtomicFile(path).draft(Array("flood".utf8), permissions: 0o600)
        }
        try abandon()
        #expect(Self.text(path) == "ebb")
        #expect(try Self.names(folder) == ["a"])
    }

    @Test func `a draft replaces one that a crash left`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try folder.write("a.new", "torn and long")
        var draft = try FileDraft(
            Array("whole".utf8),
            at: path + ".new",
            permissions: 0o600,
            isSynced: false
        )
        try draft.replace(path)
        #expect(Self.text(path) == "whole")
        #expect(try Self.names(folder) == ["a"])
    }

    @Test func `a directory cannot be replaced`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b", "")
        #expect(throws: SystemError.self) {
            try AtomicFile(folder.path + "/a").write([], permissions: 0o600)
        }
        #expect(try Self.names(folder) == ["a"])
    }
}
