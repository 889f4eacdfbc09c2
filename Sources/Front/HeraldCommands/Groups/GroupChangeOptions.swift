import Applying
import ArgumentParser
import CampaignModel
import Memberships
import Presentation
import RunControl
import State
import Time

/// Options shared by the commands that change a device group.
struct GroupChangeOptions: ParsableArguments {
    @OptionGroup var server: EndpointOptions

    @OptionGroup var lockOptions: LockOptions

    @Option(
        help: ArgumentHelp(
            "List to choose from: an audience or a file. Without a choice, all of it."
        )
    )
    var list: String?

    @Option(
        name: .customLong("row"),
        help: "Row of the list, from 1. Repeatable."
    )
    var rows: [Int] = []

    @Argument(help: "Name of the group.", transform: Self.name)
    var name: DeviceGroupName

    @Argument(
        help: ArgumentHelp(
            "Registrations: @FILE, - (standard input) or fingerprints. @FILE and - have one "
                + "registration or fingerprint per line. Fingerprints must be in project lists.",
            valueName: "registrations"
        )
    )
    var who: [String] = []

    static func name(_ text: String) throws -> DeviceGroupName {
        guard let name = DeviceGroupName(text) else {
            throw ValidationError(
                "a group name must be 1 to 256 printable ASCII characters without spaces"
            )
        }
        return name
    }

    /// Does not repeat an invalid fingerprint, because it may be a registration.
    func validate() throws {
        guard list != nil || rows.isEmpty else {
            throw ValidationError("--row requires --list")
        }
        guard rows.allSatisfy({ $0 > 0 }) else { throw ValidationError("--row must be at least 1") }
        guard list != nil || !who.isEmpty else {
            throw ValidationError(
                "no registrations are named: give --list LIST, @FILE, - or fingerprints"
            )
        }
        let isTaken = who.allSatisfy { text in
            text == "-" || text.hasPrefix("@") && text.count > 1
                || RegistrationArguments.fingerprint(text[...]) != nil
        }
        guard isTaken else {
            throw ValidationError(
                "give registrations as @FILE, - or --list, never as arguments"
            )
        }
    }

    /// `confirm`: called with a question if the change may end the group.
    func perform(
        _ deed: DeviceGroupOperation,
        options: ProjectOptions,
        environment: EnvironmentOptions,
        confirm: (String) throws(CommandFailure) -> Void = { _ in }
    ) async throws {
        let desk = try await DeviceGroupSession(
            options: options,
            environment: environment,
            server: server,
            makesState: true
        )
        try await desk.state.session.notingSerial(of: desk.store) {
            try await perform(deed, options: options, in: desk, confirm: confirm)
        }
    }

    private func perform(
        _ deed: DeviceGroupOperation,
        options: ProjectOptions,
        in desk: DeviceGroupSession,
        confirm: (String) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        try await desk.refuseOtherProject()
        let members = try GroupMembers(self, in: desk).members
        var worker = Worker.this(
            command: "herald groups \(deed) \(name)",
            since: desk.state.session.clock.now(),
            origin: .of(options.directory, variables: CommandContext.current.variables)
        )
        worker.bypasses = server.bypasses
        let author = worker
        let seen = try await desk.record(of: name)
        try check(deed, members: members, known: seen)
        let view = DeviceGroupTextView(style: options.outputStyle)
        let leaving = Set(members.map(\.fingerprint))
        if deed == .remove, let question = view.renderEnd(of: name, group: seen, without: leaving) {
            try confirm(ConfirmationWording.question(question, in: desk.state.destination))
        }
        let edit = DeviceGroupEdit(deed, on: name, record: seen, members: members)
        let after = try await locked(desk, by: author) { () async throws(CommandFailure) in
            guard try await desk.record(of: name) == seen else {
                throw CommandFailure(.groupChanged)
            }
            return try await desk.reaching { executor async throws(CommandFailure) in
                try await desk.asking { () async throws(ApplyError) in
                    try await executor.perform(edit, by: author)
                }
            }
        }
        Output.data(view.renderChanged(after, name: name))
    }

    /// Validates the arguments before any request to FCM.
    private func check(
        _ deed: DeviceGroupOperation,
        members: [Member],
        known: DeviceGroupRecord?
    ) throws(CommandFailure) {
        let concerned = Set(members.map(\.fingerprint))
        let limit = DeviceGroupName.largestGroup
        switch deed {
        case .create, .add:
            let before = deed == .create ? [] : known?.members ?? []
            let count = before.union(concerned).count
            guard count <= limit else {
                throw CommandFailure(.groupTooLarge(name, count: count, limit: limit))
            }
        case .remove:
            guard let known, known.isWhole, known.members.isDisjoint(with: concerned) else {
                return
            }
            throw CommandFailure(.notInGroup(name))
        }
    }

    private func locked<Value>(
        _ desk: DeviceGroupSession,
        by worker: Worker,
        body: () async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        try await HeraldCommands.locked(
            desk.store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            let recorder = OccurrenceRecorder(
                store: desk.store,
                fingerprinter: desk.fingerprinter
            )
            _ = try await mapStateErrors { () async throws(StateStoreError) in
                try await recorder.settleAfterCrash(by: worker)
            }
            return try await body()
        }
    }
}
