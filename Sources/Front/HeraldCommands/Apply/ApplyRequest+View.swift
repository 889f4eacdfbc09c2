import Applying
import CampaignModel
import FCMClient
import Planning
import Presentation

/// What an apply prints.
extension ApplyRequest {
    /// Writes text for people: to standard error with `--json`, otherwise to standard output.
    func say(_ text: String) {
        if arguments.json { Output.message(text) } else { Output.data(text) }
    }

    private var style: TextStyle {
        arguments.json ? session.options.errorStyle : session.options.outputStyle
    }

    var view: ApplyTextView {
        ApplyTextView(
            style: style,
            hint: CommandHint(for: target.environment.id),
            isEmulator: target.environment.isEmulator
        )
    }

    func show(_ plan: Plan) {
        let view = PlanTextView(style: style)
        say(view.render(plan, zones: target.zones, places: target.places))
    }

    /// Shows the report and exits with the result's code.
    func show(_ result: ApplyResult) throws {
        if let report = result.report { say(session.report(report, in: view)) }
        if result.exitReason != nil, !result.isInterrupted, result.report?.error == nil {
            let wording = ShortfallWording(hint: CommandHint(for: target.environment.id))
            session.options.tell(
                wording.line(result.report, of: result.plan, after: result.cutOff)
            )
        }
        try result.throwReason()
        if result.hadChanges { suggestNext(after: result.plan) }
    }

    /// Suggests `emulator inboxes` after sends to the embedded emulator, otherwise `status`.
    private func suggestNext(after plan: Plan) {
        guard !arguments.quiet else { return }
        let next = NextCommand(session.options)
        let environment = target.environment
        guard environment.endpoint == .embeddedEmulator, !plan.sends.isEmpty else {
            return next.suggest("status", in: environment.id)
        }
        next.suggest("emulator inboxes")
    }

    /// Warns about each bypassed guard that would have refused nothing.
    ///
    /// A list that is read when its send begins may still need some of them.
    func warnOfIdleBypasses(_ plan: Plan) {
        let readsLists = plan.sends.contains { $0.target.listAtSend != nil }
        let needed = Set(
            plan.guards.compactMap { outcome -> Guard? in
                if case .bypassed = outcome.verdict { outcome.guard } else { nil }
            }
        ).union(readsLists ? GuardsAtSend.all : [])
        for idle in arguments.guards.bypassed where !needed.contains(idle) {
            warn(ApplyNoticeWording.idleBypass(idle))
        }
    }

    /// Warns about a time limit below the one that Google advises.
    func warnOfShortTimeLimit() {
        let limit = arguments.requestTimeout
        guard limit.duration < FCMEndpoint.shortestAdvisedTimeLimit else { return }
        warn(ApplyNoticeWording.shortTimeLimit(limit.text))
    }

    func warn(_ text: String) {
        let word = session.options.errorStyle.paint("warning", in: .attention)
        session.options.tell("\(word): \(text)\n")
    }
}
