package import Time

/// What `herald validate --watch` and `herald status --watch` report between their outputs.
package enum WatchWording {
    package static func watching(_ files: Int) -> String {
        "Watching \(files.counting("file")). Press Ctrl-C to stop.\n"
    }

    package static func reading(at now: Instant) -> String { "--- \(now.utcText)\n" }

    /// `paths`: the changed files.
    package static func changed(_ paths: [String]) -> String {
        let more = paths.count > 1 ? " and \((paths.count - 1).counting("other"))" : ""
        return "--- \(TextStyle.safe(paths.first ?? "nothing"))\(more) changed\n"
    }
}
