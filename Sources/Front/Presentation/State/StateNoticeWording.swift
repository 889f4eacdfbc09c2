package import CampaignModel
package import State

/// What commands report about a state that they create, copy, replace or encrypt.
package enum StateNoticeWording {
    /// What `herald state init` did.
    package enum Initialization: Sendable {
        case created
        case encrypted
        case nothing
    }

    package static let rewrapped =
        "The state is encrypted with the new key; remove `previous`.\n"

    /// `seconds`: how long the command waits.
    package static func waiting(for holder: Worker?, atMost seconds: Int) -> String {
        let who = holder.map { ": " + $0.wording } ?? ""
        return "Waiting for another run that is writing this state (\(seconds) s at most)\(who)\n"
    }

    package static func initialized(
        _ environment: EnvironmentID,
        as identity: StateIdentity,
        by initialization: Initialization
    ) -> String {
        let done =
            switch initialization {
            case .created: "created"
            case .encrypted: "now encrypted"
            case .nothing: "already exists"
            }
        return "State of \(environment): lineage \(identity.lineage), serial \(identity.serial), "
            + "\(done).\n"
    }

    /// `copies`: earlier copies of the state, which are still unencrypted.
    package static func unencrypted(_ copies: [String]) -> String {
        copies.map {
            "Not encrypted: the earlier copy \(TextStyle.safe($0)); delete it.\n"
        }.joined()
    }

    package static func alreadyNamed(in file: String) -> String { "\(file) names it already.\n" }

    package static func named(
        _ lineage: StateLineage,
        of environment: EnvironmentID,
        in file: String
    ) -> String {
        """
        Wrote to \(file): `state: { lineage: "\(lineage)" }` of \(environment). Commit it: from \
        now on, Herald refuses a state that is missing, empty, different, or older than one that \
        this machine has seen.

        """
    }

    package static func pulled(
        _ environment: EnvironmentID,
        serial: StateSerial,
        to file: String
    ) -> String {
        "Copied the state of \(environment), serial \(serial), to \(TextStyle.safe(file)). Without "
            + "the message IDs of list sends.\n"
    }

    /// `kept`: the name of the replaced file; nil if there was none.
    package static func pushed(
        _ file: String,
        to environment: EnvironmentID,
        serial: StateSerial,
        kept: String?
    ) -> String {
        let rest = kept.map { " The old file is kept as \(TextStyle.safe($0))." } ?? ""
        return "\(TextStyle.safe(file)) is now the state of \(environment), serial \(serial)."
            + "\(rest)\n"
    }

    package static func migrated(
        _ environment: EnvironmentID,
        serial: StateSerial,
        from old: String,
        to new: String
    ) -> String {
        """
        Moved the state of \(environment), serial \(serial), from \(TextStyle.safe(old)) to \
        \(TextStyle.safe(new)). The old state is refused from now on. Change `state` of \
        \(environment) in herald.yaml.

        """
    }

    /// The emulator and the state were erased.
    package static func erased(_ environment: EnvironmentID, to identity: StateIdentity) -> String {
        "The emulator and the state of \(environment) are empty: lineage \(identity.lineage), "
            + "serial \(identity.serial).\n"
    }
}
