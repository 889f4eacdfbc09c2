package import State

/// Renders the verification of the run history as text.
package struct ChainTextView: Sendable {
    private let style: TextStyle
    /// The maximum number of differences to list.
    private static let named = 20

    package init(style: TextStyle) {
        self.style = style
    }

    /// Renders the differences, for the start of the output; empty if there are none.
    package func renderDifferences(_ verdict: ChainVerdict) -> String {
        guard !verdict.isIntact else { return "" }
        let first =
            verdict.firstRun.map { "run \($0.number) is the first edited run" }
            ?? "no edited run can be identified"
        let named = verdict.differences.prefix(Self.named)
        let left = verdict.differenceCount - named.count
        let lines =
            [style.paint("THE HISTORY WAS EDITED: \(first)", in: .bad)]
            + named.map { "  " + wording($0) }
            + (left > 0 ? ["  … and \(left.grouped) more"] : [])
        return style.folded(lines.joined(separator: "\n") + "\n\n")
    }

    /// Renders the head of the history, for the end of the output.
    package func renderHead(_ verdict: ChainVerdict) -> String {
        let before = verdict.runsBefore
        let earlier =
            switch before {
            case 0: ""
            case 1: "Run 1 precedes the hash chain, so edits to it cannot be detected.\n"
            default:
                "Runs 1 to \(before) precede the hash chain, so edits to them cannot be "
                    + "detected.\n"
            }
        return style.folded("\n\(earlier)Head \(verdict.head)\n")
    }

    /// `head`: the history entry that was seen before.
    ///
    /// `hint`: given if the head was seen on this machine.
    package func render(
        missing head: ChainHead,
        verdict: ChainVerdict,
        hint: CommandHint? = nil
    ) -> String {
        let wording =
            head.count > verdict.head.count
            ? "\(verdict.head.count.grouped) of \(head.count.wording) seen before are left"
            : "entry \(head.count.grouped) differs from the one seen before"
        let way = hint.map {
            "  This machine has seen a different history. If the state was replaced on purpose,\n"
                + "  accept it with `\($0("history --accept"))`.\n"
        }
        let title = style.paint("THE HISTORY WAS EDITED: \(wording)", in: .bad)
        return style.folded(title + "\n" + (way ?? "") + "\n")
    }

    private func wording(_ difference: ChainDifference) -> String {
        let run = difference.run.map { "run \($0.number)" }
        let subject = difference.subject.wording.map(TextStyle.safe)
        let what = [run, subject].compactMap(\.self).joined(separator: ", ")
        switch difference.finding {
        case .added: return "\(what): was added"
        case .gone: return "\(what): is missing"
        case .broken: return "\(what): this entry or the previous one was edited"
        case .changed(let values):
            return "\(what): " + values.map(wording).joined(separator: "; ")
        }
    }

    private func wording(_ value: ChangedValue) -> String {
        "\(value.name) was \(quoted(value.written)), is \(quoted(value.found))"
    }

    private static let longest = 60

    private func quoted(_ text: String?) -> String {
        guard let text else { return "nothing" }
        let isLong = text.count > Self.longest
        return "`\(TextStyle.safe(isLong ? String(text.prefix(Self.longest)) : text))`"
            + (isLong ? "…" : "")
    }
}

extension Int64 {
    fileprivate var wording: String { Int(self).counting("entry", plural: "entries") }
    fileprivate var grouped: String { Int(self).grouped }
}

extension ChainDifference.Subject {
    /// Nil if the run itself is meant.
    fileprivate var wording: String? {
        switch self {
        case .run: nil
        case .sending(let name): "occurrence \(name)"
        case .membership(let name): "membership \(name)"
        case .pause(let campaign): campaign.isEmpty ? "pause" : "pause of \(campaign)"
        case .resolution(let name): "resolution of \(name)"
        case .entry(let number): "entry \(number) of the chain"
        case .serial: "the state"
        }
    }
}

extension ChainVerdict {
    /// The verification status of a run.
    ///
    /// JSON contains the raw values.
    enum Standing: String, CaseIterable {
        case intact
        case differs
        /// Recorded before the hash chain existed.
        case before
    }

    func standing(of run: RunID) -> Standing {
        if differingRuns.contains(run) { return .differs }
        return run.number <= runsBefore ? .before : .intact
    }
}
