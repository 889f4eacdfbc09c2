import SystemIO
import TestSupport
import Testing

struct FileTests {
    @Test func `reads at most the given count and then the rest`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "shell")
        let file = try File(folder.path + "/a", for: .reading)
        var bytes = Array("<".utf8)
        var counts: [Int] = []
        for _ in 0..<3 { counts.append(try file.append(to: &bytes, atMost: 3)) }
        #expect(counts == [3, 2, 0])
        #expect(bytes == Array("<shell".utf8))
        let middle = try file.read(at: 1, count: 2)
        #expect(middle == Array("he".utf8))
        let end = try file.read(at: 4, count: 9)
        #expect(end == Array("l".utf8))
    }

    @Test func `writes at an offset and truncates`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        let file = try File(path, for: .readingAndWriting, options: .new)
        try file.write(Array("tide".utf8))
        try file.write(Array("m".utf8), at: 2)
        try file.truncate(to: 3)
        let bytes = try file.read(at: 0, count: 9)
        #expect(bytes == Array("tim".utf8))
        let status = try file.status()
        #expect(status.permissions == 0o600)
        #expect(status.size == 3)
    }

    @Test func `errors have the system's number and message`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "")
        func open(_ name: String, _ options: File.Options) throws {
            _ = try File(folder.path + name, for: .writing, options: options)
        }
        #expect(throws: SystemError.notFound) { try open("/b", []) }
        #expect(throws: SystemError.alreadyExists) { try open("/a", .new) }
        #expect(throws: SystemError.isFolder) { try open("", []) }
        #expect(throws: SystemError.notAFolder) { try open("/a/b", []) }
        #expect(SystemError.notFound.reason == "No such file or directory")
    }

    @Test func `reports contents as absent, too large or complete`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", String(repeating: "x", count: 20_000))
        func contents(_ name: String, limit: Int) -> String {
            switch FileContents(of: folder.path + name, limit: limit) {
            case .bytes(let bytes): "\(bytes.count)"
            case .absent: "absent"
            case .unreadable: "unreadable"
            }
        }
        #expect(contents("/a", limit: 20_000) == "20000")
        #expect(contents("/a", limit: 19_999) == "unreadable")
        #expect(contents("/b", limit: 1) == "absent")
        #expect(contents("", limit: 1) == "absent")
    }

    @Test func `lists the names of a directory and their kinds`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b", "")
        try folder.write("c", "")
        let entries = try Folder.entries(of: folder.path).sorted { $0.name < $1.name }
        #expect(entries.map(\.name) == ["a", "c"])
        #expect(entries.map(\.kind) == [.folder, .file])
        #expect(throws: SystemError.notAFolder) { try Folder.entries(of: folder.path + "/c") }
    }
}
