import Glibc

/// Why an emulator could not be started.
package enum EmulatorError: Error, Hashable, Sendable {
    case portInUse(Int)
    case cannotListen(reason: String)
    /// Another emulator works in the directory; its process, where it could be read.
    case directoryInUse(pid: Int?)
    case directoryUnusable(reason: String)
    /// The first line of the request log that is not one of the emulator's.
    case damagedLog(line: Int)
    /// The registration of one device is that of another.
    case registrationTaken(device: String, by: String)
    /// A device has more topics than an app instance can be subscribed to.
    case tooManyTopics(device: String)
    /// The fault script has mistakes, each with its place.
    case faultsRefused([String])
    /// A service account's file can't be used.
    case unusableServiceAccount(path: String, reason: String)
}

extension EmulatorError {
    static func unusable(_ path: String, _ errno: Int32) -> EmulatorError {
        .directoryUnusable(reason: "\(path): \(String(cString: strerror(errno)))")
    }
}
