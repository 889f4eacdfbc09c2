/// By which of FCM's APIs registrations join and leave topics.
package enum MembershipTransport: String, Hashable, Sendable, CaseIterable {
    /// The Instance ID API: up to 1,000 registration tokens a request.
    case batch
    /// The v1 API's topic subscriptions: one registration or installation id a request.
    case perRegistration = "per_registration"
}

/// What an audience says of the transport.
package enum MembershipTransportChoice: String, Hashable, Sendable, CaseIterable {
    /// Batches for tokens until FCM answers that they are not served.
    case auto
    case batch
    case perRegistration = "per_registration"
}

extension Audience {
    /// Installation ids can't be in a batch.
    package var membershipTransport: MembershipTransportChoice {
        list.kind == .fid ? .perRegistration : transport
    }
}

extension RegistrationList {
    /// What it holds.
    package var kind: RegistrationFile.Kind {
        if case .described(let file) = self { file.kind } else { .token }
    }
}
