package import Applying
package import CampaignModel
package import RunControl
package import State
package import Time

/// Passes the unknown requests of an occurrence one by one until the closure returns false.
package typealias UnknownSource =
    (OccurrenceOverview, (SendProblem) -> Bool) async throws(StateStoreError) -> Void

/// Renders the status of a state as text.
package struct StatusTextView {
    private let style: TextStyle
    private let now: Instant
    private let hint: CommandHint
    /// The maximum number of unknown requests to list per occurrence; nil for all.
    private let named: Int?
    /// How fast requests leave; nil if it is not measured.
    private let rates: SendRates?
    private let write: (String) -> Void

    /// `write`: receives the text in parts, so that a long text is never held in memory.
    package init(
        style: TextStyle,
        now: Instant,
        hint: CommandHint = .local,
        named: Int?,
        rates: SendRates? = nil,
        write: @escaping (String) -> Void
    ) {
        self.style = style
        self.now = now
        self.hint = hint
        self.named = named
        self.rates = rates
        self.write = write
    }

    package func renderMissing(_ environment: EnvironmentID) {
        line("There is no state of \(environment) yet: nothing was applied.")
    }

    package func render(
        _ overview: StateOverview,
        of environment: EnvironmentID,
        unknowns: UnknownSource
    ) async throws(StateStoreError) {
        head(of: overview, in: environment)
        workers(of: overview)
        let isWriting = overview.writer != .nobody
        for section in StatusSection.all {
            let members = overview.occurrences.filter {
                section.phase == $0.place(isWriting: isWriting)
            }
            guard !members.isEmpty else { continue }
            line("\n" + style.paint(section.title, in: section.tone))
            for group in OccurrenceOverview.together(members) {
                if group.count > 1 {
                    show(group, in: overview)
                } else if let member = group.first {
                    try await show(member, in: overview, unknowns: unknowns)
                }
            }
        }
        rest(overview)
        resolutions(overview)
        doubled(overview)
        memberships(overview)
    }

    private func line(_ text: String) { write(style.folded(text) + "\n") }

    private func head(of overview: StateOverview, in environment: EnvironmentID) {
        let identity = overview.identity
        line("State of \(environment): lineage \(identity.lineage), serial \(identity.serial)")
        switch overview.writer {
        case .nobody: line("Lock: not held")
        case .somebody(let worker):
            let who = worker.map { "\($0.wording), \(ago($0.since))" }
            line("Lock: held by \(who ?? "an unknown process")")
        }
        runners(of: overview)
        speed(of: overview)
        for pause in overview.pauses.sorted(by: { $0.name ?? "" < $1.name ?? "" }) {
            let paused = style.paint("Paused: \(pause.name ?? "everything")", in: .attention)
            line(
                "\(paused), by \(safe(pause.user)) on \(safe(pause.host)), \(ago(pause.since)); "
                    + "resume with `\(hint.resuming(pause.scope))`"
            )
        }
    }

    private func workers(of overview: StateOverview) {
        let table = fleetLines.table(of: overview.fleet.workers)
        if !table.isEmpty { line("\n" + style.paint("Workers", in: .strong)) }
        for row in table { line(row) }
    }

    /// How fast requests leave, and how long they wait.
    private func speed(of overview: StateOverview) {
        if let rates { line("Rate: \(rates.sum.counting("request")) per minute") }
        guard rates != nil || !overview.fleet.workers.isEmpty,
            let due = overview.oldestDue(at: now)
        else { return }
        let length = MomentWording.length(max(0, now.seconds(since: due)))
        line("Lag: the oldest due request waits for \(length)")
    }

    private func doubled(_ overview: StateOverview) {
        let lines = fleetLines.lines(of: overview.fleet.doubled)
        for (place, text) in lines.enumerated() { line((place == 0 ? "\n" : "") + text) }
    }

    private var fleetLines: FleetLines { FleetLines(style: style, hint: hint) }

    /// The running services, otherwise the process that was seen last, and the standbys.
    private func runners(of overview: StateOverview) {
        let wording = RunnerWording(hint: hint, now: now)
        let runners = overview.runners.filter { !$0.isStandby }
        let running = runners.filter { now.seconds(since: $0.lastSeen) <= Self.recently }
        let standbys = overview.runners.filter {
            $0.isStandby && now.seconds(since: $0.lastSeen) <= Self.recentlyStandby
        }
        for runner in (running.isEmpty ? Array(runners.prefix(1)) : running) + standbys {
            line(wording.line(runner))
        }
    }

    /// A service records every minute that it is running.
    private static let recently: Int64 = 150
    /// A standby does so every ten minutes.
    private static let recentlyStandby: Int64 = 1_500

    private func rest(_ overview: StateOverview) {
        let settled = overview.settled
        let ended = [
            (settled.finished, "finished"), (settled.cancelled, "cancelled"),
            (settled.expired, "expired"),
        ]
        let words = ended.filter { $0.0 > 0 }.map { count, word in "\(count.grouped) \(word)" }
        let note =
            settled.compacted > 0
            ? "; \(settled.compacted.grouped) compacted to counts" : ""
        if !words.isEmpty { line("\nEnded: \(words.joined(separator: ", "))\(note)") }
        if settled.expired > 0 {
            line("  expired: too late to be sent; set a later time, or raise `revision`")
        }
        if settled.repeated > 0 { line("  " + repetition(settled.repeated)) }
        recalls(overview)
        if overview.occurrences.isEmpty, settled.count == 0 {
            line("\nNothing was sent or scheduled yet.")
        }
    }

    /// The recalls that have ended; others are listed with the occurrences in progress.
    private func recalls(_ overview: StateOverview) {
        for occurrence in overview.occurrences where occurrence.isSettled {
            guard let author = occurrence.recall, let sent = occurrence.id.recalled else {
                continue
            }
            line(
                "  recalled: \(safe(sent.description)), by \(safe(author.user)) on "
                    + "\(safe(author.host)), \(ago(occurrence.due.instant)): "
                    + occurrence.counts.wording
            )
        }
    }

    private func resolutions(_ overview: StateOverview) {
        guard !overview.resolutions.isEmpty else { return }
        let doer = overview.writer == .nobody ? "the next apply" : "the run with the lock"
        line("\n" + style.paint("Requested; \(doer) performs it", in: .strong))
        for asked in overview.resolutions {
            line(
                "  \(asked.occurrence)  \(asked.resolution.name) of "
                    + "\(asked.unknown.counting("unknown request")), by \(safe(asked.user)) on "
                    + "\(safe(asked.host)), \(ago(asked.at))"
            )
        }
    }

    private func memberships(_ overview: StateOverview) {
        if !overview.memberships.isEmpty { line("\n" + style.paint("Memberships", in: .strong)) }
        for membership in overview.memberships {
            let counts = MembershipStatus.allCases.compactMap { status -> String? in
                let count = membership[status]
                return count > 0 ? "\(count.grouped) \(status.wording)" : nil
            }
            let name = "\(membership.audience) in \(membership.topic)"
            line("  \(name)  \(counts.joined(separator: ", "))")
            if membership[.refused] > 0 {
                let retry = hint("registrations retry \(membership.audience)")
                line("      retry refused joins with `\(retry)`")
            }
        }
        if overview.deadCount > 0 {
            line("\nDead: \(overview.deadCount.counting("registration")) unregistered at FCM")
        }
    }
}

