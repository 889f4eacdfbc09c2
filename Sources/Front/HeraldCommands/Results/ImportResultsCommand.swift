import ArgumentParser
import CampaignModel
import Experiments
import Presentation
import RegistrationLists
import State
import StoreTables
import SystemIO

/// The `herald results import` command, which stores outcomes of the subjects of experiments.
struct ImportResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        _superCommandName: "herald results",
        abstract: "Store outcomes, such as conversions.",
        discussion: """
            EXAMPLES
              herald results import purchases.csv -e production
              zcat events.ndjson.gz | herald results import - -e production
              herald results import --emulator
              herald results import --fcm --app 1:1234567890:android:0a1b2c3d -e production

            The file is CSV with a header line, or one JSON object per line; gzip and zstd data is \
            decompressed. Columns: identity, fingerprint or registration; time (RFC 3339); and, if \
            you have them, value (a number), name (default: conversion) and id. The columns \
            instance_id, message_id, event and event_timestamp of FCM's BigQuery export are \
            read, too. Other columns are ignored.

            Only keyed hashes are stored, never identities or registrations. Each event is stored \
            once, so a repeated import changes nothing. Exits with 3 if rows were refused.

            --fcm requests Google's delivery data of an Android app: counts by day and \
            `analytics_label`, a day late. No verdict rests on them.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Store what the emulator's devices received and opened.")
    var emulator = false

    @Flag(help: "Store Google's aggregated delivery data of an Android app.")
    var fcm = false

    @Option(help: "Google's ID of the Android app, for --fcm.")
    var app: String?

    @OptionGroup var server: EndpointOptions

    @Argument(
        help: ArgumentHelp("A CSV or NDJSON file; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    func validate() throws {
        guard [file != nil, emulator, fcm].count(where: { $0 }) == 1 else {
            throw ValidationError("give a file, --emulator or --fcm")
        }
        guard fcm == (app != nil) else {
            throw ValidationError(fcm ? "--fcm needs --app" : "--app is only for --fcm")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let state = try EnvironmentState(in: session, chosen: environment)
            guard let store = try await state.openIfThere() else {
                Output.data(ResultTextView.nothing)
                return
            }
            if let app {
                let data = DeliveryDataImport(app: app, allowsAnyServer: server.allowsAnyServer)
                return Output.data(try await data.run(in: state, with: environment, to: store))
            }
            let key = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.identity().fingerprintKey
            }
            let fingerprinter = Fingerprinter(key: key)
            let report: OutcomeImportReport
            if emulator {
                report = try await importDeliveries(to: store, in: state, with: fingerprinter)
            } else {
                report = try await importFile(
                    to: store,
                    spoolingIn: session.lists.temporaryFolder,
                    with: fingerprinter
                )
            }
            let view = OutcomeImportTextView(
                style: options.outputStyle,
                hint: CommandHint(for: state.environment)
            )
            Output.data(view.render(report, of: name))
            if report.refused > 0 { throw ExitReason.partlyApplied.code }
        }
    }

    private var name: String {
        guard let file else { return "emulator" }
        return file == "-" ? "standard input" : file
    }

    private func importFile(
        to store: any TableStore,
        spoolingIn folder: String,
        with fingerprinter: Fingerprinter
    ) async throws(CommandFailure) -> OutcomeImportReport {
        let spooled = file == "-" ? try SpooledInput.spool(in: folder) : nil
        defer { if let spooled { FileSystem.remove(spooled) } }
        var source: ImportedOutcomes
        do throws(OutcomeSourceError) {
            source = try ImportedOutcomes(
                path: spooled ?? file ?? "",
                fingerprinter: fingerprinter
            )
        } catch {
            throw failure(error)
        }
        return try await keep(&source, in: store)
    }

    private func importDeliveries(
        to store: any TableStore,
        in state: EnvironmentState,
        with fingerprinter: Fingerprinter
    ) async throws(CommandFailure) -> OutcomeImportReport {
        let client = try await EmulatorControlClient.open(of: state, options: options)
        let inboxes = try await client.asking { (client) async throws(CommandFailure) in
            try await client.get("/emulator/v1/inboxes")
        }
        var source = EmulatorOutcomes(inboxes: inboxes, fingerprinter: fingerprinter)
        return try await keep(&source, in: store)
    }

    private func keep(
        _ source: inout some OutcomeSource,
        in store: any TableStore
    ) async throws(CommandFailure) -> OutcomeImportReport {
        do throws(OutcomeImportError) {
            return try await OutcomeImporter(into: store).store(&source)
        } catch {
            switch error {
            case .state(let error): throw CommandFailure(error)
            case .source(let error): throw failure(error)
            }
        }
    }

    private func failure(_ error: OutcomeSourceError) -> CommandFailure {
        switch error {
        case .file(let error):
            let exit: ExitReason = if case .unreadable = error { .error } else { .invalidFiles }
            return CommandFailure(ErrorText(error, of: name), exit: exit)
        }
    }
}

/// Standard input as a file, because the reader looks at the beginning twice.
enum SpooledInput {
    /// Returns the path of a file that only this user can read; the caller removes it.
    static func spool(in folder: String) throws(CommandFailure) -> String {
        let path = "\(folder)/.herald-import-\(CurrentProcess.id)"
        do throws(SystemError) {
            let file = try File(path, for: .writing, options: [.new, .refusingLinks])
            let input = try File("/dev/stdin", for: .reading)
            while true {
                let bytes = try input.read(atMost: 65_536)
                if bytes.isEmpty { return path }
                try file.write(bytes)
            }
        } catch {
            FileSystem.remove(path)
            throw CommandFailure(.unspooled(because: error.reason))
        }
    }
}
