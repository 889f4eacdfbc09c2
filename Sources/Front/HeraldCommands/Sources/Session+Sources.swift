import CampaignModel
import Presentation
import RegistrationLists
import SystemIO

/// The outputs of the programs and queries that `herald.yaml` declares.
extension Session {
    /// Reads each source that a list of the project names, once for the whole command.
    ///
    /// Without the operator's consent, none is read.
    ///
    /// - Throws: A failure if a source cannot be read completely.
    func readSources(of project: Project) throws(CommandFailure) -> ProjectLists {
        try readSources(of: project.lists, in: project)
    }

    /// Reads each source that one of these lists names.
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
        let situation = SourceSituation(
            directory: options.directory,
            folder: try outputFolder(),
            variables: context.variables,
            isStopped: { stop.isRaised }
        )
        var outputs: [ListSourceID: SourceOutput] = [:]
        for source in sources {
            context.mask.hide(trust.hidden(source.passedVariables(of: context.variables)))
            outputs[source.id] = try source.read(in: situation)
        }
        return ProjectLists(
            directory: options.directory,
            temporaryFolder: self.lists.temporaryFolder,
            outputs: outputs
        )
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
    private func outputFolder() throws(CommandFailure) -> String {
        if let temporaryFolder { return temporaryFolder }
        let folder = options.directory + "/" + Self.stateFolder
        // A failure is reported when the first output is stored.
        try? Folder.create(folder)
        return folder
    }
}

extension ListSource {
    fileprivate func read(in situation: SourceSituation) throws(CommandFailure) -> SourceOutput {
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
