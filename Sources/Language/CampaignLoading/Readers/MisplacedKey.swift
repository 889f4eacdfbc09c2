/// Explains keys that exist elsewhere and that authors expect in a mapping.
enum MisplacedKey {
    /// Returns what to do instead; nil for other unknown keys.
    ///
    /// `subject`: the mapping as messages call it.
    static func help(for key: String, in subject: String) -> String? {
        guard subject == "a variant" else { return nil }
        return switch key {
        case "audience", "registrations", "exclude":
            "variants share the campaign's audience, because an experiment divides one list; compare "
                + "messages here, and address another audience with another campaign"
        case "schedule", "delivery", "expires":
            "variants share the campaign's `\(key)`, so that they differ in their message only; "
                + "move it to the campaign"
        default: nil
        }
    }
}
