/// What `herald validate --fix` reports.
package enum FixWording {
    package static func fixed(_ findings: Int, inFiles files: Int) -> String {
        guard files > 0 else { return "Nothing was fixed.\n" }
        return "Fixed \(findings.counting("finding")) in \(files.counting("file")).\n"
    }

    package static func unchanged(_ path: String, because reason: String) -> String {
        "\(TextStyle.safe(path)) was not changed: \(reason)\n"
    }

    /// Why a file with unsafe fixes is left unchanged.
    package static let unreadable = "with its fixes, it would be unreadable"
}
