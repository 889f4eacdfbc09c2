package import CampaignState
import Scheduling

extension ErrorText {
    package init(_ error: StateStoreError) {
        switch error {
        case .unreachable(let path, let reason):
            self.init(
                "the state \(TextStyle.safe(path)) can't be opened: \(reason)",
                help: "check the folder's owner and permissions"
            )
        case .damaged(let path, let reason):
            self.init(
                "the state \(TextStyle.safe(path)) is damaged: \(reason)",
                help: "nothing was sent; put a copy of it back. Without it Herald can't know what "
                    + "was sent, and moving it away means sending everything again"
            )
        case .damagedIDs(let path, let reason):
            self.init(
                "the message ids \(TextStyle.safe(path)) are damaged: \(reason)",
                help: "they can't be shown; the state needs them for nothing else"
            )
        case .diskFull(let path):
            self.init(
                "the disk of the state \(TextStyle.safe(path)) is full",
                help: "nothing is sent that can't be recorded; make room and run apply again"
            )
        case .readOnly(let path):
            self.init(
                "the state \(TextStyle.safe(path)) can't be written",
                help: "check the permissions of the file and its folder"
            )
        case .newerFormat(let path, let found, let supported):
            self.init(
                "the state \(TextStyle.safe(path)) has format \(found); this Herald knows "
                    + "\(supported)",
                help: "use the newer Herald that wrote it"
            )
        case .locked(let holder):
            self.init(
                "another run is writing this state" + (holder.map { ": " + $0.words } ?? ""),
                help: "wait for it, or give more time with --lock-timeout"
            )
        case .encrypted(let path):
            self.init(
                "the state \(TextStyle.safe(path)) is encrypted, and no key to it is there",
                help: "say in herald.yaml where the key lies, below the environment: "
                    + "`state: { encryption: { key: env:NAME } }`"
            )
        case .wrongKey(let path):
            self.init(
                "the state \(TextStyle.safe(path)) is encrypted under another key",
                help: "give the key that it was encrypted with; where the key was changed, the "
                    + "former one belongs into `previous` beside `key`"
            )
        case .notEncrypted(let path):
            self.init(
                "the state \(TextStyle.safe(path)) is not encrypted, and herald.yaml names a key",
                help: "`herald state init` encrypts it"
            )
        case .failed(let path, let reason):
            self.init("the state \(TextStyle.safe(path)) failed: \(reason)")
        }
    }
}

extension Worker {
    var words: String {
        TextStyle.safe(
            "`\(command)` by \(user) on \(host), process \(processID), since \(since.utcText)"
        )
    }
}
