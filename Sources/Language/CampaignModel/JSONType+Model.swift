package import JSON
package import Time

extension JSONType where Value == Instant {
    /// A time in UTC, with seconds.
    package static let moment = JSONType<String>.text(
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"
    ).reading(\Instant.utcText)
}

extension JSONType where Value == OccurrenceID {
    /// Campaign, slot and revision; the slot of a time zone contains its name.
    package static let occurrence = JSONType<String>.text(pattern: "^[^/]+/.+/[0-9]+$")
        .reading(\OccurrenceID.description)
}

extension JSONType where Value == Fingerprint {
    package static let fingerprint = JSONType<String>.text(pattern: "^[0-9a-f]{16}$")
        .reading(\Fingerprint.description)
}
