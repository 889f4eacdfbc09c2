import CampaignLoading
import CampaignModel
import Diagnostics
import Presentation
import RegistrationLists
import SystemIO
import Text

/// A registration list that the command line names by audience or by path.
struct NamedList {
    let list: RegistrationList
    /// Whether the project's files name its place, and not the user.
    let isFromProject: Bool

    private init(list: RegistrationList, isFromProject: Bool = false) {
        self.list = list
        self.isFromProject = isFromProject
    }

    /// Finds a list by audience name, otherwise by path, relative to the current directory or to
    /// the `-C` directory.
    ///
    /// If the project's documents describe the file, uses that description.
    ///
    /// An audience has the list that the environment of the loaded project names for it.
    /// `project`: nil if its files are invalid.
    init(
        _ name: String,
        of project: Project?,
        in session: Session
    ) throws(CommandFailure) {
        let audiences = project?.audiences ?? []
        if let audience = audiences.first(where: { $0.id.rawValue == name }) {
            self.init(list: audience.list, isFromProject: true)
            return
        }
        let directory = session.options.directory
        guard let file = Self.file(name, in: directory) else {
            throw CommandFailure(
                .unknownList(name, among: audiences.map(\.id.rawValue)),
                exit: .usage
            )
        }
        let described = (project?.lists ?? []).first { list in
            list.onlyFile.flatMap { Self.place(of: $0, in: directory) } == file.place
        }
        self.init(list: described ?? Self.list(file.path))
    }

    init(_ name: String, in state: EnvironmentState) throws(CommandFailure) {
        let project = state.session.load(viewing: state.environment).project
        try self.init(name, of: project, in: state.session)
    }

    /// Also accepts `@FILE`, a file with one registration per line whatever its extension.
    init(
        argument name: String,
        of project: Project?,
        in session: Session
    ) throws(CommandFailure) {
        if let list = Self.argumentFile(name, in: session) {
            self.init(list: list)
        } else {
            try self.init(name, of: project, in: session)
        }
    }

    init(argument name: String, in state: EnvironmentState) throws(CommandFailure) {
        if let list = Self.argumentFile(name, in: state.session) {
            self.init(list: list)
        } else {
            try self.init(name, in: state)
        }
    }

    /// Returns nil unless the argument is `@FILE`.
    private static func argumentFile(_ name: String, in session: Session) -> RegistrationList? {
        guard name.hasPrefix("@") else { return nil }
        let path = String(name.dropFirst())
        let isElsewhere = session.options.directory != "." && !path.hasPrefix("/")
        return .file(literally: isElsewhere ? RealPath.of(path) ?? path : path)
    }

    /// The list in a file that no document describes.
    ///
    /// The extension determines its format.
    static func list(_ path: String) -> RegistrationList {
        let format = RegistrationFile.Format(path: path)
        guard format != .text else { return .file(literally: path) }
        return .described(
            RegistrationFile(
                path: PathPattern.escaping(path),
                format: format,
                kind: .token,
                column: "registration",
                identity: nil,
                reading: .atApply
            )
        )
    }

    /// The file's name for the list and its real path; nil if there is no file.
    private static func file(_ name: String, in directory: String) -> (path: String, place: String)?
    {
        if directory != ".", let place = RealPath.of(name) { return (place, place) }
        return place(of: name, in: directory).map { (name, $0) }
    }

    private static func place(of path: String, in directory: String) -> String? {
        RealPath.of(path.hasPrefix("/") ? path : directory + "/" + path)
    }
}

/// The `--columns a,b` option.
struct ColumnNames {
    let names: [String]

    /// - Throws: A failure for columns that `list` cannot have, and for its registration column.
    init(_ text: String?, of list: RegistrationList) throws(CommandFailure) {
        let names = text?.split(separator: ",").map(String.init) ?? []
        self.names = names
        guard !names.isEmpty else { return }
        guard case .described(let file) = list, file.format != .text else {
            throw CommandFailure(.listWithoutColumns, exit: .usage)
        }
        guard !names.contains(file.column ?? "registration") else {
            throw CommandFailure(.registrationColumn, exit: .usage)
        }
        guard Set(names).count == names.count else {
            throw CommandFailure(.repeatedColumn, exit: .usage)
        }
    }
}

/// Reads a list and converts its error to a command failure.
func mapListErrors<Value>(
    _ body: () throws(RegistrationListError) -> Value
) throws(CommandFailure) -> Value {
    do { return try body() } catch { throw CommandFailure(ErrorText(error)) }
}
