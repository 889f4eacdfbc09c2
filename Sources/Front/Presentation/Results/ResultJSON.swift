import CampaignModel
package import Experiments
import JSON
import State
import Statistics
import Time

/// Declares the JSON of `herald results`.
package enum ResultJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    package static let schema = PublishedSchema(
        name: "results",
        title: "Herald results",
        root: shape.schema
    )

    static let shape = JSONShape<[ExperimentResult]>(
        "Output of `herald results --format json`.",
        [
            .required(
                "format_version",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in formatVersion },
            .required("results", .list(of: .object(result)), about: "One per campaign.") { $0 },
        ]
    )

    private static let result = JSONShape<ExperimentResult>(
        "What the newest experiment of a campaign shows.",
        [
            .required("campaign", .text, about: "Name.") { $0.name.campaign.rawValue },
            .required("experiment", .text, about: "Name.") { $0.name.experiment },
            .required("outcome", .text, about: "Name of the outcome that is compared.") {
                $0.name.outcome
            },
            .required("at", .text, about: "Time of the look, RFC 3339.") { $0.time.utcText },
            .required("begins", .text, about: "Time of the first send, RFC 3339.") {
                $0.begins.utcText
            },
            .required("sends", .count, about: "Sends with these arms.") { $0.occurrences.count },
            .required("counts", .choice, about: "What a subject is.") {
                $0.isByPerson ? Subject.people : Subject.registrations
            },
            .required("events", .count, about: "Stored events with the outcome's name.") {
                $0.outcome?.events ?? 0
            },
            .required("answer", .object(answer), about: "All arms together.") { $0 },
            .required("arms", .list(of: .object(arm)), about: "In the order of the file.") {
                $0.arms
            },
            .required(
                "comparisons",
                .list(of: .object(comparison)),
                about: "Each arm with the control; empty if nothing can be compared."
            ) { $0.found },
            .required(
                "adjusted",
                .flag,
                about: "Whether intervals use the list's `covariate` (CUPED)."
            ) { $0.comparison?.evaluation.adjustment != nil },
            .required(
                "android",
                .list(of: .object(android)),
                about: "Google's aggregated delivery data of each arm; empty if none is stored."
            ) { result in result.android.map { (result.arms[$0.arm].label, $0.finding) } },
            .required("in_two_arms", .count, about: "Subjects in two arms, which count for none.") {
                $0.conflicts
            },
            .required(
                "recorded",
                .flag,
                about:
                    "False if the user may not write to the state; true if the look needed no record."
            ) { !$0.isUnrecorded },
        ]
    )

    enum Subject: String, CaseIterable {
        case people
        case registrations
    }

    enum Kind: String, CaseIterable {
        case heldOut = "held_out"
        case heldOutGlobally = "held_out_globally"
        case own
        case variant
    }

    private static let arm = JSONShape<ArmResult>(
        "An arm.",
        [
            .required("kind", .choice, about: "What its subjects get.") { $0.kind.json },
            .required("name", .text, about: "Name of the variant, or a description.") { $0.label },
            .required("control", .flag, about: "Whether other arms are compared with it.") {
                $0.isControl
            },
            .required("share", .number, about: "Its part of the subjects, by the weights.") {
                $0.share
            },
            .required("subjects", .count, about: "The denominator.") { $0.subjects },
            .required("successes", .count, about: "Subjects with the outcome.") { $0.successes },
            .required("sum", .number, about: "Sum of the values.") { $0.sum },
            .optional("accepted", .count, about: "Requests; absent if not known any longer.") {
                $0.requests?.tally[.accepted]
            },
            .optional("rejected", .count, about: "Requests.") { $0.requests?.tally[.rejected] },
            .optional("unknown", .count, about: "Requests.") { $0.requests?.tally[.unknown] },
            .optional("suppressed", .count, about: "Requests, without those held out.") {
                $0.requests.map { $0.tally[.suppressed] - $0.heldOut }
            },
            .optional("held_out", .count, about: "Requests.") { $0.requests?.heldOut },
        ]
    )
}

/// One comparison with its arms.
struct ComparedArm {
    let one: Evaluation.Comparison
    let arm: ArmResult
    let control: ArmResult
}

extension ExperimentResult {
    var compared: [ComparedArm] {
        guard let comparison else { return [] }
        return zip(comparison.arms.dropFirst(), comparison.evaluation.comparisons).map {
            ComparedArm(one: $1, arm: arms[$0], control: arms[comparison.arms[0]])
        }
    }
}

extension ExperimentRecord.Kind {
    fileprivate var json: ResultJSON.Kind {
        switch self {
        case .heldOut: .heldOut
        case .heldOutGlobally: .heldOutGlobally
        case .own: .own
        case .variant: .variant
        }
    }
}

/// Renders the results of experiments as JSON.
package struct ResultJSONView: Sendable {
    package init() {}

    package func render(_ results: [ExperimentResult]) -> String {
        JSONValue.object(ResultJSON.shape.json(of: results)).prettyText + "\n"
    }
}
