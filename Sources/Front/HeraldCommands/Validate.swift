import ArgumentParser
import CampaignLoading
import CampaignModel
import Presentation
import Diagnostics

/// The `herald validate` command, which reports every problem of every file.
///
/// Works offline.
struct Validate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check every file; nothing is sent and no state is read.",
        discussion: """
            EXAMPLES
              herald validate
              herald validate campaigns/tides.yaml   only what concerns this file
              herald validate --fix                  mend what can be mended safely
              herald validate --watch                again whenever a file is saved
              herald validate --format github        annotations in GitHub Actions
              herald validate --online               what FCM says of each message, too

            Prints every problem with its place and a way out. Exit code 0 when there is no error, \
            65 when there is one; with --deny-warnings also when there is a warning. \
            Documentation/Guide/Validate.md tells more.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(
        help: """
            How findings are written to standard output: text for people, json for programs, \
            sarif (2.1.0) for code scanning, github for annotations in GitHub Actions.
            """
    )
    var format = FindingFormat.text

    @Flag(help: "End with 65 where there is a warning, as where there is an error.")
    var denyWarnings = false

    @Flag(
        help: """
            Mend what has one certain way out, byte for byte as it was elsewhere; guesses are left \
            to you. Shows what remains.
            """
    )
    var fix = false

    @Flag(help: "Check again whenever a file of the project is saved, until Ctrl-C.")
    var watch = false

    @Flag(
        help: "Also ask the environment's FCM, with validate_only: nothing is sent or recorded."
    )
    var online = false

    @Option(
        name: [.customShort("e"), .customLong("environment")],
        help: "The environment that --online asks; local without it.",
        completion: .environments
    )
    var environment: String?

    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var server: EndpointOptions

    @Argument(help: "Files or folders of the project; all of it without any.", completion: .file())
    var paths: [String] = []

    func validate() throws {
        guard online || environment == nil else {
            throw ValidationError("-e says which FCM --online asks: give --online too")
        }
        guard online || !server.allowsAnyServer else {
            throw ValidationError("--dangerous-endpoint is about --online: give that too")
        }
        guard watch else { return }
        guard format == .text else {
            throw ValidationError("--watch shows text: leave --format out")
        }
        guard !fix else {
            throw ValidationError("--watch changes no file: run --fix once, then --watch")
        }
        guard !online else {
            throw ValidationError("--watch is offline: asking FCM at each save is too often")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let scope = try FindingScope(paths, directory: options.directory)
            if watch {
                return try await ProjectWatch(pipeline: pipeline).run {
                    let checked = pipeline.check(.passing)
                    show(checked, scope)
                    return checked.project
                }
            }
            let unfixed = fix ? ProjectFixer(pipeline, scope).run() : nil
            let checked = online ? try await askOnline(pipeline) : pipeline.check(.passing)
            keepUntilExit(checked)
            if let reason = show(checked, scope, after: unfixed) { throw reason.code }
            if format == .text { NextCommand(options).suggest("plan") }
        }
    }

    /// Returns the reason for an exit code other than 0.
    ///
    /// `failure` takes precedence over findings.
    @discardableResult
    private func show(
        _ checked: CheckedProject,
        _ scope: FindingScope,
        after failure: ExitReason? = nil
    ) -> ExitReason? {
        let found = checked.log.sorted(in: checked.catalog).filter {
            scope.includes($0, checked.catalog)
        }
        let limit = denyWarnings ? Severity.warning : .error
        let isRefused = found.contains { $0.severity >= limit }
        let exit = failure ?? (isRefused ? .invalidFiles : nil)
        Output.data(
            FindingsReport(format: format, options: options).render(found, checked.catalog, exit)
        )
        if found.isEmpty { Output.message(scope.summary(checked.project)) }
        return exit
    }

    /// Validates messages with FCM if the files have no errors.
    private func askOnline(_ pipeline: Pipeline) async throws -> CheckedProject {
        let name = environment ?? "local"
        let loaded = EnvironmentID(name).map { pipeline.load(for: $0).refusingUnbuilt(for: $0) }
        let checked = pipeline.check(loaded ?? pipeline.load(), .passing)
        guard let project = checked.project, !checked.log.hasErrors else { return checked }
        let trial = OnlineTrial(
            pipeline: pipeline,
            project: project,
            declarations: checked.declarations,
            allowsAnyServer: server.allowsAnyServer,
            fingerprinter: checked.fingerprinter,
            isVerbose: verbosity.verbose
        )
        var log = checked.log
        log.absorb(try await trial.findings(try project.environment(named: name)))
        return checked.with(log)
    }
}
