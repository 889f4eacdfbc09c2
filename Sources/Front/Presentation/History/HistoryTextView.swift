package import Applying
import CampaignModel
package import State
package import Time

/// Renders runs as text.
package struct HistoryTextView: Sendable {
    private let style: TextStyle
    private let now: Instant
    private let hint: CommandHint
    /// The maximum number of problems to list per kind and occurrence.
    private static let named = 10

    package init(style: TextStyle, now: Instant, hint: CommandHint = .local) {
        self.style = style
        self.now = now
        self.hint = hint
    }

    package static let nothing = "No run has written to this state yet.\n"

    /// Renders some of the runs, newest first.
    ///
    /// `newest` is the newest run of the whole output.
    ///
    /// `isWriting`: whether a process holds the lock. If so, the newest run may still be active.
    package func render(
        _ runs: [RunRecord],
        isWriting: Bool,
        newest: RunID? = nil,
        verdict: ChainVerdict? = nil
    ) -> String {
        guard let newest = newest ?? runs.first?.id else { return Self.nothing }
        let width = String(newest.number).count
        let indent = String(repeating: " ", count: width + 2)
        return runs.map { run in
            let number = String(run.id.number)
            let spaces = String(repeating: " ", count: max(0, width - number.count))
            let lines = [head(run, isWriting: isWriting)] + details(run, verdict: verdict)
            let text = lines.joined(separator: "\n" + indent)
            return style.folded("\(spaces)\(style.paint(number, in: .strong))  \(text)\n")
        }.joined()
    }

    package func render(_ overview: RunOverview, verdict: ChainVerdict? = nil) -> String {
        let run = overview.run
        var lines = ["Run \(run.id.number)  " + head(run, isWriting: overview.isWriting)]
        lines += details(run, verdict: verdict).map { "  " + $0 }
        for membership in overview.memberships {
            lines += ["", words(membership)]
            if membership.refused > 0 { lines.append("  " + retry(membership.scope)) }
        }
        for sending in overview.sendings { lines += [""] + self.lines(sending) }
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func head(_ run: RunRecord, isWriting: Bool) -> String {
        let name = run.status.name(isWriting: isWriting)
        let moments = MomentWording(now: now)
        let began = "\(run.worker.since.utcText), \(moments.ago(run.worker.since))"
        return "\(style.paint(name.padded(to: 11), in: run.status.tone))  \(began)\(duration(run))"
    }

    private func duration(_ run: RunRecord) -> String {
        guard let ended = run.ended else { return "" }
        let seconds = ended.seconds(since: run.worker.since)
        return ", took \(seconds < 1 ? "less than 1 s" : MomentWording.length(seconds))"
    }

    private func details(_ run: RunRecord, verdict: ChainVerdict?) -> [String] {
        let worker = run.worker
        let who = "\(safe(worker.command)), by \(safe(worker.user)) on \(safe(worker.host))"
        let counts = run.tally.wording
        return (verdict?.standing(of: run.id) == .differs ? [differs] : [])
            + [who] + origin(worker) + (counts.isEmpty ? [] : [counts])
            + (run.cause.map { [style.paint(safe($0), in: .attention)] } ?? [])
    }

    private var differs: String { style.paint("edited after it was written", in: .bad) }

    private func origin(_ worker: Worker) -> [String] {
        let origin = worker.origin
        var lines: [String] = []
        if let commit = origin.commit {
            let state = origin.isDirty.map { $0 ? ", with local changes" : ", clean" } ?? ""
            lines.append("commit \(safe(commit))\(state)")
        }
        if origin.ciRun != nil || origin.ciActor != nil {
            let actor = origin.ciActor.map { "by \(safe($0))" }
            let words = [origin.ciRun.map(safe), actor].compactMap(\.self)
            lines.append("CI \(words.joined(separator: ", "))")
        }
        if let digest = worker.digest { lines.append("plan \(safe(digest))") }
        if !worker.approvals.isEmpty {
            let signers = worker.approvals.map { "\(safe($0.principal)) (\(safe($0.key)))" }
            lines.append("approved by \(signers.joined(separator: ", "))")
        }
        if !worker.bypasses.isEmpty {
            let names = worker.bypasses.map(safe).joined(separator: ", ")
            lines.append(style.paint("with \(names)", in: .attention))
        }
        return lines
    }

    private func words(_ membership: RunMembership) -> String {
        let parts = [
            (membership.left, "left"), (membership.joined, "joined"),
            (membership.refused, "refused"),
        ]
        var words = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        if membership.leftUpstream > 0 {
            words[0] +=
                membership.leftUpstream == membership.left
                ? " (upstream)" : " (\(membership.leftUpstream.grouped) upstream)"
        }
        let scope = membership.scope
        let name = style.paint("\(scope.audience) in \(scope.topic)", in: .strong)
        return "\(name)  \(words.isEmpty ? "nothing changed" : words.joined(separator: ", "))"
    }

    private func retry(_ scope: MembershipScope) -> String {
        "retry refused joins with `\(hint("registrations retry \(scope.audience)"))`"
    }

    private func lines(_ overview: RunOccurrenceOverview) -> [String] {
        let sending = overview.sending
        let audience = overview.unit.map { "to \($0.wording): " } ?? ""
        let name = style.paint(safe(sending.occurrence.description), in: .strong)
        let id = overview.messageID.map { ["  message  \(safe($0))"] } ?? []
        let compacted = overview.unit?.compacted.map {
            ["  compacted \($0.utcText): only counts are kept"]
        }
        let capped = sending.capped > 0 ? ["  " + CapWording.suppressed(sending.capped)] : []
        let objective = overview.objective.map { ["  " + $0.wording] } ?? []
        let answers = overview.answers.map { "  " + safe($0.wording) }
        return ["\(name)  \(audience)\(sending.tally.wording)"] + answers + id + (compacted ?? [])
            + capped
            + objective
            + RunProblem.Kind.allCases.flatMap { problems(of: sending, kind: $0) }
    }

    private func problems(of sending: RunOccurrence, kind: RunProblem.Kind) -> [String] {
        let problems = sending.problems.filter { $0.kind == kind }
        let named = problems.prefix(Self.named).map { problem in
            let who = problem.registration.map { "  \(safe($0))" } ?? ""
            return "  \(style.paint(kind.rawValue.padded(to: 9), in: kind.tone))\(who)  "
                + safe(problem.reason)
        }
        let total =
            switch kind {
            case .rejected: sending.tally[.rejected]
            case .unknown: sending.tally[.unknown]
            case .repeated: sending.repeated
            }
        let more = total - named.count
        return named + (more > 0 ? ["  … and \(more.grouped) more \(kind.rawValue)"] : [])
    }

    private func safe(_ text: String) -> String { TextStyle.safe(text) }
}

extension RunStatus {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .running: .strong
        case .complete: .good
        case .stopped, .abandoned: .bad
        case .interrupted: .attention
        }
    }
}

extension RunProblem.Kind {
    fileprivate var tone: TextStyle.Tone { self == .unknown ? .bad : .attention }
}
