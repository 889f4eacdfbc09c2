import Applying
import ArgumentParser
import CampaignModel
import FoundationEssentials
import Presentation
import RegistrationLists
import SQLiteStore
import State
import StoreTables
import Time

/// The `herald state forget` command, which erases registrations.
struct StateForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        _superCommandName: "herald state",
        abstract: "Erase registrations from the state.",
        discussion: """
            EXAMPLES
              herald state forget @people.txt
              herald state forget - -e production < people.txt

            Reads registrations or fingerprints, one per line, from a file or from standard \
            input. A registration is a secret and never an argument. Erases them from \
            memberships, stored lists, dead registrations and the problems of runs. Pending \
            sends to them are suppressed. Counts are kept. Prints what the command cannot erase, \
            and never prints registrations.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(help: "@FILE, or - for standard input.")
    var people: String

    func validate() throws {
        guard people == "-" || people.hasPrefix("@") && people.count > 1 else {
            throw ValidationError("give registrations as @FILE or -, never as arguments")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let store = try await state.openOrFail()
            try await state.session.notingSerial(of: store) {
                try await forget(in: store, of: state)
            }
        }
    }

    private func forget(
        in store: any TableStore,
        of state: EnvironmentState
    ) async throws(CommandFailure) {
        let key = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity().fingerprintKey
        }
        let fingerprinter = Fingerprinter(key: key)
        let people = try ErasureRequest(people, with: fingerprinter)
        let worker = Worker.this(
            command: "herald state forget",
            since: state.session.clock.now(),
            origin: .of(options.directory, variables: CommandContext.current.variables)
        )
        try await locked(
            store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            let report = try await mapStateErrors { () async throws(StateStoreError) in
                try await forget(people, in: store, with: fingerprinter, by: worker)
            }
            if let path = state.address.path { TemporaryStateFile.removeStale(beside: path) }
            let view = ForgetTextView(style: options.outputStyle, copies: state.copies())
            Output.data(view.render(report, of: people))
            let isSwept = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.sweep()
            }
            if !isSwept { Output.message(view.unswept) }
        }
    }

    /// Erases the registrations, after marking requests of an interrupted run as unknown.
    private func forget(
        _ people: ErasureRequest,
        in store: any TableStore,
        with fingerprinter: Fingerprinter,
        by worker: Worker
    ) async throws(StateStoreError) -> ForgetReport {
        let recorder = OccurrenceRecorder(store: store, fingerprinter: fingerprinter)
        _ = try await recorder.settleAfterCrash(by: worker)
        let run = try await store.beginRun(worker)
        let report = try await store.forget(
            people,
            in: run,
            fingerprint: fingerprinter.fingerprint(of:)
        )
        var total = OutcomeTally()
        for occurrence in Set(report.suppressed.keys).union(report.dropped.keys).sorted() {
            var tally = OutcomeTally()
            tally[.suppressed] = report.suppressed[occurrence] ?? 0
            tally[.cancelled] = report.dropped[occurrence] ?? 0
            try await store.record(RunOccurrence(occurrence: occurrence, tally: tally), in: run)
            total = total + tally
        }
        try await store.finishRun(
            run,
            as: RunEnd(
                status: .complete,
                tally: total,
                cause: RunCauseWording.erasedRegistrations,
                at: worker.since
            )
        )
        return report
    }
}

extension EnvironmentState {
    /// Files next to the state: replaced states, and leftovers of commands that were killed.
    func copies() -> [String] {
        guard address.path != nil else { return [] }
        let folder = session.options.directory + "/" + Session.stateFolder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(isCopy).sorted()
    }

    private func isCopy(_ name: String) -> Bool {
        ["damaged", "replaced", "lost", "new"].contains {
            name.hasPrefix("\(environment).sqlite.\($0)-")
        }
    }
}

extension ErasureRequest {
    /// `argument`: `@FILE` or `-`.
    fileprivate init(_ argument: String, with fingerprinter: Fingerprinter) throws(CommandFailure) {
        var fingerprints: Set<Fingerprint> = []
        var short: Set<UInt64> = []
        for person in try RegistrationArguments.read(argument, of: "the argument") {
            switch person {
            case .registration(let registration):
                fingerprints.insert(fingerprinter.fingerprint(of: registration))
            case .fingerprint(let half): short.insert(half)
            }
        }
        self.init(fingerprints: fingerprints, short: short)
    }
}
