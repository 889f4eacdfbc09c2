import Applying
import ArgumentParser
import HTTPTransport
import Presentation
import RegistrationLists
import RunControl

/// The `--verbose` option of commands that send requests.
struct VerbosityOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Log each request to standard error: method, URL, status and time, without secrets."
    )
    var verbose = false
}

/// Reports progress of requests: to people on standard error, and with `--json` to programs on
/// standard output.
struct ProgressReporter: Sendable {
    private let progress: ProgressView?
    private let requests: ProgressView?
    private let events: EventLines?
    private let pause: Duration

    /// - Parameters:
    ///   - options: The command's options.
    ///   - context: The command's context.
    ///   - isQuiet: Whether to omit progress lines. A terminal keeps its progress bar.
    ///   - isVerbose: Whether to print every request.
    ///   - events: The output of `--json`, if any.
    init(
        options: ProjectOptions,
        context: CommandContext,
        isQuiet: Bool = false,
        isVerbose: Bool,
        events: EventLines? = nil
    ) {
        let canRedraw = context.canRedraw
        let view = ProgressView(
            style: options.errorStyle,
            place: canRedraw
                ? .terminal(columns: { context.errorWidth.columns ?? 80 }) : .stream,
            write: context.error.write
        )
        progress = isQuiet && !canRedraw ? nil : view
        requests = isVerbose ? view : nil
        self.events = events
        pause = canRedraw ? .milliseconds(100) : .seconds(1)
    }

    func show(_ event: ApplyEvent) {
        if case .request(let note) = event { requests?.say(RequestLine(note).text) }
        progress?.show(event)
        events?.show(event)
    }

    /// Wraps the transport if every request must be printed.
    func watching(
        _ transport: any Transport,
        with fingerprinter: Fingerprinter
    ) -> any Transport {
        guard requests != nil else { return transport }
        return LoggingTransport(transport, fingerprinter: fingerprinter) { show(.request($0)) }
    }

    /// Updates the progress display every interval until the work ends.
    func accompany<Value: Sendable>(_ work: () async -> Value) async -> Value {
        guard let progress else { return await work() }
        let ticking = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: pause)
                progress.tick()
            }
        }
        let value = await work()
        ticking.cancel()
        await ticking.value
        progress.end()
        return value
    }
}
