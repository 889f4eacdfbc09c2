/// What `herald validate` reports if there are no findings.
package enum NoFindingsWording {
    package static func text(of paths: [String]) -> String {
        let names = paths.map { "`\(TextStyle.safe($0))`" }.joined(separator: ", ")
        return "No problem found in \(names).\n"
    }

    package static func text(campaigns: Int, audiences: Int) -> String {
        let audiences = audiences.counting("audience")
        return "No problem found: \(campaigns.counting("campaign")), \(audiences).\n"
    }
}
