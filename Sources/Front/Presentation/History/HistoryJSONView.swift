package import Applying
import CampaignModel
import JSON
package import State

/// Renders the list of runs as JSON.
///
/// See `Documentation/Reference/Formats/history.md` for the format.
package struct HistoryJSONView: Sendable {
    private let verdict: ChainVerdict?

    /// `verdict`: nil if there is no state.
    package init(_ verdict: ChainVerdict?) {
        self.verdict = verdict
    }

    package var listHead: String { HistoryJSON.list.begin(verdict) }

    package func listItem(_ run: RunRecord, isWriting: Bool, isFirst: Bool) -> String {
        HistoryJSON.list.item(entry(run, isWriting: isWriting), isFirst: isFirst)
    }

    package func listEnd(isEmpty: Bool) -> String { HistoryJSON.list.end(isEmpty: isEmpty) }

    package func line(_ run: RunRecord, isWriting: Bool) -> String {
        HistoryJSON.runLine.text(of: entry(run, isWriting: isWriting))
    }

    private func entry(_ run: RunRecord, isWriting: Bool) -> HistoryJSON.Run {
        HistoryJSON.Run(record: run, isWriting: isWriting, verdict: verdict)
    }
}

/// Renders one run as JSON, with its changes and sends.
package struct RunJSONView: Sendable {
    private let verdict: ChainVerdict

    package init(_ verdict: ChainVerdict) {
        self.verdict = verdict
    }

    package func render(_ overview: RunOverview) -> String {
        let run = HistoryJSON.OneRun(run: entry(overview), overview: overview, verdict: verdict)
        return JSONValue.object(HistoryJSON.one.json(of: run)).prettyText + "\n"
    }

    /// Writes the run, then one line per membership, occurrence and notable request.
    package func forEachLine(of overview: RunOverview, write: (String) -> Void) {
        let run = overview.run.id
        write(HistoryJSON.runLine.text(of: entry(overview)))
        for membership in overview.memberships {
            write(HistoryJSON.membershipLine.text(of: .init(run: run, part: membership)))
        }
        for sending in overview.sendings {
            write(HistoryJSON.sendingLine.text(of: .init(run: run, part: sending)))
            for problem in sending.sending.problems {
                let part = HistoryJSON.Problem(
                    occurrence: sending.sending.occurrence,
                    problem: problem
                )
                write(HistoryJSON.problemLine.text(of: .init(run: run, part: part)))
            }
        }
    }

    private func entry(_ overview: RunOverview) -> HistoryJSON.Run {
        HistoryJSON.Run(record: overview.run, isWriting: overview.isWriting, verdict: verdict)
    }
}

extension JSONDefinition {
    /// The object on one line.
    fileprivate func text(of value: Value) -> String {
        JSONValue.object(shape.json(of: value)).lineText + "\n"
    }
}