// MARK: - Occurrences

extension StatusTextView {
    /// Shows scheduled occurrences that differ only in the time zone of their recipients.
    private func show(_ group: [OccurrenceOverview], in overview: StateOverview) {
        guard let first = group.first, let last = group.last else { return }
        let (id, moments) = (first.id, MomentWording(now: now))
        let name = OccurrenceID(
            campaign: id.campaign,
            slot: id.slot.family,
            revision: id.revision
        )
        let isPaused = overview.pause(of: id.campaign) != nil
        let mark = isPaused ? "  " + style.paint("paused", in: .attention) : ""
        line(
            "  \(style.paint(safe(name.description), in: .strong))  "
                + "\(id.slot.isOfOwnTime ? "at" : "in") "
                + group.count.counting(id.slot.isOfOwnTime ? "different time" : "time zone") + mark
        )
        line("      first \(moments.wording(first.due))")
        line("      last  \(moments.wording(last.due))")
    }

    private func show(
        _ occurrence: OccurrenceOverview,
        in overview: StateOverview,
        unknowns: UnknownSource
    ) async throws(StateStoreError) {
        let isPaused = overview.pause(of: occurrence.id.campaign) != nil
        let mark =
            isPaused && occurrence.phase.isToCome
            ? "  " + style.paint("paused", in: .attention) : ""
        line(
            "  \(style.paint(safe(occurrence.id.description), in: .strong))  \(words(occurrence))\(mark)"
        )
        if let entrusted = occurrence.entrusted {
            let rate = rates.map { $0.perMinute[occurrence.id] ?? 0 }
            for text in fleetLines.lines(of: entrusted, named: occurrence.id, rate: rate) {
                line("      " + text)
            }
        }
        if let author = occurrence.recall {
            let who = "\(safe(author.user)) on \(safe(author.host))"
            line("      recall, requested by \(who), \(ago(occurrence.due.instant))")
        }
        if occurrence.id.slot.isReply { line("      replies to messages of devices (upstream)") }
        if let rollout = occurrence.rollout, occurrence.phase.isToCome {
            line("      " + RolloutWording.position(of: rollout))
            if let stop = rollout.stop { line("      stopped: " + stop.wording) }
        }
        if occurrence.repeated > 0 { line("      " + repetition(occurrence.repeated)) }
        if let capped = occurrence.unit?.capped, capped > 0 {
            line("      " + CapWording.suppressed(capped))
        }
        try await name(occurrence, unknowns: unknowns)
        let isAsked = overview.resolutions.contains { $0.occurrence == occurrence.id }
        for way in isAsked ? [] : waysOut(occurrence) { line("      " + way) }
    }

