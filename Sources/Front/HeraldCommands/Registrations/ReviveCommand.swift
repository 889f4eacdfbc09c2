import Applying
import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import State
import StoreTables
import Time

/// The `herald registrations revive` command, which marks dead registrations as live again.
struct ReviveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revive",
        _superCommandName: "herald registrations",
        abstract: "Address dead registrations again.",
        discussion: """
            EXAMPLES
              herald registrations revive 1f0c5d0a9be2a4c7
              herald registrations revive @working.txt -e production

            A deleted app instance never returns with the same registration, so dead \
            registrations stay dead, in new lists, too. Use this command if FCM reported them by \
            mistake, for example because messages used another team's APNs key. The next plan \
            addresses them again.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(
        help: """
            A fingerprint; or @FILE or - (standard input) with one fingerprint or registration per \
            line.
            """
    )
    var people: String

    func run() async throws {
        try await options.reportingFailure {
            let named = try RegistrationArguments.read(people, of: "the argument")
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let store = try await state.openOrFail()
            try await state.session.notingSerial(of: store) {
                let revived = try await revive(named, in: store, of: state)
                Output.data(DeadRegistrationTextView().renderRevived(revived))
            }
        }
    }

    private func revive(
        _ named: [RegistrationArguments.Person],
        in store: any TableStore,
        of state: EnvironmentState
    ) async throws(CommandFailure) -> Int {
        let fingerprinter = try await state.reader(of: store).fingerprinter
        let worker = Worker.this(
            command: "herald registrations revive",
            since: state.session.clock.now()
        )
        return try await locked(
            store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                let dead = try await store.deadRegistrations()
                let found = named.flatMap { $0.fingerprints(among: dead, with: fingerprinter) }
                guard !found.isEmpty else { return 0 }
                try await store.note(worker)
                return try await store.revive(found)
            }
        }
    }
}

extension RegistrationArguments.Person {
    /// `dead`: the recorded registrations, which a short fingerprint selects from.
    func fingerprints(
        among dead: DeadRegistrations,
        with fingerprinter: Fingerprinter
    ) -> [Fingerprint] {
        switch self {
        case .registration(let registration): [fingerprinter.fingerprint(of: registration)]
        case .fingerprint(let short): dead.named(short)
        }
    }
}
