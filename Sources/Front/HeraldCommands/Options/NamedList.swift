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

    private init(list: RegistrationList) {
        self.list = list
    }

    /// Finds a list by audience name, otherwise by path, relative to the current directory or to
    /// the `-C` directory.
    ///
    /// If the project's documents describe the file, uses that description.
    ///
    /// An audience has the list that the state's environment names for it.
    init(_ name: String, in state: EnvironmentState) throws(CommandFailure) {
        let session = state.session
        let project = session.load(viewing: state.environment).project
        let audiences = project?.audiences ?? []
        if let audience = audiences.first(where: { $0.id.rawValue == name }) {
            list = audience.list
            return
        }
        guard let file = Self.file(name, in: session.options.directory) else {
            throw CommandFailure(
                .unknownList(name, among: audiences.map(\.id.rawValue)),
                exit: .usage
            )
        }
        let described = (project?.lists ?? []).first { list in
            list.onlyFile.flatMap { Self.place(of: $0, in: session.options.directory) }
                == file.place
        }
        list = described ?? Self.list(file.path)
    }

    /// Also accepts `@FILE`, a file with one registration per line whatever its extension.
    init(argument name: String, in state: EnvironmentState) throws(CommandFailure) {
        guard name.hasPrefix("@") else {
            try self.init(name, in: state)
            return
        }
        let path = String(name.dropFirst())
        let isElsewhere = state.session.options.directory != "." && !path.hasPrefix("/")
        self.init(list: .file(literally: isElsewhere ? RealPath.of(path) ?? path : path))
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
        guard list.hasColumns else {
            throw CommandFailure(.listWithoutColumns, exit: .usage)
        }
        guard list.leaves.allSatisfy({ !names.contains($0.registrationColumn) }) else {
            throw CommandFailure(.registrationColumn, exit: .usage)
        }
        guard Set(names).count == names.count else {
            throw CommandFailure(.repeatedColumn, exit: .usage)
        }
    }
}

extension RegistrationList {
    fileprivate var registrationColumn: String {
        if case .described(let file) = self { file.column ?? "registration" } else { "" }
    }
}

/// Reads a list and converts its error to a command failure.
func mapListErrors<Value>(
    _ body: () throws(RegistrationListError) -> Value
) throws(CommandFailure) -> Value {
    do { return try body() } catch { throw CommandFailure(ErrorText(error)) }
}
