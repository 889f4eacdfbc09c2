import Applying
import ArgumentParser
import CampaignLoading
import CampaignModel
import Memberships
import Presentation
import RegistrationLists
import State
import StoreTables
import Time

/// The `herald registrations retry` command, which puts refused joins back to intended.
struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        _superCommandName: "herald registrations",
        abstract: "Try refused joins again with the next apply.",
        discussion: """
            EXAMPLES
              herald registrations retry beta-anglers
              herald registrations retry @phones.txt -e production

            FCM refuses joins of registrations that are unregistered, invalid or of another \
            project. Herald does not repeat them. Use this command after you have fixed the \
            cause, such as the wrong project. The next plan contains the joins again. Joins of \
            dead registrations stay refused. Sends nothing.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var lockOptions: LockOptions

    @Argument(
        help: ArgumentHelp(
            """
            An audience; or @FILE or - (standard input) with one registration or fingerprint per \
            line.
            """,
            valueName: "audience"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let named = try isList ? RegistrationArguments.read(name, of: "the argument") : nil
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let store = try await state.openOrFail()
            let selection = try await selection(named, in: store, of: state)
            try await state.session.notingSerial(of: store) {
                let joins = try await retry(selection, in: store, of: state)
                let view = RefusedJoinTextView(
                    style: options.outputStyle,
                    hint: CommandHint(for: state.environment)
                )
                Output.data(view.render(joins))
            }
        }
    }

    private var isList: Bool { name == "-" || name.hasPrefix("@") }

    /// `named`: the registrations of a list; nil if the argument is the name of an audience.
    private func selection(
        _ named: [RegistrationArguments.Person]?,
        in store: any TableStore,
        of state: EnvironmentState
    ) async throws(CommandFailure) -> RefusedJoinSelection {
        guard let named else { return .audience(try await state.audience(name, in: store)) }
        let fingerprinter = try await state.reader(of: store).fingerprinter
        var fingerprints: Set<Fingerprint> = []
        var short: Set<UInt64> = []
        for person in named {
            switch person {
            case .registration(let registration):
                fingerprints.insert(fingerprinter.fingerprint(of: registration))
            case .fingerprint(let half): short.insert(half)
            }
        }
        return .registrations(fingerprints, short: short)
    }

    /// Puts the selected joins back, and returns them with those that stay refused.
    private func retry(
        _ selection: RefusedJoinSelection,
        in store: any TableStore,
        of state: EnvironmentState
    ) async throws(CommandFailure) -> [RefusedJoins] {
        let worker = Worker.this(
            command: "herald registrations retry",
            since: state.session.clock.now()
        )
        let book = RefusedJoinBook(store)
        return try await locked(
            store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                let joins = try await book.joins(selection)
                guard joins.contains(where: { !$0.fingerprints.isEmpty }) else { return joins }
                try await store.note(worker)
                try await book.putBack(joins)
                return joins
            }
        }
    }
}

extension EnvironmentState {
    /// Finds an audience by name in the files or in the state.
    fileprivate func audience(
        _ name: String,
        in book: any MembershipBook
    ) async throws(CommandFailure) -> AudienceID {
        let overview = try await mapStateErrors { () async throws(StateStoreError) in
            try await book.membershipOverview()
        }
        let declared = session.load().declarations.audiences.compactMap {
            $0.value.audience?.value
        }
        let known = Set(overview.summaries.map(\.audience)).union(declared)
        if let id = AudienceID(name), known.contains(id) { return id }
        throw CommandFailure(
            .unknownAudience(name, among: known.map(\.rawValue).sorted()),
            exit: .usage
        )
    }
}
