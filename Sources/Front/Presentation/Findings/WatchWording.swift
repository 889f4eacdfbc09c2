/// What `herald validate --watch` reports between its checks.
package enum WatchWording {
    package static func watching(_ files: Int) -> String {
        "Watching \(files.counting("file")). Press Ctrl-C to stop.\n"
    }

    /// `paths`: the changed files.
    package static func changed(_ paths: [String]) -> String {
        let more = paths.count > 1 ? " and \((paths.count - 1).counting("other"))" : ""
        return "--- \(TextStyle.safe(paths.first ?? "nothing"))\(more) changed\n"
    }
}
