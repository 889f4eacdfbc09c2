import SystemIO

/// The reason why an emulator could not start.
package enum EmulatorError: Error, Hashable, Sendable {
    case portInUse(Int)
    case cannotListen(reason: String)
    /// Another emulator uses the directory; `pid` is its process if known.
    case directoryInUse(pid: Int?)
    case directoryUnusable(reason: String)
    /// The first line of the request log that the emulator did not write.
    case damagedLog(line: Int)
    /// Two devices have the same registration.
    case registrationTaken(device: String, by: String)
    /// A device has more topics than an app instance can be subscribed to.
    case tooManyTopics(device: String)
    /// The errors of the fault script, with their positions.
    case faultsRefused([String])
    /// The file of a service account is not usable.
    case unusableServiceAccount(path: String, reason: String)
}

extension EmulatorError {
    static func unusable(_ path: String, error: SystemError) -> EmulatorError {
        .directoryUnusable(reason: "\(path): \(error.reason)")
    }
}
