import Applying
import ArgumentParser
import CampaignLoading
import CampaignModel
import FoundationEssentials
import Presentation
import RegistrationLists
import RunControl
import State
import StoreTables
import SystemIO

/// The `herald registrations prune` command, which splits a list into live and dead registrations.
struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        _superCommandName: "herald registrations",
        abstract: "Split a list into live and dead registrations.",
        discussion: """
            EXAMPLES
              herald registrations prune beta-anglers
              herald registrations prune registrations/beta.csv -e production
              herald registrations prune beta-anglers --output clean.txt --removed dead.txt
              herald registrations prune lists/beta.csv --output lists/beta.csv --force

            A registration is dead if FCM reported it as UNREGISTERED. Herald never sends to it \
            again, in any list. By default, NAME.pruned.EXT and NAME.removed.EXT are written \
            next to the list. Remaining lines are unchanged, byte for byte, including comments \
            and the header. A compressed list is written without compression. Registrations are \
            secrets, so only the owner can read the new files.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(
        help: ArgumentHelp(
            "File for live registrations. (default: NAME.pruned.EXT)",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "File for dead registrations. (default: NAME.removed.EXT)",
            valueName: "file"
        ),
        completion: .file()
    )
    var removed: String?

    @Flag(help: "Overwrite existing files.")
    var force = false

    @Argument(
        help: ArgumentHelp(
            "An audience or a file. @FILE has one registration per line.",
            valueName: "list"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            guard let store = try await state.openIfThere() else {
                throw CommandFailure(.noDeadRegistrations(of: state.environment))
            }
            let list = try NamedList(argument: name, in: state).list
            let files = try files(of: list)
            let division = try await divide(list, of: state, in: store)
            // Written first: the other file may replace the list itself, and no registration may be
            // lost.
            try write(division.removed, to: files.removed)
            try write(division.kept, to: files.output)
            let view = DeadRegistrationTextView()
            Output.data(
                view.render(division, output: files.output, removed: files.removed)
            )
        }
    }

    private func divide(
        _ list: RegistrationList,
        of state: EnvironmentState,
        in store: any TableStore
    ) async throws(CommandFailure) -> ListDivision {
        let fingerprinter = try await state.reader(of: store).fingerprinter
        let dead = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.deadRegistrations()
        }
        return try mapListErrors { () throws(RegistrationListError) in
            try ListDivision(list, directory: options.directory) {
                dead.contains(fingerprinter.fingerprint(of: $0))
            }
        }
    }
}

// MARK: - Files

extension PruneCommand {
    /// - Throws: A failure if an output file exists, before anything is read.
    private func files(
        of list: RegistrationList
    ) throws(CommandFailure) -> (output: String, removed: String) {
        if case .set = list { throw CommandFailure(.setList(name), exit: .usage) }
        guard let pattern = list.path else {
            throw CommandFailure(.inlineList, exit: .usage)
        }
        if let source = list.source { throw CommandFailure(.prunedSource(source), exit: .usage) }
        guard let path = list.onlyFile else {
            throw CommandFailure(.severalFiles(pattern), exit: .usage)
        }
        let output = output ?? beside(path, as: "pruned")
        let removed = removed ?? beside(path, as: "removed")
        guard output != removed else {
            throw CommandFailure(.sameOutputs, exit: .usage)
        }
        for file in [output, removed] where !force {
            guard !FileManager.default.fileExists(atPath: file) else {
                throw CommandFailure(.existingOutput(file))
            }
        }
        return (output, removed)
    }

    /// The default output path in the project's directory: `lists/beta.pruned.csv` for
    /// `lists/beta.csv` and for `lists/beta.csv.gz`, because the output is not compressed.
    private func beside(_ list: String, as word: String) -> String {
        let path = ListFileName.withoutCompression(list)
        let full =
            path.hasPrefix("/") || options.directory == "." ? path : "\(options.directory)/\(path)"
        let start = full.lastIndex(of: "/").map(full.index(after:)) ?? full.startIndex
        let dot = full[start...].lastIndex(of: ".").flatMap { $0 == start ? nil : $0 }
        let end = dot ?? full.endIndex
        return full[..<end] + "." + word + full[end...]
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do throws(SystemError) {
            try AtomicFile(path).write(bytes, permissions: 0o600)
        } catch {
            throw CommandFailure(.unwritableOutput(path, because: error.reason))
        }
    }
}
