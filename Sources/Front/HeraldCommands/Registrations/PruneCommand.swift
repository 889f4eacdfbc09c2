import ArgumentParser
import Applying
import CampaignLoading
import CampaignModel
import Presentation
import State
import FoundationEssentials
import RegistrationLists
import SQLiteStore

/// The `herald registrations prune` command, which splits a list into live and dead registrations.
struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Write a list without its dead registrations, and the dead beside it.",
        discussion: """
            EXAMPLES
              herald registrations prune beta-anglers
              herald registrations prune registrations/beta.csv -e production
              herald registrations prune beta-anglers --output clean.txt --removed dead.txt
              herald registrations prune lists/beta.csv --output lists/beta.csv --force

            A registration is dead when FCM called it UNREGISTERED: apply records that and sends \
            nothing to it any more, in whatever list it stands. Without options NAME.pruned.EXT \
            and NAME.removed.EXT are written beside the list. Lines that stay are as they were, \
            byte for byte, with their comments and head line; the files are for their owner alone, \
            as registrations are secrets.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(
        help: ArgumentHelp("Where the cleaned list goes.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Option(
        help: ArgumentHelp("Where what was taken out goes.", valueName: "file"),
        completion: .file()
    )
    var removed: String?

    @Flag(help: "Write in place of files that are there.")
    var force = false

    @Argument(
        help: ArgumentHelp(
            "An audience's name, or a file; @FILE is one with a registration a line.",
            valueName: "list"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            guard let store = try state.openIfThere() else {
                throw CommandFailure(
                    "there is no state of \(state.environment) yet: nobody is known to be dead",
                    help: "the first apply makes it"
                )
            }
            let list = try NamedList(argument: name, state.pipeline).list
            let files = try files(of: list)
            let division = try divide(list, state, store)
            // Written first: the other file may replace the list itself, and no registration may be
            // lost.
            try write(division.removed, to: files.removed)
            try write(division.kept, to: files.output)
            Output.data(words(division, files))
        }
    }

    private func divide(
        _ list: RegistrationList,
        _ state: EnvironmentState,
        _ store: SQLiteStore
    ) throws(CommandFailure) -> ListDivision {
        let fingerprinter = try state.reader(of: store).fingerprinter
        let dead = try stating { () throws(StateStoreError) in try store.deadRegistrations() }
        return try listing { () throws(RegistrationListError) in
            try ListDivision(list, directory: options.directory) {
                dead.contains(fingerprinter.fingerprint(of: $0))
            }
        }
    }

    private func words(
        _ division: ListDivision,
        _ files: (output: String, removed: String)
    ) -> String {
        let total = division.keptCount + division.removedCount
        let empty = division.keptCount == 0 ? " Nobody is left in it." : ""
        return """
            Of \(total.counting("registration")) \(division.removedCount.grouped) are dead, \
            \(division.keptCount.grouped) stay.\(empty)
            Wrote \(TextStyle.safe(files.output)) and \(TextStyle.safe(files.removed)).

            """
    }
}

// MARK: - Files

extension PruneCommand {
    /// - Throws: A failure if an output file exists, before anything is read.
    private func files(
        of list: RegistrationList
    ) throws(CommandFailure) -> (output: String, removed: String) {
        guard let path = list.path else {
            throw CommandFailure(
                "that list stands in the project's files, not in a file of its own",
                help: "`herald registrations fingerprint` names its registrations; take the dead "
                    + "out by hand",
                exit: .usage
            )
        }
        let output = output ?? beside(path, "pruned")
        let removed = removed ?? beside(path, "removed")
        guard output != removed else {
            throw CommandFailure("--output and --removed are one file", exit: .usage)
        }
        for file in [output, removed] where !force {
            guard !FileManager.default.fileExists(atPath: file) else {
                throw CommandFailure(
                    "\(TextStyle.safe(file)) is there already",
                    help: "give --force to write in its place, or another name"
                )
            }
        }
        return (output, removed)
    }

    /// The default output path in the project's directory: `lists/beta.pruned.csv` for
    /// `lists/beta.csv`.
    private func beside(_ path: String, _ word: String) -> String {
        let full =
            path.hasPrefix("/") || options.directory == "." ? path : "\(options.directory)/\(path)"
        let start = full.lastIndex(of: "/").map(full.index(after:)) ?? full.startIndex
        let dot = full[start...].lastIndex(of: ".").flatMap { $0 == start ? nil : $0 }
        let end = dot ?? full.endIndex
        return full[..<end] + "." + word + full[end...]
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do throws(FileProblem) {
            try AtomicFile(path).write(bytes, mode: 0o600)
        } catch {
            throw CommandFailure("\(TextStyle.safe(path)) can't be written: \(error.reason)")
        }
    }
}
