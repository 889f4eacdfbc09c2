import CampaignLoading
import CampaignModel
import Presentation
import Diagnostics
import Text
import RegistrationLists

/// A list that somebody names on the command line: an audience's, or a file.
struct NamedList {
    let list: RegistrationList

    private init(list: RegistrationList) {
        self.list = list
    }

    /// By an audience's name, else by a path, relative to where one is or to the folder given with
    /// -C; of a file that the project's documents describe, their description counts.
    init(_ name: String, _ pipeline: Pipeline) throws(CommandFailure) {
        let project = pipeline.load().project
        let audiences = project?.audiences ?? []
        if let audience = audiences.first(where: { $0.id.rawValue == name }) {
            list = audience.list
            return
        }
        guard let file = Self.file(name, pipeline.options.directory) else {
            throw CommandFailure(
                "there is no audience or file `\(TextStyle.safe(name))`",
                help: .didYouMean(name, audiences.map(\.id.rawValue))
                    ?? "give the name of an audience or the path of a list",
                exit: .usage
            )
        }
        let described = (project?.lists ?? []).first { list in
            list.path.flatMap { Self.place($0, pipeline.options.directory) } == file.place
        }
        list = described ?? Self.list(file.path)
    }

    /// The same for an argument, where @FILE is a file with a registration a line, whatever its name.
    init(argument name: String, _ pipeline: Pipeline) throws(CommandFailure) {
        guard name.hasPrefix("@") else {
            try self.init(name, pipeline)
            return
        }
        let path = String(name.dropFirst())
        let isElsewhere = pipeline.options.directory != "." && !path.hasPrefix("/")
        self.init(list: .file(path: isElsewhere ? RealPath.of(path) ?? path : path))
    }

    /// A file without a description says by the end of its name what it is.
    static func list(_ path: String) -> RegistrationList {
        let format = RegistrationFile.Format(path: path)
        guard format != .text else { return .file(path: path) }
        return .described(
            RegistrationFile(
                path: path,
                format: format,
                kind: .token,
                column: "registration",
                identity: nil,
                reading: .atApply
            )
        )
    }

    /// The file as its list names it, and where it really lies; nil where there is none.
    private static func file(_ name: String, _ directory: String) -> (path: String, place: String)?
    {
        if directory != ".", let place = RealPath.of(name) { return (place, place) }
        return place(name, directory).map { (name, $0) }
    }

    private static func place(_ path: String, _ directory: String) -> String? {
        RealPath.of(path.hasPrefix("/") ? path : directory + "/" + path)
    }
}

/// `--columns a,b`.
struct ColumnNames {
    let names: [String]

    /// - Throws: a failure for columns that `list` can't have, and for that of its registrations.
    init(_ text: String?, of list: RegistrationList) throws(CommandFailure) {
        let names = text?.split(separator: ",").map(String.init) ?? []
        self.names = names
        guard !names.isEmpty else { return }
        guard case .described(let file) = list, file.format != .text else {
            throw CommandFailure(
                "the list has no columns",
                help: "use a CSV or NDJSON file",
                exit: .usage
            )
        }
        guard !names.contains(file.column ?? "registration") else {
            throw CommandFailure("the registration column can't be shown", exit: .usage)
        }
        guard Set(names).count == names.count else {
            throw CommandFailure("--columns names a column twice", exit: .usage)
        }
    }
}

/// Reads a list, giving its error the form of a command's failure.
func listing<Value>(
    _ body: () throws(RegistrationListError) -> Value
) throws(CommandFailure) -> Value {
    do { return try body() } catch { throw CommandFailure(ErrorText(error)) }
}
