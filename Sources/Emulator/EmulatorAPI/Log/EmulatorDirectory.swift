import JSON
import SystemIO
import Text

/// The directory of one running emulator.
///
/// The lock is held as long as the value exists; the kernel releases it when the process ends in
/// any way.
package struct EmulatorDirectory: ~Copyable {
    private let path: String
    private let lock: FileLock

    private init(path: String, lock: consuming FileLock) {
        self.path = path
        self.lock = lock
    }

    /// Creates the directory if it is missing, and locks it.
    package static func locked(_ path: String) throws(EmulatorError) -> EmulatorDirectory {
        try make(path)
        let lockPath = path + "/lock"
        let lock = try fileErrors(at: lockPath) { () throws(SystemError) in
            try FileLock(lockPath, options: .refusingLinks)
        }
        // Retried for a tenth of a second, because `RunningEmulator.find` holds the lock briefly.
        guard lock.tryLock(attempts: 10) else {
            throw .directoryInUse(pid: Int(lock.text().filter(\.isNumber)))
        }
        try fileErrors(at: lockPath) { () throws(SystemError) in
            try lock.setText("\(CurrentProcess.id)\n")
        }
        return EmulatorDirectory(path: path, lock: lock)
    }

    var logPath: String { path + "/requests.ndjson" }

    package func removeLog() throws(EmulatorError) {
        do throws(SystemError) {
            try FileSystem.delete(logPath)
        } catch {
            throw .unusable(logPath, error: error)
        }
    }

    /// Returns the token of the control API from an earlier start, or a new one.
    package static func controlToken(in path: String) throws(EmulatorError) -> String {
        let file = path + "/control-token"
        if let known = contents(of: file) {
            let text = String(decoding: known, as: UTF8.self).filter { !$0.isWhitespace }
            if text.utf8.count >= ControlAccess.shortestToken { return text }
        }
        try make(path)
        let token = ControlAccess.freshToken()
        try replaceFile(file, with: token + "\n", mode: 0o600)
        return token
    }

    /// Publishes the emulator's addresses.
    ///
    /// The file is replaced atomically.
    package func publish(_ addresses: EmulatorAddresses) throws(EmulatorError) {
        var running: JSONObject = [
            "url": .string(addresses.url), "pid": .integer(Int64(CurrentProcess.id)),
        ]
        running["tls_url"] = addresses.tlsURL.map { .string($0) }
        running["proxy_url"] = addresses.proxyURL.map { .string($0) }
        running["ca"] = addresses.certificateAuthority.map { .string($0) }
        running["xmpp"] = addresses.xmpp.map { .string($0) }
        running["control_token"] = addresses.token.map { .string($0) }
        let text = JSONValue.object(running).compactText + "\n"
        try replaceFile(path + "/running.json", with: text, mode: 0o600)
    }

    package func withdraw() {
        FileSystem.remove(path + "/running.json")
    }

    private static func make(_ path: String) throws(EmulatorError) {
        do throws(SystemError) {
            try Folder.create(path)
        } catch {
            guard error == .notFound, let slash = path.lastIndex(of: "/"), slash > path.startIndex
            else { throw .unusable(path, error: error) }
            try make(String(path[..<slash]))
            try fileErrors(at: path) { () throws(SystemError) in try Folder.create(path) }
        }
    }
}

/// An emulator that is running now, in this process or another.
package struct RunningEmulator: Hashable, Sendable {
    package let addresses: EmulatorAddresses
    package let pid: Int

    package var url: String { addresses.url }

    /// Returns nil if no emulator is running in the directory.
    ///
    /// A `running.json` of a process that crashed is ignored, because its lock is free.
    package static func find(in directory: String) -> RunningEmulator? {
        guard isLocked(directory + "/lock"),
            let running = contents(of: directory + "/running.json")
                .flatMap({ JSONValue(parsing: $0) }),
            let url = running["url"]?.stringValue,
            // A file in a branch could name any server.
            ServerAddress(of: url)?.isOnThisMachine == true, let pid = running["pid"]?.integerValue
        else { return nil }
        var addresses = EmulatorAddresses(
            url: url,
            tlsURL: running["tls_url"]?.stringValue,
            proxyURL: running["proxy_url"]?.stringValue,
            certificateAuthority: running["ca"]?.stringValue
        )
        addresses.token = running["control_token"]?.stringValue
        addresses.xmpp = running["xmpp"]?.stringValue
        return RunningEmulator(addresses: addresses, pid: Int(pid))
    }

    private static func isLocked(_ path: String) -> Bool {
        do throws(SystemError) {
            let lock = try FileLock(existing: path, options: [.refusingLinks, .withoutWaiting])
            guard try lock.status().isFile else { return false }
            return try lock.isHeld()
        } catch {
            return false
        }
    }
}

/// Returns the first 64 KiB of a plain file, which is not a link.
package func contents(of path: String) -> [UInt8]? {
    do throws(SystemError) {
        let file = try File(path, for: .reading, options: [.refusingLinks, .withoutWaiting])
        return try file.status().isFile ? file.read(atMost: 65_536) : nil
    } catch {
        return nil
    }
}

/// Replaces a file atomically.
package func replaceFile(_ path: String, with text: String, mode: UInt32) throws(EmulatorError) {
    let temporary = path + ".new"
    var draft = try fileErrors(at: temporary) { () throws(SystemError) in
        try FileDraft(Array(text.utf8), at: temporary, permissions: mode, isSynced: false)
    }
    try fileErrors(at: path) { () throws(SystemError) in try draft.replace(path) }
}

/// Translates the errors of operations on one file.
private func fileErrors<Value: ~Copyable>(
    at path: String,
    work: () throws(SystemError) -> Value
) throws(EmulatorError) -> Value {
    do throws(SystemError) {
        return try work()
    } catch {
        throw .unusable(path, error: error)
    }
}

extension ServerAddress {
    /// Whether the address is in 127.0.0.0/8 or otherwise this machine.
    fileprivate var isOnThisMachine: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLocal = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isLoopback || isLocal
    }
}
