import FoundationEssentials

/// A temporary directory of a test; it is a class, to be removed when the test releases it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "herald-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file; missing directories are created.
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    package func write(_ name: String, _ text: String) throws {
        try write(name, text.utf8)
    }
}
