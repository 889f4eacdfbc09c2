import ArgumentParser
import Applying
import CampaignModel
import Presentation
import State
import FoundationEssentials
import RegistrationLists
import SQLiteStore
import Time

/// The `herald state forget` command, which erases registrations.
struct StateForget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Erase people from the state.",
        discussion: """
            EXAMPLES
              herald state forget @people.txt
              herald state forget - -e production < people.txt

            Takes registrations or fingerprints, one a line, from a file or from standard input: \
            never as arguments, because a registration is a secret. They are erased from \
            memberships, stored lists, dead registrations and the notes of runs; what was still to \
            be sent to them is suppressed. Counts stay. Names nobody, and says what it can't reach.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(help: "@FILE, or - for standard input.")
    var people: String

    func validate() throws {
        guard people == "-" || people.hasPrefix("@") && people.count > 1 else {
            throw ValidationError("people are given as @FILE or -, never as arguments")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            let store = try state.openOrFail()
            defer { state.pipeline.noteSerial(of: store) }
            let key = try stating { () throws(StateStoreError) in
                try store.identity().fingerprintKey
            }
            let fingerprinter = Fingerprinter(key: key)
            let people = try ForgottenPeople(people, fingerprinter)
            let now = state.pipeline.surroundings.clock.now()
            let worker = Worker.this(
                command: "herald state forget",
                since: now,
                origin: .of(options.directory, try Surroundings.current().variables)
            )
            try await locking(store, for: worker, waiting: lockOptions.timeout)
            defer { store.unlock() }
            let report = try stating { () throws(StateStoreError) in
                try forget(people, store, fingerprinter, worker)
            }
            StateDraft.removeStale(beside: state.path)
            let view = ForgetTextView(copies: state.copies())
            Output.data(view.render(report, of: people))
            let isSwept = try stating { () throws(StateStoreError) in try store.sweep() }
            if !isSwept { Output.message(view.unswept) }
        }
    }

    /// Erases the registrations, after marking requests of an interrupted run as unknown.
    private func forget(
        _ people: ForgottenPeople,
        _ store: SQLiteStore,
        _ fingerprinter: Fingerprinter,
        _ worker: Worker
    ) throws(StateStoreError) -> ForgetReport {
        let ledger = Ledger(store: store, fingerprinter: fingerprinter)
        _ = try ledger.settleAfterCrash(by: worker)
        let run = try store.beginRun(worker)
        let report = try store.forget(people, in: run, fingerprint: fingerprinter.fingerprint(of:))
        var total = OutcomeTally()
        for occurrence in Set(report.suppressed.keys).union(report.dropped.keys).sorted() {
            var tally = OutcomeTally()
            tally[.suppressed] = report.suppressed[occurrence] ?? 0
            tally[.cancelled] = report.dropped[occurrence] ?? 0
            try store.record(RunSending(occurrence: occurrence, tally: tally), in: run)
            total = total + tally
        }
        try store.finishRun(
            run,
            status: .complete,
            tally: total,
            cause: "people were erased",
            at: worker.since
        )
        return report
    }
}

extension EnvironmentState {
    /// Files next to the state: replaced states, and leftovers of commands that were killed.
    func copies() -> [String] {
        let folder = pipeline.options.directory + "/" + Pipeline.stateFolder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(isCopy).sorted()
    }

    private func isCopy(_ name: String) -> Bool {
        ["damaged", "replaced", "lost", "new"].contains {
            name.hasPrefix("\(environment).sqlite.\($0)-")
        }
    }
}

extension ForgottenPeople {
    /// `argument`: `@FILE` or `-`.
    fileprivate init(_ argument: String, _ fingerprinter: Fingerprinter) throws(CommandFailure) {
        var fingerprints: Set<Fingerprint> = []
        var short: Set<UInt64> = []
        for person in try NamedPeople.read(argument, of: "the argument") {
            switch person {
            case .registration(let registration):
                fingerprints.insert(fingerprinter.fingerprint(of: registration))
            case .fingerprint(let half): short.insert(half)
            }
        }
        self.init(fingerprints: fingerprints, short: short)
    }
}
