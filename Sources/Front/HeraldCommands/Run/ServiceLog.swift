import ArgumentParser
import CampaignModel
import Presentation
import Time

/// The form of a service's log.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// Writes what a service does to standard error: as text for people, or as one JSON object per line.
struct ServiceLog: Sendable {
    let format: LogFormat
    /// Nil until it is known.
    let environment: EnvironmentID?
    private let clock: WallClock
    private let style: TextStyle
    /// Writes to standard error, even if `CommandContext` writes JSON.
    private let write: @Sendable (String) -> Void
    private let mask: VariableMask

    /// `context`: the context of the process, not one that writes JSON.
    init(
        _ format: LogFormat,
        of environment: EnvironmentID? = nil,
        to context: CommandContext,
        in session: Session? = nil
    ) {
        self.format = format
        self.environment = environment
        clock = session?.clock ?? context.systemClock
        style = TextStyle(useColor: false, width: context.errorWidth)
        write = context.error.write
        mask = session?.context.mask ?? context.mask
    }

    /// Whether other parts of the program describe what happens as text.
    var showsText: Bool { format == .text }

    func note(_ entry: ServiceLogEntry) {
        let entry = entry.mapText(mask.masked)
        switch format {
        case .text: if entry.isInText { write(style.folded(entry.message + ".\n")) }
        case .json: write(ServiceLogJSON.line(entry, in: environment, at: clock.now()))
        }
    }
}

extension CommandContext {
    /// The same context, whose text becomes lines of a JSON log.
    func logging(to log: ServiceLog) -> CommandContext {
        let output = CommandOutput(
            isTerminal: false,
            columns: { nil },
            write: { text in
                for line in text.split(separator: "\n") where line.contains(where: { $0 != " " }) {
                    log.note(.message(String(line)))
                }
            }
        )
        return CommandContext(
            variables: variables,
            systemClock: systemClock,
            input: input,
            output: output,
            error: output,
            watchSignals: watchSignals,
            protectMemory: protectMemory,
            openTransport: openTransport
        )
    }
}
