/// What a state says about itself without its keys.
package struct StateMark: Hashable, Sendable {
    package let lineage: StateLineage
    package let serial: StateSerial
    /// Where the whole state was moved, or from where it is being moved; nil while it is in use.
    package let moved: String?

    package init(lineage: StateLineage, serial: StateSerial, moved: String?) {
        self.lineage = lineage
        self.serial = serial
        self.moved = moved
    }
}
