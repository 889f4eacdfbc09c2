import Applying
import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import RunControl
import State

/// The `herald registrations fingerprint` command, which prints the fingerprints of a list.
struct FingerprintCommand: AsyncParsableCommand {
    enum Format: String, OutputFormat {
        case text
        case csv
        case json
        case ndjson
    }

    static let configuration = CommandConfiguration(
        commandName: "fingerprint",
        _superCommandName: "herald registrations",
        abstract: "Print the fingerprint of each registration in a list.",
        discussion: """
            EXAMPLES
              herald registrations fingerprint beta-anglers
              herald registrations fingerprint registrations/beta.csv --columns user,locale
              herald registrations fingerprint @phone.txt -e production
              pbpaste | herald registrations fingerprint -

            Prints one line per registration, in the order of the list. `status`, `history` and \
            all other commands show the same fingerprints, and never the registrations. \
            Fingerprints use a key in the state, so they differ between environments.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: ArgumentHelp("Columns of the list to add.", valueName: "a,b"))
    var columns: String?

    @OptionGroup var output: FormatOptions<Format>

    @Argument(
        help: ArgumentHelp(
            """
            An audience or a file. @FILE and - (standard input) have one registration per line.
            """,
            valueName: "list"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            guard let store = try await state.openIfThere() else {
                throw CommandFailure(.noStateKey(of: state.environment))
            }
            let fingerprinter = try await state.reader(of: store).fingerprinter
            if name == "-" { return try fingerprintInput(fingerprinter) }
            let list = try NamedList(argument: name, in: state).list
            let names = try ColumnNames(columns, of: list).names
            let table = ListTable(list, columns: names, directory: options.directory)
            var writer = Writer(view: view(names), fingerprinter: fingerprinter)
            try mapListErrors { () throws(RegistrationListError) in
                try table.forEachRow { writer.write($0.registration, with: $0.values) }
            }
            writer.finish()
        }
    }

    private func fingerprintInput(_ fingerprinter: Fingerprinter) throws(CommandFailure) {
        guard columns == nil else {
            throw CommandFailure(.columnsOfInput, exit: .usage)
        }
        var writer = Writer(view: view([]), fingerprinter: fingerprinter)
        var number = 0
        while let line = Input.line() {
            number += 1
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let registration = Registration(line) else {
                writer.finish()
                throw CommandFailure(.noRegistration(inInputLine: number))
            }
            writer.write(registration, with: [])
        }
        writer.finish()
    }

    private func view(_ columns: [String]) -> TableView<Void, Fingerprint> {
        let format: TableFormat =
            switch output.format {
            case .text: .text
            case .csv: .csv
            case .json: .json
            case .ndjson: .ndjson
            }
        return TableView(format, fingerprintsWithColumns: columns)
    }

    private struct Writer {
        private let view: TableView<Void, Fingerprint>
        private let fingerprinter: Fingerprinter
        private let lines = LineBuffer()
        private var isEmpty = true

        init(view: TableView<Void, Fingerprint>, fingerprinter: Fingerprinter) {
            self.view = view
            self.fingerprinter = fingerprinter
            lines.append(view.begin)
        }

        mutating func write(_ registration: Registration, with values: [String]) {
            let name = fingerprinter.fingerprint(of: registration)
            let texts = values.map { $0.concealing(registration) }
            lines.append(view.row(name, columns: texts, isFirst: isEmpty))
            isEmpty = false
        }

        func finish() {
            lines.append(view.end(isEmpty: isEmpty))
            lines.flush()
        }
    }
}
