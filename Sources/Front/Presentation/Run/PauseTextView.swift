import CampaignModel
package import State
package import Time

/// Renders the result of `herald pause`.
package struct PauseTextView: Sendable {
    private let style: TextStyle
    private let now: Instant
    private let hint: CommandHint

    package init(style: TextStyle = .plain, now: Instant, hint: CommandHint = .local) {
        self.style = style
        self.now = now
        self.hint = hint
    }

    /// `pauses`: all current pauses.
    package func renderPaused(
        _ scope: PauseScope,
        isNew: Bool,
        pauses: [Pause]
    ) -> String {
        let off = "`\(hint.resuming(scope))`"
        let what = scope.name.map { "\($0) is not sent" } ?? "nothing is sent, joined or left"
        if isNew {
            let whose = scope.name == nil ? "" : " it"
            return style.folded(
                "Paused: \(what) until \(off). "
                    + "A run that is sending\(whose) stops within a second.\n"
            )
        }
        let former = pauses.first { $0.scope == scope }
        let who = former.map { ", " + author($0) } ?? ""
        return style.folded("Already paused\(who): \(what) until \(off).\n")
    }

    /// `rest`: the remaining pauses.
    package func renderLifted(
        _ scope: PauseScope,
        wasPaused: Bool,
        rest: [Pause]
    ) -> String {
        let what = scope.name ?? "everything"
        let head =
            wasPaused
            ? "The pause of \(what) is lifted\(rest.isEmpty ? ": the next apply resumes" : "").\n"
            : "Not paused: \(what).\n"
        let lines = rest.map { "Still paused: \($0.name ?? "everything"), \(author($0)).\n" }
        return style.folded(head + lines.joined())
    }

    private func author(_ pause: Pause) -> String {
        "by \(TextStyle.safe(pause.user)) on \(TextStyle.safe(pause.host)) "
            + MomentWording(now: now).ago(pause.since)
    }
}

extension PauseScope {
    /// The campaign's name; nil if everything is paused.
    var name: String? {
        switch self {
        case .everything: nil
        case .campaign(let campaign): campaign.rawValue
        }
    }
}

extension CommandHint {
    /// The command that lifts a pause.
    func resuming(_ scope: PauseScope) -> String {
        self((["resume"] + [scope.name].compactMap(\.self)).joined(separator: " "))
    }
}
