package import State
import Time

extension ErrorText {
    /// `isOfOwnEmulator`: whether the state is that of the project's own emulator, which can be
    /// reset.
    package init(_ error: StateStoreError, isOfOwnEmulator: Bool = false) {
        switch error {
        case .unreachable(let path, let reason):
            self.init(
                "the state \(TextStyle.safe(path)) cannot be opened: \(reason)",
                help: "check the folder's owner and permissions"
            )
        case .damaged(let path, let reason):
            self.init(
                "the state \(TextStyle.safe(path)) is damaged: \(reason)",
                help: Self.restoring(
                    path,
                    "a copy",
                    otherwise: "keeps what can be read",
                    isOfOwnEmulator: isOfOwnEmulator
                )
            )
        case .damagedIDs(let path, let reason):
            self.init(
                "the message ids \(TextStyle.safe(path)) are damaged: \(reason)",
                help: "the IDs cannot be shown; the state is not affected"
            )
        case .diskFull(let path):
            self.init(
                "the disk of the state \(TextStyle.safe(path)) is full",
                help: "free some space and run apply again; Herald sends only what it can record"
            )
        case .readOnly(let path):
            self.init(
                "the state \(TextStyle.safe(path)) cannot be written",
                help: "check the permissions of the file and its folder"
            )
        case .otherFormat(let path, let found, let supported):
            self.init(
                "the state \(TextStyle.safe(path)) has format \(found); this Herald supports "
                    + "\(supported)",
                help: "use the version of Herald that wrote it"
            )
        case .locked(let holder):
            self.init(
                "another run is writing this state" + (holder.map { ": " + $0.wording } ?? ""),
                help: "wait for it, or set a longer --lock-timeout"
            )
        case .encrypted(let path):
            self.init(
                "the state \(TextStyle.safe(path)) is encrypted, but there is no key for it",
                help: "name the key in herald.yaml, in the environment: "
                    + "`state: { encryption: { key: env:NAME } }`"
            )
        case .wrongKey(let path):
            self.init(
                "the state \(TextStyle.safe(path)) is encrypted with another key",
                help: "give the key that it was encrypted with; if the key was changed, put the "
                    + "old key under `previous`"
            )
        case .notEncrypted(let path):
            self.init(
                "the state \(TextStyle.safe(path)) is not encrypted, but herald.yaml names a key",
                help: Self.isServer(path)
                    ? "move it into a file with `herald state migrate`, encrypt the file with `herald "
                        + "state init`, and move it back"
                    : "encrypt it with `\(CommandHint(forState: path)("state init"))`"
            )
        case .failed(let path, let reason):
            self.init("the state \(TextStyle.safe(path)) failed: \(reason)")
        case .missing(let path, let required):
            self.init(missing: path, required: required, isOfOwnEmulator: isOfOwnEmulator)
        case .foreign(let path, let required, let found):
            self.init(
                foreign: path,
                required: required,
                found: found,
                isOfOwnEmulator: isOfOwnEmulator
            )
        case .replaced(let path):
            self.init(
                "the state \(TextStyle.safe(path)) was replaced while this command waited for it",
                help: "run the command again; nothing was changed"
            )
        case .unsuitable(let path, let reason):
            self.init(unsuitable: path, because: reason)
        case .displaced(let path, let what):
            self.init(displaced: path, what: what)
        case .rolledBack(let path, let seen, let found):
            self.init(rolledBack: path, seen: seen, found: found, isOfOwnEmulator: isOfOwnEmulator)
        case .moved(let path, let place):
            self.init(
                "the state \(TextStyle.safe(path)) was moved to \(TextStyle.safe(place))",
                help: "use the state there: see `state` in herald.yaml, or --state. `herald state "
                    + "migrate` moves it back"
            )
        case .server(let path, let problem): self.init(server: path, problem)
        }
    }

    private init(unsuitable path: String, because reason: UnsuitablePlace) {
        let state = "the state \(TextStyle.safe(path)) cannot be used: "
        switch reason {
        case .link:
            self.init(
                state + "it is a symbolic link",
                help: "replace the link with the file itself. Stop all runs first, and move the "
                    + "files -wal and -shm with it"
            )
        case .noFile:
            self.init(state + "it is not a file", help: "remove it, or rename it")
        case .severalNames(let count):
            self.init(
                state + "the file has \(count) names (hard links), and each name would have its "
                    + "own write-ahead log",
                help: "remove the other names. `herald state pull FILE` makes a real copy"
            )
        case .mountPoint:
            self.init(
                state
                    + "a single file is mounted there, and its write-ahead log would be elsewhere",
                help: "mount the folder that contains the state"
            )
        case .network(let type):
            self.init(
                state + "it is on a network file system (\(TextStyle.safe(type))), whose locks do "
                    + "not exclude other machines",
                help: "keep the project on a local disk"
            )
        }
    }

