import Crypto
import Envelopes
import FoundationEssentials
import Testing

/// Runs the sample of the documentation, to which `HeraldEnvelope.swift` in this folder is a link.
struct DecryptionSampleTests {
    private let key = Curve25519.KeyAgreement.PrivateKey()

    private func data(
        _ text: String,
        changing place: Int? = nil
    ) throws -> [AnyHashable: Any] {
        let envelope = try Envelope(
            sealing: Array(text.utf8),
            for: EnvelopeKey(parsing: HeraldEnvelope.text(of: key.publicKey)),
            in: EnvelopeContext(project: "tidewatch", occurrence: "spring-tide/once/1")
        )
        var bytes = envelope.bytes
        if let place { bytes[place] ^= 1 }
        return [
            EnvelopeFields.envelope: Base64Text.encode(bytes),
            EnvelopeFields.context: envelope.context.text,
        ]
    }

    @Test func `the sample opens what Herald encrypts`() throws {
        let former = Curve25519.KeyAgreement.PrivateKey()
        let opened = try HeraldEnvelope.open(
            data(#"{"notification":{"title":"High tide"},"data":{"height":"2.9 m"}}"#),
            of: "tidewatch",
            with: [former, key]
        )
        #expect(
            opened == ["notification": ["title": "High tide"], "data": ["height": "2.9 m"]]
        )
    }

    @Test func `the sample shows nothing of a changed message`() throws {
        for place in 0..<(Envelope.overhead + 11) {
            let changed = try data(#"{"data":{}}"#, changing: place)
            #expect(throws: (any Error).self) {
                try HeraldEnvelope.open(changed, of: "tidewatch", with: [key])
            }
        }
        let other = try data(#"{"data":{}}"#)
        #expect(throws: HeraldEnvelope.Failure.otherProject) {
            try HeraldEnvelope.open(other, of: "tide", with: [key])
        }
        #expect(throws: HeraldEnvelope.Failure.unknownKey) {
            try HeraldEnvelope.open(other, of: "tidewatch", with: [])
        }
        #expect(throws: HeraldEnvelope.Failure.notAnEnvelope) {
            try HeraldEnvelope.open([:], of: "tidewatch", with: [key])
        }
    }
}
