/// The FCM API through which registrations join and leave topics.
package enum MembershipTransport: String, Hashable, Sendable, CaseIterable {
    /// The Instance ID API: up to 1,000 registration tokens per request.
    case batch
    /// The v1 API's topic subscriptions: one registration or installation ID per request.
    case perRegistration = "per_registration"
}

/// An audience's setting for the transport.
package enum MembershipTransportChoice: String, Hashable, Sendable, CaseIterable {
    /// Batches for tokens, until FCM answers that it does not serve them.
    case auto
    case batch
    case perRegistration = "per_registration"
}

extension Audience {
    /// Batches cannot contain installation IDs.
    package var membershipTransport: MembershipTransportChoice {
        list.kind == .fid ? .perRegistration : transport
    }
}

extension RegistrationList {
    /// The kind of the list's entries, which all lists of a set share.
    package var kind: RegistrationFile.Kind {
        switch self {
        case .file, .inline: .token
        case .described(let file): file.kind
        case .set(let set): set.parts.first?.list.kind ?? .token
        }
    }
}
