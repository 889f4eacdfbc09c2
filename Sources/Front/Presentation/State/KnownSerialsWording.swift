/// Why the highest serials that this machine has seen cannot be read or stored.
package enum KnownSerialsWording {
    package static let noFolder = "neither XDG_STATE_HOME nor HOME is set"

    package static func unusableFolder(_ path: String) -> String {
        "the folder \(path) cannot be created"
    }

    package static func locked(_ path: String) -> String { "\(path) is locked" }

    package static func warning(because reason: String) -> String {
        "warning: the highest serial seen cannot be stored, so a missing state or an older copy of "
            + "it is not detected: \(TextStyle.safe(reason))\n"
    }
}
