/// What a command reports about the files that it writes.
package enum FileWording {
    package static func wrote(_ path: String) -> String { "Wrote \(TextStyle.safe(path)).\n" }
}
