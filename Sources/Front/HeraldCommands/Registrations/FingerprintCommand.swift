import ArgumentParser
import Applying
import CampaignModel
import Presentation
import State
import RegistrationLists
import SQLiteStore

/// The `herald registrations fingerprint` command, which prints the fingerprints of a list.
struct FingerprintCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case csv
        case ndjson
    }

    static let configuration = CommandConfiguration(
        commandName: "fingerprint",
        abstract: "Write the fingerprint of each registration of a list.",
        discussion: """
            EXAMPLES
              herald registrations fingerprint beta-anglers
              herald registrations fingerprint registrations/beta.csv --columns user,locale
              herald registrations fingerprint @phone.txt -e production
              pbpaste | herald registrations fingerprint -

            A line each, in the order of the list, as `status`, `history` and every other command \
            show them; the registrations themselves are never shown. Fingerprints are made with \
            the key of an environment's state: other environments have others.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: ArgumentHelp("Columns of the list to show beside.", valueName: "a,b"))
    var columns: String?

    @Option(help: "How it is written.")
    var format = Format.text

    @Argument(
        help: ArgumentHelp(
            """
            An audience's name, or a file; @FILE is one with a registration a line, whatever its \
            name; - reads such lines from standard input.
            """,
            valueName: "list"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            guard let store = try state.openIfThere() else {
                throw CommandFailure(
                    "there is no state of \(state.environment) yet, and fingerprints are made with "
                        + "its key",
                    help: "the first apply makes it"
                )
            }
            let fingerprinter = try state.reader(of: store).fingerprinter
            if name == "-" { return try fingerprintInput(fingerprinter) }
            let list = try NamedList(argument: name, state.pipeline).list
            let names = try ColumnNames(columns, of: list).names
            let table = ListTable(list, columns: names, directory: options.directory)
            let writer = Writer(view: view(names), fingerprinter: fingerprinter)
            _ = try listing { () throws(RegistrationListError) in
                try table.forEachRow { writer.write($0.registration, $0.values) }
            }
            writer.finish()
        }
    }

    private func fingerprintInput(_ fingerprinter: Fingerprinter) throws(CommandFailure) {
        guard columns == nil else {
            throw CommandFailure("lines have no columns", exit: .usage)
        }
        let writer = Writer(view: view([]), fingerprinter: fingerprinter)
        var number = 0
        while let line = readLine() {
            number += 1
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let registration = Registration(line) else {
                writer.finish()
                throw CommandFailure(
                    "line \(number) is no registration",
                    help: "a registration has no white space, quotes or commas"
                )
            }
            writer.write(registration, [])
        }
        writer.finish()
    }

    private func view(_ columns: [String]) -> TableView {
        let format: TableView.Format =
            switch format {
            case .text: .text
            case .csv: .csv
            case .ndjson: .ndjson
            }
        return TableView(
            format,
            fields: ["registration"],
            columns: columns,
            name: "registrations"
        )
    }

    private struct Writer {
        private let view: TableView
        private let fingerprinter: Fingerprinter
        private let lines = LineBuffer()

        init(view: TableView, fingerprinter: Fingerprinter) {
            self.view = view
            self.fingerprinter = fingerprinter
            lines.append(view.begin)
        }

        func write(_ registration: Registration, _ values: [String]) {
            let name = fingerprinter.fingerprint(of: registration).description
            let texts = values.map { $0.concealing(registration) }
            lines.append(view.row([.text(name)], texts, isFirst: false))
        }

        func finish() { lines.flush() }
    }
}