    private func words(_ occurrence: OccurrenceOverview) -> String {
        let moments = MomentWording(now: now)
        let deferral = occurrence.deferredUntil.map { "deferred until \(moments.wording($0))" }
        guard let unit = occurrence.unit else {
            let isDue = occurrence.due.instant <= now ? "; the next run handles it" : ""
            return deferral ?? moments.wording(occurrence.due) + isDue
        }
        let rest = deferral.map { "; the rest is \($0)" } ?? ""
        return "\(unit.wording): \(occurrence.counts.wording)\(rest)"
    }

    private func repetition(_ count: Int) -> String {
        "\(count.counting("request")) repeated under policy: may have arrived twice"
    }

    private func name(
        _ occurrence: OccurrenceOverview,
        unknowns: UnknownSource
    ) async throws(StateStoreError) {
        var left = named ?? .max
        try await unknowns(occurrence) { problem in
            let who = problem.fingerprint.map { "  \($0)" } ?? ""
            line("      \(style.paint("unknown", in: .bad))\(who)  \(safe(problem.reason))")
            left -= 1
            return left > 0
        }
        let more = occurrence.counts.unknown - (named ?? .max)
        if more > 0 { line("      … and \(more.grouped) more; --all shows them") }
    }

    private func waysOut(_ occurrence: OccurrenceOverview) -> [String] {
        let name = safe(occurrence.id.description)
        let resolve = "`\(hint("resolve \(name) sent|resend|drop"))`"
        let settle =
            occurrence.counts.unknown > 0 ? ["resolve the unknown outcomes with \(resolve)"] : []
        guard case .held(let hold) = occurrence.phase else { return settle }
        if hold == .rollout {
            return ["held: \(hold.wording)", hold.wayOut(hint, for: occurrence.id)] + settle
        }
        let goOn = "`\(hint("resolve \(name) resend"))`"
        return ["held: \(hold.wording)", hold.wayOut(hint, for: occurrence.id)]
            + (settle.isEmpty
                ? ["resume it with \(goOn), or remove the campaign to give it up"] : settle)
    }

    private func ago(_ moment: Instant) -> String { MomentWording(now: now).ago(moment) }

    private func safe(_ text: String) -> String { TextStyle.safe(text) }
}

extension OccurrenceOverview.Phase {
    fileprivate var isToCome: Bool {
        switch self {
        case .scheduled, .underWay, .held, .stopped: true
        case .finished, .cancelled, .expired: false
        }
    }
}

extension Pause {
    /// The campaign's name; nil if everything is paused.
    var name: String? { scope.name }
}
