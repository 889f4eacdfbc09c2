import CampaignModel
import Planning
import Presentation
import RegistrationLists
import RunControl
import SystemIO

/// The outputs of the programs and queries that `herald.yaml` declares.
extension Session {
    /// Reads each source that one of these lists of the project names, once for the whole command.
    ///
    /// Without the operator's consent, none is read.
    ///
    /// - Throws: A failure if a source cannot be read completely.
    func readSources(
        of lists: [RegistrationList],
        in project: Project
    ) throws(CommandFailure) -> ProjectLists {
        let used = Set(lists.flatMap(\.sources)).sorted()
        let sources = used.compactMap { project.sources[$0] }
        guard !sources.isEmpty, trust.allowsSources() else { return self.lists }
        try requireStateFolder()
        let stop = SourceStop()
        let endWatch = context.watchSignals { _ in stop.raise() }
        defer { endWatch() }
        let situation = situation { stop.isRaised }
        var outputs: [ListSourceID: SourceOutput] = [:]
        for source in sources {
            hideVariables(of: source)
            outputs[source.id] = try source.read(in: situation)
        }
        return ProjectLists(
            directory: options.directory,
            temporaryFolder: self.lists.temporaryFolder,
            outputs: outputs
        )
    }

    /// Returns what reads the lists of a plan's sends that are read when they begin.
    ///
    /// The operator's consent counts as used if one of them is the output of a source.
    ///
    /// `stop`: also ends programs and queries.
    func listsAtSend(
        of plan: Plan,
        in target: PlanningTarget,
        until stop: StopSignal
    ) -> ProjectListReader {
        let read = plan.sends.compactMap { $0.target.listAtSend?.content.list }
        let sources = Set(read.flatMap(\.sources)).sorted()
            .compactMap { target.project.sources[$0] }
        let isAllowed = !sources.isEmpty && trust.allowsSources()
        if isAllowed { for source in sources { hideVariables(of: source) } }
        return ProjectListReader(
            sources: isAllowed
                ? Dictionary(uniqueKeysWithValues: sources.map { ($0.id, $0) }) : [:],
            situation: situation { stop.isRaised },
            lists: self.lists,
            bounds: trust.bounds,
            zones: target.zones,
            fingerprinter: target.checked.fingerprinter
        )
    }

    /// Returns what reads lists below a directory when the sends to them begin, without sources.
    ///
    /// `stop`: ends the command.
    func listsAtSend(
        below directory: String,
        with fingerprinter: Fingerprinter,
        until stop: StopSignal
    ) -> ProjectListReader {
        ProjectListReader(
            sources: [:],
            situation: situation { stop.isRaised },
            lists: ProjectLists(directory: directory, temporaryFolder: lists.temporaryFolder),
            bounds: FolderBounds(directory),
            zones: context.zones,
            fingerprinter: fingerprinter
        )
    }

    private func situation(
        isStopped: @escaping @Sendable () -> Bool
    ) -> SourceSituation {
        SourceSituation(
            directory: options.directory,
            folder: outputFolder,
            variables: context.variables,
            isStopped: isStopped
        )
    }

    private func hideVariables(of source: ListSource) {
        context.mask.hide(trust.hidden(source.passedVariables(of: context.variables)))
    }

    /// The project's lists without the outputs of sources.
    var lists: ProjectLists {
        ProjectLists(
            directory: options.directory,
            temporaryFolder: temporaryFolder ?? Self.largeFiles
        )
    }

    /// The directory for temporary files that the user names.
    private var temporaryFolder: String? {
        context.variables["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// For large temporary files (Filesystem Hierarchy Standard, 5.15).
    private static let largeFiles = "/var/tmp"

    /// `TMPDIR`, otherwise the directory of states.
    private var outputFolder: String {
        if let temporaryFolder { return temporaryFolder }
        let folder = options.directory + "/" + Self.stateFolder
        // A failure is reported when the first output is stored.
        try? Folder.create(folder)
        return folder
    }
}

extension ListSource {
    func read(in situation: SourceSituation) throws(CommandFailure) -> SourceOutput {
        switch origin {
        case .command(let command):
            try CommandSourceReader(source: self, command: command, situation: situation).read()
        case .query(let query):
            try QuerySourceReader(source: self, query: query, situation: situation).read()
        }
    }

    /// The variables whose values the source gets, and which are therefore not shown.
    fileprivate func passedVariables(of variables: [String: String]) -> [String: String] {
        let names =
            switch origin {
            case .command(let command): command.variables
            case .query(let query): [query.variable]
            }
        return variables.filter { names.contains($0.key) }
    }
}