    private init(displaced path: String, what: DisplacedPart) {
        let event =
            switch what {
            case .state: "the file was moved, removed or replaced"
            case .log: "its write-ahead log was moved, removed or replaced"
            case .secondName: "the file was removed or got another name"
            }
        let hint = CommandHint(forState: path)
        self.init(
            "the state \(TextStyle.safe(path)) is not in its place any more: \(event) while this "
                + "command was using it",
            help: "put the files back, including those that end in -wal and -shm. If they are "
                + "lost, `\(hint("state recover"))` marks what may have been sent as unknown"
        )
    }

    private init(missing path: String, required: RequiredLineage?, isOfOwnEmulator: Bool) {
        let cause =
            switch required?.source {
            case .projectFile?: ": herald.yaml names lineage "
            case .machine?: ": this machine has seen it there, with lineage "
            case nil: ""
            }
        let lineage = (required?.lineage.text).map(TextStyle.safe) ?? ""
        self.init(
            "the state \(TextStyle.safe(path)) is missing" + cause + lineage,
            help: Self.restoring(
                path,
                "a copy",
                otherwise: "creates a state that repeats nothing on its own",
                isOfOwnEmulator: isOfOwnEmulator
            )
        )
    }

    private init(
        foreign path: String,
        required: RequiredLineage,
        found: StateLineage,
        isOfOwnEmulator: Bool
    ) {
        let hint = CommandHint(forState: path)
        let isServer = Self.isServer(path)
        let who =
            switch required.source {
            case .projectFile: "herald.yaml names"
            case .machine: "this machine has seen it with"
            }
        let lineage = TextStyle.safe(found.text)
        self.init(
            "the state \(TextStyle.safe(path)) has lineage \(lineage), but \(who) lineage "
                + TextStyle.safe(required.lineage.text),
            help: (isServer
                ? "check the address of the state. "
                : "restore the right state with `\(hint("state push FILE"))`. ")
                + "If this one is right, write `lineage: \"\(lineage)\"` under the environment's `state` in "
                + "herald.yaml"
                + (isServer ? "" : Self.reset(isOfOwnEmulator: isOfOwnEmulator, hint: hint))
        )
    }

    private init(
        rolledBack path: String,
        seen: StateSerial,
        found: StateSerial,
        isOfOwnEmulator: Bool
    ) {
        self.init(
            "the state \(TextStyle.safe(path)) is older than one seen here: its serial is \(found), "
                + "the highest seen is \(seen)",
            help: Self.isServer(path)
                ? Self.restoringServer
                    + ". Without it, `herald state recover` \(Self.continuing)"
                : Self.restoring(
                    path,
                    "the newest copy",
                    otherwise: Self.continuing,
                    isOfOwnEmulator: isOfOwnEmulator
                )
        )
    }

    private static let continuing = "continues with this one and repeats nothing on its own"

    /// Advice to restore a state.
    ///
    /// `copy`: names a copy. `outcome`: what `state recover` does without it.
    private static func restoring(
        _ path: String,
        _ copy: String,
        otherwise outcome: String,
        isOfOwnEmulator: Bool
    ) -> String {
        if isServer(path) { return restoringServer }
        let hint = CommandHint(forState: path)
        let name = copy == "a copy" ? "a copy" : "it"
        return "restore \(copy) with `\(hint("state push FILE"))`. Without \(name), "
            + "`\(hint("state recover"))` \(outcome)"
            + reset(isOfOwnEmulator: isOfOwnEmulator, hint: hint)
    }

    private static let restoringServer =
        "restore the newest backup of the database with PostgreSQL's tools"

    /// Whether the name of a state is that of a server.
    private static func isServer(_ name: String) -> Bool { name.hasPrefix("postgres://") }

    /// The advice if the state may be discarded: an emulator's devices belong to no person.
    private static func reset(isOfOwnEmulator: Bool, hint: CommandHint) -> String {
        isOfOwnEmulator ? ". `\(hint("emulator reset"))` starts from scratch" : ""
    }
}

extension Worker {
    var wording: String {
        TextStyle.safe(
            "`\(command)` by \(user) on \(host), process \(processID), since \(since.utcText)"
        )
    }
}
