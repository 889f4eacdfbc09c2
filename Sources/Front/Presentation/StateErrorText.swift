package import State
import Time

extension ErrorText {
    package init(_ error: StateStoreError) {
        switch error {
        case .unreachable(let path, let reason):
            self.init(
                "the state \(TextStyle.safe(path)) can't be opened: \(reason)",
                help: "check the folder's owner and permissions"
            )
        case .damaged(let path, let reason):
            let hint = CommandHint(forState: path)
            self.init(
                "the state \(TextStyle.safe(path)) is damaged: \(reason)",
                help:
                    "nothing was sent; put a copy of it back with `\(hint("state push FILE"))`, or "
                    + "`\(hint("state recover"))` keeps what can be read. Moving it away means "
                    + "sending everything again"
            )
        case .damagedIDs(let path, let reason):
            self.init(
                "the message ids \(TextStyle.safe(path)) are damaged: \(reason)",
                help: "the IDs can't be shown; the state is not affected"
            )
        case .diskFull(let path):
            self.init(
                "the disk of the state \(TextStyle.safe(path)) is full",
                help: "free some space and run apply again; Herald sends only what it can record"
            )
        case .readOnly(let path):
            self.init(
                "the state \(TextStyle.safe(path)) can't be written",
                help: "check the permissions of the file and its folder"
            )
        case .newerFormat(let path, let found, let supported):
            self.init(
                "the state \(TextStyle.safe(path)) has format \(found); this Herald supports "
                    + "\(supported)",
                help: "use the newer Herald that wrote it"
            )
        case .locked(let holder):
            self.init(
                "another run is writing this state" + (holder.map { ": " + $0.words } ?? ""),
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
                help: "encrypt it with `\(CommandHint(forState: path)("state init"))`"
            )
        case .failed(let path, let reason):
            self.init("the state \(TextStyle.safe(path)) failed: \(reason)")
        case .missing(let path): self.init(missing: path)
        case .foreign(let path, let expected, let found):
            self.init(foreign: path, expected, found)
        case .replaced(let path):
            self.init(
                "the state \(TextStyle.safe(path)) was replaced while this command waited for it",
                help: "run the command again; nothing was changed"
            )
        case .rolledBack(let path, let seen, let found): self.init(rolledBack: path, seen, found)
        }
    }

    private init(missing path: String) {
        let hint = CommandHint(forState: path)
        self.init(
            "the state \(TextStyle.safe(path)) is missing, and herald.yaml names its lineage",
            help: "nothing was sent; put a copy of it back with `\(hint("state push FILE"))`, or "
                + "`\(hint("state recover"))` creates one that repeats nothing on its own"
        )
    }

    private init(foreign path: String, _ expected: StateLineage, _ found: StateLineage) {
        let hint = CommandHint(forState: path)
        self.init(
            "the state \(TextStyle.safe(path)) is another one: its lineage is \(found), herald.yaml "
                + "says \(TextStyle.safe(expected.text))",
            help: "nothing was sent; move it away and put the right one there with "
                + "`\(hint("state push FILE"))`. If this is the right one, remove `lineage` from "
                + "herald.yaml and run `\(hint("state init"))`"
        )
    }

    private init(rolledBack path: String, _ seen: StateSerial, _ found: StateSerial) {
        let hint = CommandHint(forState: path)
        self.init(
            "the state \(TextStyle.safe(path)) is older than one seen here: its serial is \(found), "
                + "the highest seen is \(seen)",
            help:
                "nothing was sent; put the newest copy there with `\(hint("state push FILE"))`, or "
                + "`\(hint("state recover"))` continues with this one and repeats nothing on its own"
        )
    }
}

extension Worker {
    var words: String {
        TextStyle.safe(
            "`\(command)` by \(user) on \(host), process \(processID), since \(since.utcText)"
        )
    }
}
