import Applying
import CampaignModel
import JSON
import State

/// The lines of `--format ndjson`.
extension HistoryJSON {
    /// A part of a run, on a line that names the run.
    struct Line<Part> {
        let run: RunID
        let part: Part
    }

    /// A request with a problem, on a line that also names its occurrence.
    struct Problem {
        let occurrence: OccurrenceID
        let problem: RunProblem
    }

    static let runLine = line(of: "run", runMembers)
    static let membershipLine = line(of: "membership", ofRun(membershipMembers))
    static let sendingLine = line(of: "sending", ofRun(sendingMembers))
    static let problemLine = line(
        of: "problem",
        ofRun(
            [
                .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                    $0.occurrence
                }
            ] + problemMembers("outcome").reading(\Problem.problem)
        )
    )

    static let lines = [
        runLine.entry, membershipLine.entry, sendingLine.entry, problemLine.entry,
    ]

    private static func ofRun<Part>(_ members: [JSONMember<Part>]) -> [JSONMember<Line<Part>>] {
        [.required("run", .count, about: "The run.") { $0.run.number }]
            + members.reading(\Line<Part>.part)
    }

    private static func line<Value>(
        of kind: String,
        _ members: [JSONMember<Value>]
    ) -> JSONDefinition<Value> {
        JSONDefinition(
            "\(kind)_line",
            of: JSONShape("A line of a \(kind).", [.constant("kind", is: kind)] + members)
        )
    }
}
