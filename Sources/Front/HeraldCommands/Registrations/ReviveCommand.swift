import ArgumentParser
import Applying
import CampaignModel
import Presentation
import State
import RegistrationLists
import SQLiteStore
import Time

/// The `herald registrations revive` command, which marks dead registrations as live again.
struct ReviveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revive",
        abstract: "Send again to registrations that FCM called dead.",
        discussion: """
            EXAMPLES
              herald registrations revive 1f0c5d0a9be2a4c7
              herald registrations revive @mended.txt -e production

            An app instance that is gone never comes back under the same registration, so what is \
            dead stays dead, in new lists too. This is the way out where FCM was wrong, such as \
            after an app was sent with another team's APNs key. The next plan addresses them again.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(
        help: "A fingerprint; @FILE, or - for standard input, with one or a registration a line."
    )
    var people: String

    func run() async throws {
        try await options.reportingFailure {
            let named = try NamedPeople.read(people, of: "the argument")
            let state = try EnvironmentState(try Pipeline(options), environment)
            let store = try state.openOrFail()
            defer { state.pipeline.noteSerial(of: store) }
            let fingerprinter = try state.reader(of: store).fingerprinter
            let worker = Worker.this(
                command: "herald registrations revive",
                since: state.pipeline.surroundings.clock.now()
            )
            try await locking(store, for: worker, waiting: lockOptions.timeout)
            defer { store.unlock() }
            let revived = try stating { () throws(StateStoreError) in
                let dead = try store.deadRegistrations()
                let found = named.flatMap { $0.fingerprints(among: dead, fingerprinter) }
                guard !found.isEmpty else { return 0 }
                try store.note(worker)
                return try store.revive(found)
            }
            Output.data(words(revived, of: named.count))
        }
    }

    private func words(_ revived: Int, of named: Int) -> String {
        revived == 0
            ? "None of \(named.grouped) is dead.\n"
            : "Revived \(revived.counting("registration")).\n"
    }
}

extension NamedPeople.Person {
    fileprivate func fingerprints(
        among dead: DeadRegistrations,
        _ fingerprinter: Fingerprinter
    ) -> [Fingerprint] {
        switch self {
        case .registration(let registration): [fingerprinter.fingerprint(of: registration)]
        case .fingerprint(let short): dead.named(short)
        }
    }
}
