import Applying
import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import State
import StoreTables
import Time

/// The `herald registrations opt-in` command, which ends the opt-out of registrations.
struct OptInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opt-in",
        _superCommandName: "herald registrations",
        abstract: "Address opted-out registrations again.",
        discussion: """
            EXAMPLES
              herald registrations opt-in 1f0c5d0a9be2a4c7
              herald registrations opt-in @returned.txt -e production

            After a registration has sent a message with `opt_out`, every send to a list skips it, \
            and the next apply unsubscribes it from all managed topics. Use this command if the \
            person agreed to receive messages again. The next plan addresses the registration \
            again, and joins it to the topics of its audiences.
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
                let count = try await optIn(named, in: store, of: state)
                Output.data(DeadRegistrationTextView().renderOptedIn(count))
            }
        }
    }

    private func optIn(
        _ named: [RegistrationArguments.Person],
        in store: any TableStore,
        of state: EnvironmentState
    ) async throws(CommandFailure) -> Int {
        let fingerprinter = try await state.reader(of: store).fingerprinter
        let worker = Worker.this(
            command: "herald registrations opt-in",
            since: state.session.clock.now()
        )
        return try await locked(
            store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                let optedOut = try await store.optedOut()
                let found = named.flatMap { $0.fingerprints(among: optedOut, with: fingerprinter) }
                    .filter(optedOut.contains)
                guard !found.isEmpty else { return 0 }
                try await store.note(worker)
                return try await store.optIn(found)
            }
        }
    }
}
