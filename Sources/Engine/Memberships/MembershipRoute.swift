package import CampaignModel
import FCMWire

/// The transport of one membership change or reading.
package struct MembershipRoute: Hashable, Sendable {
    package private(set) var transport: MembershipTransport
    /// Whether the route may switch from batches to single requests.
    private let isFree: Bool
    /// FCM's answer to the abandoned batch, until an answer to the other transport shows that it
    /// works.
    private var reason: String?

    /// `remembered`: the transport in the state; it applies to the choice `auto`.
    package init(_ choice: MembershipTransportChoice, remembered: MembershipTransport?) {
        switch choice {
        case .auto: transport = remembered ?? .batch
        case .batch: transport = .batch
        case .perRegistration: transport = .perRegistration
        }
        isFree = choice == .auto
    }

    /// Number of members per request.
    var requestSize: Int { transport == .batch ? InstanceIDBatch.maximumRegistrations : 1 }

    /// Whether an Instance ID API answer with this status means that single requests should be
    /// tried.
    func isLeft(after status: Int) -> Bool {
        isFree && transport == .batch && InstanceIDAbsence.isMeant(by: status)
    }

    /// Returns false if the batch transport was already abandoned.
    mutating func leave(because reason: String) -> Bool {
        guard transport == .batch else { return false }
        transport = .perRegistration
        self.reason = reason
        return true
    }

    /// Records a conclusive answer; returns true if the state should remember the transport.
    mutating func works() -> Bool {
        defer { reason = nil }
        return reason != nil
    }
}
