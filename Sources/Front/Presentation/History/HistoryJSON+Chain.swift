import JSON
import State

extension HistoryJSON {
    static let chain = JSONDefinition(
        "chain",
        of: JSONShape<ChainVerdict>(
            "Whether the history is unchanged.",
            [
                .required("intact", .flag, about: "Whether no edit was found.") { $0.isIntact },
                .required(
                    "head",
                    .text(pattern: "^[0-9]+@[0-9a-f]{64}$"),
                    about: "Number of entries, and hash of the last entry."
                ) { $0.head.description },
                .required(
                    "runs_before",
                    .count,
                    about: "Runs up to this one are from formats without a hash chain."
                ) { $0.runsBefore },
                .required(
                    "differences",
                    .list(of: .object(difference)),
                    about: "The first edits."
                ) { $0.differences },
                .required(
                    "differences_left_out",
                    .count,
                    about: "Number of omitted differences."
                ) { $0.differenceCount - $0.differences.count },
            ]
        )
    )

    private static let difference = JSONShape<ChainDifference>(
        "An edit that the hash chain reveals.",
        [
            .required("run", .nullable(.count), about: "Number of the run.") { $0.run?.number },
            .required("subject", .choice, about: "What was edited.") { $0.subject.kind },
            .required("name", .nullable(.text), about: "Name of the subject.") {
                $0.subject.name
            },
            .required("finding", .choice, about: "How it was edited.") { $0.finding.kind },
            .required("values", .list(of: .object(value)), about: "Columns that were edited.") {
                $0.finding.values
            },
        ]
    )

    private static let value = JSONShape<ChangedValue>(
        "A column.",
        [
            .required("name", .text, about: "Name.") { $0.name },
            .required("written", .nullable(.text), about: "Value that was written.") {
                $0.written
            },
            .required("found", .nullable(.text), about: "Current value.") { $0.found },
        ]
    )
}

extension ChainDifference.Finding {
    fileprivate enum Kind: String, CaseIterable {
        case added
        case gone
        case changed
        case broken
    }

    fileprivate var kind: Kind {
        switch self {
        case .added: .added
        case .gone: .gone
        case .changed: .changed
        case .broken: .broken
        }
    }

    fileprivate var values: [ChangedValue] {
        guard case .changed(let values) = self else { return [] }
        return values
    }
}

extension ChainDifference.Subject {
    fileprivate enum Kind: String, CaseIterable {
        case run
        case sending
        case membership
        case pause
        case resolution
        case entry
        case serial
    }

    fileprivate var kind: Kind {
        switch self {
        case .run: .run
        case .sending: .sending
        case .membership: .membership
        case .pause: .pause
        case .resolution: .resolution
        case .entry: .entry
        case .serial: .serial
        }
    }

    fileprivate var name: String? {
        switch self {
        case .run, .serial: nil
        case .sending(let name), .membership(let name), .resolution(let name): name
        case .pause(let campaign): campaign.isEmpty ? nil : campaign
        case .entry(let number): String(number)
        }
    }
}
