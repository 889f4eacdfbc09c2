import Applying
import CampaignModel
import Presentation
import RunControl
import State
import StoreTables
import Time

/// Implements `herald status --watch`: shows the status every 2 seconds, with rates.
struct StatusWatch {
    let state: EnvironmentState
    let options: ProjectOptions
    /// The campaigns to show; all if empty.
    let campaigns: [String]
    /// The number of unknown requests to show per occurrence; nil for all.
    let named: Int?

    private static let interval = Duration.seconds(2)

    /// - Throws: A failure of the first reading, otherwise always the exit code of an interruption.
    func run() async throws {
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .watching)
        defer { signals.cancel() }
        let clock = ContinuousClock()
        let begin = clock.now
        var meter = SendRateMeter()
        var source: (any TableStore)?
        var isFirst = true
        while !stop.isRaised {
            do throws(CommandFailure) {
                if source == nil { source = try await state.openIfThere() }
                if let source {
                    let reading = try await read(source, meter: &meter, at: clock.now - begin)
                    show(reading, isFirst: isFirst)
                } else {
                    show(missing(), isFirst: isFirst)
                }
            } catch {
                // A server that fails over returns.
                guard !isFirst else { throw error }
                source = nil
                Output.message(ErrorTextView(style: options.errorStyle).render(error.text))
            }
            isFirst = false
            do { try await stop.pause(for: Self.interval) } catch { break }
        }
        throw ExitReason.interrupted.code
    }

    private func read(
        _ source: any TableStore,
        meter: inout SendRateMeter,
        at time: Duration
    ) async throws(CommandFailure) -> String {
        var chosen: Set<CampaignID> = []
        for name in campaigns { chosen.insert(try await state.campaign(name, in: source)) }
        let reader = try await state.reader(of: source)
        let overview: StateOverview
        let rates: SendRates?
        do throws(StateStoreError) {
            overview = try await reader.overview(of: chosen.isEmpty ? .unsettled : .of(chosen))
            let ended = try await reader.sentRequests(of: meter.ended(in: overview))
            rates = meter.add(overview, ended: ended, at: time)
        } catch {
            throw CommandFailure(ErrorText(error))
        }
        return try await text(of: overview, rates: rates, from: reader)
    }

    private func text(
        of overview: StateOverview,
        rates: SendRates?,
        from reader: OverviewReader
    ) async throws(CommandFailure) -> String {
        var text = ""
        let view = StatusTextView(
            style: options.outputStyle,
            now: state.session.clock.now(),
            hint: CommandHint(for: state.environment),
            named: named,
            rates: rates
        ) { text += $0 }
        do throws(StateStoreError) {
            try await view.render(
                overview,
                of: state.environment,
                unknowns: reader.forEachUnknown
            )
        } catch {
            throw CommandFailure(ErrorText(error))
        }
        return text
    }

    private func missing() -> String {
        var text = ""
        let now = state.session.clock.now()
        StatusTextView(style: options.outputStyle, now: now, named: nil) { text += $0 }
            .renderMissing(state.environment)
        return text
    }

    /// Clears a terminal, or writes a separator line to any other output.
    private func show(_ text: String, isFirst: Bool) {
        let context = state.session.context
        if context.output.isTerminal, context.variables["TERM"] != "dumb" {
            Output.data("\u{1B}[H\u{1B}[2J\u{1B}[3J" + text)
        } else {
            let now = state.session.clock.now()
            Output.data((isFirst ? "" : WatchWording.reading(at: now)) + text)
        }
    }
}
