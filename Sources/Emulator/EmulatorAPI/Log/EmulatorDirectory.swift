package import Glibc
import JSON

/// The directory of one running emulator.
///
/// The lock is held as long as the value exists; the kernel releases it when the process ends in
/// any way.
package struct EmulatorDirectory: ~Copyable {
    private let path: String
    private let lock: Int32

    private init(path: String, lock: Int32) {
        self.path = path
        self.lock = lock
    }

    /// Creates the directory if it is missing, and locks it.
    package static func locked(_ path: String) throws(EmulatorError) -> EmulatorDirectory {
        try make(path)
        let lockPath = path + "/lock"
        let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .unusable(lockPath, errno) }
        guard take(lock) else {
            let holder = String(decoding: contents(of: lockPath) ?? [], as: UTF8.self)
            close(lock)
            throw .directoryInUse(pid: Int(holder.filter(\.isNumber)))
        }
        guard ftruncate(lock, 0) == 0, writeAll("\(getpid())\n", to: lock) else {
            let problem = errno
            close(lock)
            throw .unusable(lockPath, problem)
        }
        return EmulatorDirectory(path: path, lock: lock)
    }

    deinit {
        close(lock)
    }

    var logPath: String { path + "/requests.ndjson" }

    func removeLog() throws(EmulatorError) {
        guard unlink(logPath) == 0 || errno == ENOENT else { throw .unusable(logPath, errno) }
    }

    /// Publishes the emulator's addresses.
    ///
    /// The file is replaced atomically.
    package func publish(_ addresses: EmulatorAddresses) throws(EmulatorError) {
        var running: JSONObject = [
            "url": .string(addresses.url), "pid": .integer(Int64(getpid())),
        ]
        running["tls_url"] = addresses.tlsURL.map { .string($0) }
        running["proxy_url"] = addresses.proxyURL.map { .string($0) }
        running["ca"] = addresses.certificateAuthority.map { .string($0) }
        let text = JSONValue.object(running).compactText + "\n"
        try replaceFile(path + "/running.json", with: text, mode: 0o600)
    }

    package func withdraw() {
        unlink(path + "/running.json")
    }

    private static func make(_ path: String) throws(EmulatorError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let problem = errno
        guard problem == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex
        else { throw .unusable(path, problem) }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unusable(path, errno) }
    }

    /// Locks a file, with retries for a tenth of a second, because `RunningEmulator.find` holds the
    /// lock briefly.
    private static func take(_ descriptor: Int32) -> Bool {
        for _ in 0..<10 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(10_000)
        }
        return false
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
            let url = running["url"]?.stringValue, let pid = running["pid"]?.integerValue
        else { return nil }
        let addresses = EmulatorAddresses(
            url: url,
            tlsURL: running["tls_url"]?.stringValue,
            proxyURL: running["proxy_url"]?.stringValue,
            certificateAuthority: running["ca"]?.stringValue
        )
        return RunningEmulator(addresses: addresses, pid: Int(pid))
    }

    private static func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}

/// Resolves a path to an absolute path; returns it unchanged if it does not exist.
package func realPath(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Returns the first 64 KiB of a file.
package func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { return nil }
    return Array(bytes[..<count])
}

/// Replaces a file atomically.
package func replaceFile(_ path: String, with text: String, mode: mode_t) throws(EmulatorError) {
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .unusable(temporary, errno) }
    let isWritten = writeAll(text, to: file) && fchmod(file, mode) == 0
    let problem = errno
    close(file)
    guard isWritten else { throw .unusable(temporary, problem) }
    guard rename(temporary, path) == 0 else { throw .unusable(path, errno) }
}

private func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count
}
