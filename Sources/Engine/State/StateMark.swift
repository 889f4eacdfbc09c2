/// What a state says about itself without its keys.
package struct StateMark: Hashable, Sendable {
    package let lineage: StateLineage
    package let serial: StateSerial
    /// Where the whole state was moved, or from where it is being moved; nil while it is in use.
    package let moved: String?
    /// The number of the last entry of its history; 0 if there is none.
    package let lastEntry: Int64

    package init(lineage: StateLineage, serial: StateSerial, moved: String?, lastEntry: Int64) {
        self.lineage = lineage
        self.serial = serial
        self.moved = moved
        self.lastEntry = lastEntry
    }

    /// Whether it is what an earlier move of a state left at its new place.
    package func isLeftOver(by state: StateIdentity) -> Bool {
        moved != nil && lineage == state.lineage && serial <= state.serial
    }
}
