import CampaignModel
import JSON
import RunControl
import Sending
import State

/// Declares the JSON of `herald registrations check`.
package enum SweepJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    package static let schema = PublishedSchema(
        name: "check",
        title: "Herald registrations check",
        root: shape.schema
    )

    static let shape = JSONShape<SweepView>(
        "Output of `herald registrations check --format json`.",
        [
            .required(
                "format_version",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in
                formatVersion
            },
            .required("environment", .text, about: "Name.") { $0.environment.rawValue },
            .required("list", .text, about: "The list as the command line names it.") { $0.list },
            .required("end", .choice, about: "How the check ended.") { End($0.report.end) },
            .required("registrations", .count, about: "Registrations in the list.") {
                $0.report.count
            },
            .required("dead_before", .count, about: "Dead registrations, which are not checked.") {
                $0.report.skipped
            },
            .required(
                "unanswered",
                .count,
                about: "Registrations without a conclusive answer."
            ) { $0.report.unanswered },
        ] + SweepVerdict.allCases.map(member) + [
            .required("recorded", .count, about: "Registrations that were recorded as dead.") {
                $0.report.recorded
            },
            .required(
                "released",
                .list(of: .occurrence),
                about: "Held sends that the check released; the next apply resumes them."
            ) { $0.releasedSends },
        ]
    )

    private static func member(of verdict: SweepVerdict) -> JSONMember<SweepView> {
        .required(verdict.name, .count, about: verdict.about) { $0.report.tally[verdict] }
    }

    /// How a check ended.
    enum End: String, CaseIterable {
        /// Every registration was requested.
        case complete
        /// The list looks wrong.
        case suspicious
        case interrupted
        /// FCM refuses access.
        case refused
        /// The server stopped answering.
        case unanswered
        /// The list could no longer be read, or it changed.
        case changed

        init(_ end: SweepReport.End) {
            switch end {
            case .complete: self = .complete
            case .suspicious: self = .suspicious
            case .failed(.interrupted): self = .interrupted
            case .failed(.refused): self = .refused
            case .failed(.list): self = .changed
            case .failed(.unanswered), .failed(.unreachable), .failed(.state), .failed(.recalled):
                self = .unanswered
            }
        }
    }
}

/// Renders what `herald registrations check` finds as JSON.
package struct SweepJSONView: Sendable {
    package init() {}

    package func render(_ sweep: SweepView) -> String {
        JSONValue.object(SweepJSON.shape.json(of: sweep)).prettyText + "\n"
    }
}

extension SweepVerdict {
    fileprivate var name: String {
        switch self {
        case .valid: "valid"
        case .unregistered: "unregistered"
        case .invalid: "invalid"
        case .mismatched: "mismatched"
        case .refused: "refused"
        }
    }

    fileprivate var about: String {
        switch self {
        case .valid: "Registrations to which FCM would accept messages."
        case .unregistered: "Registrations that FCM or APNs no longer knows."
        case .invalid: "Texts that are not registrations."
        case .mismatched: "Registrations of another Firebase project."
        case .refused: "Registrations that FCM refused for another reason."
        }
    }
}
