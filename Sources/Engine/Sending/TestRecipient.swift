package import CampaignModel
package import Envelopes
package import FCMWire

/// A registration that gets a test message.
package struct TestRecipient: Hashable, Sendable {
    package let registration: Registration
    package let kind: RegistrationFile.Kind
    /// The key with which messages are encrypted; nil if no list has one for the registration.
    package let publicKey: EnvelopeKey?

    package init(
        _ registration: Registration,
        kind: RegistrationFile.Kind = .token,
        publicKey: EnvelopeKey? = nil
    ) {
        self.registration = registration
        self.kind = kind
        self.publicKey = publicKey
    }
}

extension SendTarget {
    /// The target of a request to one registration of a list of this kind.
    package init(_ registration: Registration, kind: RegistrationFile.Kind) {
        switch kind {
        case .token: self = .token(registration.token)
        case .fid: self = .fid(registration.token)
        }
    }
}
