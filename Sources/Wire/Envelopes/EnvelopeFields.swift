/// The keys of an encrypted message's `data`.
package enum EnvelopeFields {
    /// The envelope's text.
    package static let envelope = "herald_envelope"
    /// The text of its context.
    package static let context = "herald_context"
}
