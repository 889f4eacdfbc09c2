package import Experiments
import State
import Statistics

/// The result of an experiment as text, for all views.
package struct ResultDescription: Sendable {
    /// An answer to a question that readers have.
    package struct Answer: Hashable, Sendable {
        let question: String
        let text: String
    }

    /// The answers about one arm and the control.
    package struct Detail: Hashable, Sendable {
        let title: String
        let answers: [Answer]
    }

    let result: ExperimentResult
    let title: String
    let sent: String
    let terms: String
    /// Who won, how sure, since when, what next; for all arms together.
    let answers: [Answer]
    /// In the order of the comparisons; empty if there is only one.
    let details: [Detail]
    let notes: [String]
    let caption: String
    let columns: [String]
    /// One row per arm.
    let rows: [[String]]

    package init(_ result: ExperimentResult, hint: CommandHint = .local) {
        self.result = result
        let moments = MomentWording(now: result.time)
        let wording = ResultWording(result, moments: moments, hint: hint)
        title = "\(result.name.campaign): \(result.name.outcome)"
        sent = wording.sent
        terms = wording.terms
        answers = wording.answers
        details = wording.details
        notes = wording.notes
        caption = wording.caption
        columns = wording.columns
        rows = wording.rows
    }
}

extension ArmResult {
    var label: String { kind.label }
}

extension ExperimentRecord.Kind {
    /// Names the arm to people.
    var label: String {
        switch self {
        case .heldOut: "no message"
        case .own: "the message"
        case .variant(let name): name
        case .heldOutGlobally: "held out by the project"
        }
    }
}
