/// The standbys of a state's server, as far as this process may see them.
package struct StandbyStatus: Hashable, Sendable {
    /// The number of connected standbys.
    package let connected: Int
    /// The number of connected standbys that commits may wait for; nil if the role may not see it.
    package let synchronous: Int?
    /// Whether the server's settings let commits wait for standbys.
    package let isRequired: Bool

    package init(connected: Int, synchronous: Int?, isRequired: Bool) {
        self.connected = connected
        self.synchronous = synchronous
        self.isRequired = isRequired
    }
}
