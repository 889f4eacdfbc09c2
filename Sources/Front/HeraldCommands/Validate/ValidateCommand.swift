import ArgumentParser
import CampaignLoading
import CampaignModel
import Diagnostics
import Presentation

/// The `herald validate` command, which reports every problem of every file.
///
/// Works offline.
struct ValidateCommand: MainThreadCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        _superCommandName: "herald",
        abstract: "Check every file. Sends nothing and reads no state.",
        discussion: """
            EXAMPLES
              herald validate
              herald validate campaigns/tides.yaml   only findings about this file
              herald validate --fix                  apply safe fixes
              herald validate --watch                check again when a file is saved
              herald validate --format github        annotations in GitHub Actions
              herald validate --online               also validate messages with FCM

            Prints every problem with its place and a fix. Environments with their own `lists` or \
            `defaults` are checked one by one. The exit code is 65 if there is an \
            error, else 0. With --deny-warnings, it is also 65 if there is a warning.
            """
    )

    @OptionGroup var options: ProjectOptions

    @OptionGroup var output: FormatOptions<FindingFormat>

    @Flag(help: "Exit with 65 on warnings, too.")
    var denyWarnings = false

    @Flag(
        help: """
            Apply safe fixes, then show the remaining findings. All other bytes of the files \
            stay unchanged.
            """
    )
    var fix = false

    @Flag(help: "Check again when a project file is saved, until Ctrl-C.")
    var watch = false

    @Flag(
        help: "Also validate messages with FCM (validate_only). Sends and records nothing."
    )
    var online = false

    @Option(
        name: [.customShort("e"), .customLong("environment")],
        help: "Environment of --online. (default: local)",
        completion: .environments
    )
    var environment: String?

    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var server: EndpointOptions

    @Argument(help: "Files or directories of the project. (default: all)", completion: .file())
    var paths: [String] = []

    private var format: FindingFormat { output.format }

    func validate() throws {
        guard online || environment == nil else {
            throw ValidationError("-e requires --online")
        }
        guard online || !server.allowsAnyServer else {
            throw ValidationError("--dangerous-endpoint requires --online")
        }
        guard watch else { return }
        guard format == .text else {
            throw ValidationError("--watch cannot be combined with --format or --json")
        }
        guard !fix else {
            throw ValidationError("--watch cannot be combined with --fix: run --fix first")
        }
        guard !online else {
            throw ValidationError("--watch cannot be combined with --online")
        }
    }

    nonisolated(nonsending) func runOnMainThread() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let scope = try FindingScope(paths, directory: options.directory)
            if watch {
                return try await ProjectWatch(session: session).run {
                    let checked = session.checkEverywhere(.passing)
                    show(checked, in: scope)
                    return checked.project
                }
            }
            let unfixed = fix ? ProjectFixer(session: session, scope: scope).run() : nil
            let checked = online ? try await askOnline(session) : session.checkEverywhere(.passing)
            keepUntilExit(checked)
            if let reason = show(checked, in: scope, after: unfixed) { throw reason.code }
            if format == .text { NextCommand(options).suggest("plan") }
        }
    }

    /// Returns the reason for an exit code other than 0.
    ///
    /// `failure` takes precedence over findings.
    @discardableResult
    private func show(
        _ checked: CheckedProject,
        in scope: FindingScope,
        after failure: ExitReason? = nil
    ) -> ExitReason? {
        let found = checked.log.sorted(in: checked.catalog).filter {
            scope.includes($0, in: checked.catalog)
        }
        let limit = denyWarnings ? Severity.warning : .error
        let isRefused = found.contains { $0.severity >= limit }
        let exit = failure ?? (isRefused ? .invalidFiles : nil)
        Output.data(
            FindingsReport(format: format, options: options).render(
                found,
                in: checked.catalog,
                exit: exit
            )
        )
        if format == .text {
            PrintedWarningsFile(CommandContext.current.variables, project: options.directory)
                .add(found, in: checked.catalog)
        }
        if found.isEmpty { Output.message(scope.summary(checked.project)) }
        return exit
    }

    /// Validates messages with FCM if the files have no errors.
    private func askOnline(_ session: Session) async throws -> CheckedProject {
        let name = environment ?? "local"
        let loaded = EnvironmentID(name).map { session.load(for: $0).refusingUnbuilt(for: $0) }
        let checked = session.checkWithGit(
            loaded ?? session.load(),
            in: EnvironmentID(name),
            key: .passing
        )
        guard let project = checked.project, !checked.log.hasErrors else { return checked }
        let trial = OnlineValidation(
            session: session,
            project: project,
            declarations: checked.declarations,
            allowsAnyServer: server.allowsAnyServer,
            lists: checked.lists,
            fingerprinter: checked.fingerprinter,
            isVerbose: verbosity.verbose
        )
        var log = checked.log
        log.absorb(try await trial.findings(try project.environment(named: name)))
        return checked.with(log)
    }
}
