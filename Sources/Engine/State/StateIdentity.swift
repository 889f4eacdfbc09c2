package import CampaignModel

/// The identity and version of a state.
package struct StateIdentity: Hashable, Sendable {
    package let lineage: StateLineage
    package let serial: StateSerial
    package let fingerprintKey: FingerprintKey

    package init(lineage: StateLineage, serial: StateSerial, fingerprintKey: FingerprintKey) {
        self.lineage = lineage
        self.serial = serial
        self.fingerprintKey = fingerprintKey
    }
}

/// The permanent identity of a state: 16 random bytes, as 32 hexadecimal digits.
package struct StateLineage: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(text: String) {
        self.text = text
    }

    package var description: String { text }
}

/// The lineage that a state must have, and what requires it.
package struct RequiredLineage: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// `herald.yaml` names it.
        case projectFile
        /// This machine has seen it at the state's path.
        case machine
    }

    package let lineage: StateLineage
    package let source: Source

    package init(_ lineage: StateLineage, by source: Source) {
        self.lineage = lineage
        self.source = source
    }
}

/// Counts the runs that wrote to a state; it only rises.
package struct StateSerial: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    package var description: String { String(number) }

    package static func < (left: StateSerial, right: StateSerial) -> Bool {
        left.number < right.number
    }
}
