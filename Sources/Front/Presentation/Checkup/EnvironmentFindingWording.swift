package import Preflight
package import State

/// The findings of `herald doctor` about the project's files and its state.
extension CheckupFinding {
    package static func files(campaigns: Int, errors: Int, warnings: Int) -> CheckupFinding {
        let counts = [
            errors > 0 ? errors.counting("error") : nil,
            warnings > 0 ? warnings.counting("warning") : nil,
        ].compactMap(\.self)
        guard !counts.isEmpty else {
            return .ok(.files, seen: campaigns.counting("campaign") + ", no problems")
        }
        return CheckupFinding(
            .files,
            verdict: errors > 0 ? .problem : .warning,
            seen: counts.joined(separator: ", "),
            wayOut: "run `herald validate`"
        )
    }

    package static func state(at path: String, serial: StateSerial) -> CheckupFinding {
        .ok(.state, seen: "\(TextStyle.safe(path)) at serial \(serial); no run writes it")
    }

    /// There is no state yet, and the first apply can create it.
    package static func noState(at path: String) -> CheckupFinding {
        .ok(
            .state,
            seen: "there is none yet; the first apply creates \(TextStyle.safe(path))"
        )
    }

    /// There is no state yet, and this user cannot create it.
    package static func unwritableState(in folder: String) -> CheckupFinding {
        CheckupFinding(
            .state,
            verdict: .problem,
            seen: "there is none, and \(TextStyle.safe(folder)) cannot be written",
            wayOut: "give this user write access to it"
        )
    }

    /// A check that ended with this error.
    package init(_ check: Check, verdict: Verdict = .problem, error: ErrorText) {
        self.init(check, verdict: verdict, seen: error.message, wayOut: error.help)
    }
}

/// Why `herald doctor` skips the checks after one that failed.
package enum SkippedChecksWording {
    package static let invalidFiles = "the files must be fixed first"
    package static let noCredential = "there is no credential"
    package static let unusableCredential = "the credential cannot be used"
    package static let noToken = "there is no token"
}
