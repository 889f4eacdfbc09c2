package import Applying
import CampaignModel
import Memberships
import RegistrationLists
package import RunControl
import Sending
import State
import Time

/// Renders the result of an apply as text, with one line per notable request.
package struct ApplyTextView: Sendable {
    private let style: TextStyle
    private let hint: CommandHint
    /// Whether the environment's server is an emulator, which knows only its own devices.
    private let isEmulator: Bool
    /// The maximum number of rejections to list per occurrence.
    ///
    /// Unknown outcomes and repeated requests are always listed.
    private static let rejectionsNamed = 20

    package init(style: TextStyle, hint: CommandHint = .local, isEmulator: Bool = false) {
        self.style = style
        self.hint = hint
        self.isEmulator = isEmulator
    }

    package func render(_ report: ApplyReport) -> String {
        var lines: [String] = report.sends.flatMap(lines)
        let refused = report.memberships.refused
        lines += problems(.refused, problems: refused, of: refused.count, name: "membership")
        lines += report.audiencesWithRefusals.map {
            "            Herald does not repeat these joins. To try them again, use "
                + "`\(hint("registrations retry \($0)"))`."
        }
        let still = report.memberships.refusedLeaves
        lines += problems(.stillIn, problems: still, of: still.count, name: "membership")
        lines += report.expired.map { "  \(style.paint("expired", in: .bad))   \($0)" }
        lines += report.skipped.map { "  \(style.paint("skipped", in: .attention))   \($0)" }
        lines += report.waiting.map {
            "  \(style.paint("waits", in: .bad))     \($0.occurrence)  for "
                + "\($0.openLeaves.counting("registration")) to leave topic \($0.topic)"
        }
        lines += report.stopped.map {
            "  \(style.paint("stopped", in: .bad))   \($0)  until its unknown outcome is resolved: "
                + hint("resolve \($0) sent|resend|drop")
        }
        lines += report.paused.map { paused("\($0.occurrence)", in: $0.scope) }
        lines += report.deferred.map {
            "  \(style.paint("deferred", in: .attention))  \($0.occurrence)  until "
                + "\($0.until.utcText), "
                + ($0.isBetweenStages ? "when its next stage begins" : "by quiet hours")
        }
        lines += report.stoppedRollouts.map { stopped in
            "  \(style.paint("stopped", in: .bad))   \(stopped.occurrence)  "
                + RolloutWording(hint: hint).wording(stopped)
        }
        lines += report.pausedMemberships.map {
            paused("membership of \($0.audience) in topic \($0.topic)", in: .everything)
        }
        lines += report.cancelled.map {
            "  \(style.paint("cancelled", in: .bad)) \($0)  by another command; "
                + "`\(hint("history"))` shows it"
        }
        lines += report.takenBack.map {
            "  \(style.paint("recalled", in: .bad))  \($0)  by another command; "
                + "`\(hint("status \($0.campaign)"))` shows it"
        }
        lines += report.heldByService.map {
            "  \(style.paint("held", in: .bad))      \($0.occurrence)  \($0.hold.wording); "
                + "`\(hint("status"))` shows what to do"
        }
        for held in report.held { lines += self.lines(held) }
        lines += report.guardsAtSend.flatMap { GuardTextView(style: style).lines($0) }
        for refused in report.refusedSends { lines += self.lines(refused) }
        return style.folded((lines + [summary(report)]).joined(separator: "\n") + "\n")
    }

    /// `scope`: nil if the pause was lifted since then.
    private func paused(_ name: String, in scope: PauseScope?) -> String {
        let end =
            scope.map { "until `\(hint.resuming($0))`" }
            ?? "the pause was lifted; the next apply sends it"
        return "  \(style.paint("paused", in: .attention))    \(name)  \(end)"
    }

    /// Renders interrupted occurrences whose open requests are now marked as unknown.
    package func renderCutOff(_ reports: [SendReport]) -> String {
        guard !reports.isEmpty else { return "" }
        let count = reports.reduce(0) { $0 + $1.tally[.unknown] }
        let head =
            count == 0
            ? "An earlier run was interrupted. The outcomes of all its requests are known."
            : "An earlier run was interrupted and left \(count.counting("request")) with an "
                + "unknown outcome. Herald does not repeat them."
        let lines = reports.flatMap {
            problems(
                .unknown,
                problems: $0.unknown,
                of: $0.tally[.unknown],
                name: $0.occurrence.description
            )
        }
        return style.folded(([head] + lines).joined(separator: "\n") + "\n")
    }

    /// Renders the resolutions that were requested while another run held the lock.
    package func renderResolved(_ resolved: [PerformedResolution]) -> String {
        style.folded(resolved.map { line($0) + "\n" }.joined())
    }

    private func line(_ resolved: PerformedResolution) -> String {
        let asked = resolved.asked
        let author = TextStyle.safe("\(asked.user) on \(asked.host)")
        let label = style.paint("resolved".padded(to: 9), in: resolved.isDone ? .good : .attention)
        let what =
            resolved.isDone
            ? "\(asked.unknown.counting("unknown request")): \(asked.resolution.name), as "
                + "requested by \(author)"
            : "not done: other requests have become unknown since the request by \(author); "
                + "check `\(hint("status"))`"
        return "  \(label) \(TextStyle.safe(asked.occurrence.description))  \(what)"
    }

    private func lines(_ send: SendReport) -> [String] {
        let name = send.occurrence.description
        return problems(.rejected, problems: send.rejected, of: send.tally[.rejected], name: name)
            + problems(.unknown, problems: send.unknown, of: send.tally[.unknown], name: name)
            + problems(.repeated, problems: send.repeated, of: send.repeats, name: name)
    }

    /// Describes the wrong-list evidence and the possible fixes.
    private func lines(_ held: HeldSend) -> [String] {
        let suspicion = held.suspicion
        let head = "  \(style.paint("held", in: .bad))      \(held.occurrence)  "
        let indent = "            "
        switch suspicion.hold {
        case .mostlyDead:
            return [
                head + "of \(suspicion.answers.grouped) answers, \(suspicion.dead.grouped) report "
                    + "a dead registration, \(suspicion.mismatched.grouped) one of another project"
            ] + adoption(indent) + [
                indent + "Check the project, app and list. No registration was marked as dead.",
                indent + "If the list is that old, find its dead registrations with "
                    + "`\(hint("registrations check LIST"))`, which releases the send, or write in "
                    + "the campaign: `acknowledge: { dead: SHARE, reason: … }`.",
                indent + "Otherwise remove the campaign, or resume it with "
                    + "`\(hint("resolve \(held.occurrence) resend"))`.",
            ]
        case .lostWorker:
            return [
                head + "a worker is gone, and the failover of the database may have lost what it "
                    + "recorded last",
                indent + "Some registrations may have the message and look unsent.",
                indent + "Send the rest, possibly twice to these, with "
                    + "`\(hint("resolve \(held.occurrence) resend"))`, or remove the campaign.",
            ]
        case .rollout:
            return [
                head + held.suspicion.hold.wording + "; "
                    + held.suspicion.hold.wayOut(hint, for: held.occurrence)
            ]
        case .refusedPayload:
            return [
                head + "FCM answered INVALID_ARGUMENT to \(suspicion.answers.grouped) requests "
                    + "in a row",
                indent + "The message may be invalid: check it with `\(hint("apply --dry-run"))`. "
                    + "No registration was marked as dead.",
                indent + "If it is valid, find what is wrong in the list with "
                    + "`\(hint("registrations check LIST"))`, which releases the send.",
                indent + "Otherwise remove the campaign, or resume it with "
                    + "`\(hint("resolve \(held.occurrence) resend"))`.",
            ]
        }
    }

    /// Explains that an emulator knows only its own devices, and how to add the list's.
    private func adoption(_ indent: String) -> [String] {
        guard isEmulator else { return [] }
        return [
            indent + "The emulator has no devices with these registrations. Make them with "
                + "`herald emulator adopt LIST`, or start it with `--adopt-lists`."
        ]
    }

    private func lines(_ refused: RefusedSend) -> [String] {
        let text = RefusedSendWording(refused)
        let label = style.paint("refused".padded(to: 9), in: .bad)
        return ["  \(label) \(refused.occurrence)  \(text.reason)"]
            + (text.help.map { ["            fix: \($0)"] } ?? [])
    }

    /// `total`: the number of problems.
    ///
    /// The report may list fewer.
    private func problems(
        _ kind: ListedProblem,
        problems: [SendProblem],
        of total: Int,
        name: String
    ) -> [String] {
        let limit = kind.isAlwaysNamed ? problems.count : Self.rejectionsNamed
        let named = problems.prefix(limit).map { problem in
            let who = problem.fingerprint.map { "  \($0)" } ?? ""
            let label = style.paint(kind.rawValue.padded(to: 9), in: kind.tone)
            return "  \(label) \(name)\(who)  \(TextStyle.safe(problem.reason))"
        }
        let more = total - named.count
        guard more > 0 else { return named }
        // Requests that were open when the state failed have no recorded outcome yet.
        let rest =
            named.isEmpty
            ? "\(more.grouped) \(kind.rawValue); `\(hint("status"))` lists them"
            : "… and \(more.grouped) more"
        return named + ["            " + rest]
    }

    private func summary(_ report: ApplyReport) -> String {
        let memberships = report.memberships
        let tally = report.tally
        let capped = report.sends.reduce(0) { $0 + $1.capped }
        let heldOut = report.sends.reduce(0) { $0 + $1.heldOut }
        let optedOut = report.sends.reduce(0) { $0 + $1.optedOut }
        let notReached = report.sends.reduce(0) { $0 + $1.notReached }
        let refusedSends = report.refusedSends.count
        let parts = [
            (memberships.left, "left"), (memberships.joined, "joined"),
            (memberships.external, "already subscribed"), (memberships.refused.count, "refused"),
            (memberships.refusedLeaves.count, "could not leave"), (tally[.accepted], "accepted"),
            (tally[.rejected], "rejected"), (tally[.unknown], "unknown"),
            (report.sends.reduce(0) { $0 + $1.repeats }, "repeated"),
            (tally[.intended] + tally[.returned] + report.notBegun, "not sent"),
            (heldOut, "held out"),
            (optedOut, "opted out, not addressed"),
            (
                tally[.suppressed] - capped - heldOut - optedOut - notReached,
                "dead, not addressed"
            ),
            (notReached, "without the first message, not addressed"),
            (capped, "over the cap, not addressed"), (tally[.expired], "expired"),
            (report.tooLate, "too late"),
            (report.paused.count + report.pausedMemberships.count, "paused"),
            (refusedSends, refusedSends == 1 ? "send refused" : "sends refused"),
            (report.deferred.count, "deferred"),
            (report.cancelled.count, "removed by another command"),
            (report.takenBack.count, "recalled by another command"),
            (report.handedOver.count, "handed over to the service"),
        ]
        let wording = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        let nothing = report.error == nil ? "recorded" : "nothing was sent"
        let done = wording.isEmpty ? nothing : wording.joined(separator: ", ")
        let isWhole =
            report.error == nil && report.paused.isEmpty && report.pausedMemberships.isEmpty
            && report.held.isEmpty && report.stoppedRollouts.isEmpty
            && report.heldByService.isEmpty && report.refusedSends.isEmpty
        return isWhole ? "Applied: \(done)." : "Stopped: \(done)."
    }
}

/// The problems that the report lists, by their word.
private enum ListedProblem: String {
    case refused
    case stillIn = "still in"
    case rejected
    case unknown
    case repeated

    /// Whether all problems of the kind are listed, however many.
    var isAlwaysNamed: Bool {
        switch self {
        case .unknown, .repeated: true
        case .refused, .stillIn, .rejected: false
        }
    }

    var tone: TextStyle.Tone {
        switch self {
        case .refused, .rejected, .repeated: .attention
        case .stillIn, .unknown: .bad
        }
    }
}
