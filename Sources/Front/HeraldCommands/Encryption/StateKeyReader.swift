import CampaignLoading
import CampaignModel
import Presentation
import State
import SystemIO

/// Reads the keys of an encrypted state from the places that `herald.yaml` names.
struct StateKeyReader {
    /// The project's directory.
    ///
    /// Relative paths start there and commands run there.
    let directory: String
    let variables: [String: String]
    let trust: Trust

    /// Reads the key and any previous key, which may still encrypt the state.
    func keys(_ encryption: StateEncryption) throws(CommandFailure) -> StateKeys {
        guard let reference = encryption.key else {
            throw CommandFailure(.unresolvedStateKey)
        }
        let key = try fetch(reference, named: "key")
        guard let former = encryption.previous else { return StateKeys(key: key) }
        return StateKeys(key: key, previous: try fetch(former, named: "previous"))
    }

    private func fetch(
        _ reference: StateKeyReference,
        named name: String
    ) throws(CommandFailure) -> StateKey {
        let text: [UInt8]
        switch reference {
        case .variable(let variable): text = try contents(ofVariable: variable, named: name)
        case .file(let path):
            let full = path.hasPrefix("/") ? path : directory + "/" + path
            try trust.requirePath(full)
            text = try contents(ofFile: full)
        case .command(let command):
            try trust.requireCommand(command)
            text = try KeyCommand(command, directory: directory).output()
        }
        guard let key = StateKey(text: text) else {
            throw CommandFailure(.notStateKey(reference.wording))
        }
        return key
    }

    private func contents(
        ofVariable variable: String,
        named name: String
    ) throws(CommandFailure) -> [UInt8] {
        guard let text = variables[variable], !text.isEmpty else {
            throw CommandFailure(.missingStateKey(name, in: variable))
        }
        return Array(text.utf8)
    }

    /// The maximum size in bytes, more than any key needs.
    private static let longest = 4_096

    private func contents(ofFile path: String) throws(CommandFailure) -> [UInt8] {
        let shown = TextStyle.safe(path)
        let file: File
        do throws(SystemError) {
            file = try File(path, for: .reading, options: [.withoutWaiting, .refusingLinks])
        } catch {
            throw CommandFailure(.unreadableStateKey(shown, because: error.reason))
        }
        guard let status = try? file.status(), status.isFile else {
            throw CommandFailure(.stateKeyIsNoFile(shown))
        }
        guard status.permissions & 0o077 == 0 else {
            throw CommandFailure(.exposedStateKey(shown))
        }
        return (try? file.read(atMost: Self.longest)) ?? []
    }
}

extension StateKeyReference {
    fileprivate var wording: String {
        switch self {
        case .variable(let name): name
        case .file(let path): TextStyle.safe(path)
        case .command(let text): "`\(TextStyle.safe(text))`"
        }
    }
}
