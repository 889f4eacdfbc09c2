/// The results of `herald emulator adopt`.
package enum AdoptionWording {
    /// `known`: the registrations that had a device before.
    package static func adopted(_ added: Int, known: Int, list: String) -> String {
        let had = known == 0 ? "" : "; \(known.grouped) had one before"
        return "\(TextStyle.safe(list)): \(added.counting("new device"))\(had)\n"
    }
}
