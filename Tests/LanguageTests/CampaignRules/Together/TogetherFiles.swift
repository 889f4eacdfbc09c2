import CampaignModel
import Diagnostics
import RegistrationLists
import Testing

/// Campaigns that are checked together.
///
/// The topics of the project are `tides` (reach 40,000), `azores` (9,000), `madeira` and `beta` (no
/// declared reach).
enum TogetherFiles {
    static let project = """
        version: 1
        project: harbour
        topics:
          tides: { reach: 40000 }
          azores: { reach: 9000 }
          madeira: {}
          beta: {}
        """

    /// Returns the project with the environments `staging` and `production`, which have further
    /// keys.
    static func environments(_ staging: String, production: String = "") -> String {
        let keys = [("staging", staging), ("production", production)].map { name, keys in
            "  \(name):\n    emulator: {}" + (keys.isEmpty ? "" : "\n    \(keys)")
        }
        return project + "\nenvironments:\n" + keys.joined(separator: "\n") + "\n"
    }

    static func files(
        _ documents: [String],
        project: String = project,
        directory: String = "/nonexistent"
    ) -> LoadedFiles {
        LoadedFiles(
            [
                ("herald.yaml", project),
                ("campaigns/a.yaml", documents.joined(separator: "\n---\n")),
            ],
            directory: directory
        )
    }

    /// Returns a campaign with an audience, a message and other lines; the audience may be marked.
    static func campaign(
        _ name: String,
        _ audience: String = "{ topic: tides }",
        _ message: String = "data: { a: b }",
        _ lines: String...
    ) -> String {
        let first = "campaign: \(name)\naudience: \(audience)\nmessage: { \(message) }\n"
        return first + lines.joined(separator: "\n")
    }

    static func fingerprint(_ token: String) throws -> Fingerprint {
        let key = FingerprintKey(bytes: [UInt8](repeating: 7, count: 32))
        return Fingerprinter(key: key).fingerprint(of: try #require(Registration(token)))
    }
}

extension LoadedFiles {
    /// The findings of one rule; other rules may also have findings.
    func findings(of rule: RuleID) -> [Finding] { findings.filter { $0.rule == rule } }

    func diagnostics(of rule: RuleID) -> [Diagnostic] { diagnostics.filter { $0.rule == rule } }
}
