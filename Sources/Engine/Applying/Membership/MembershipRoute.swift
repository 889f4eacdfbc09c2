import CampaignModel
import FCMWire

/// The transport that one change of memberships, or one reading of them, takes.
struct MembershipRoute: Hashable, Sendable {
    private(set) var transport: MembershipTransport
    /// Whether batches are given up where FCM answers that they are not served.
    private let isFree: Bool
    /// What FCM answered to the batch that was given up for the other transport, until an answer to
    /// that one shows that it works.
    private var reason: String?

    /// `remembered`: what the state says; it holds for who is free to choose.
    init(_ choice: MembershipTransportChoice, remembered: MembershipTransport?) {
        switch choice {
        case .auto: transport = remembered ?? .batch
        case .batch: transport = .batch
        case .perRegistration: transport = .perRegistration
        }
        isFree = choice == .auto
    }

    /// How many members one request takes.
    var requestSize: Int { transport == .batch ? InstanceIDBatch.maximumRegistrations : 1 }

    /// Whether an answer of the Instance ID API with this status means that one request for each
    /// registration is to be tried.
    func isLeft(after status: Int) -> Bool {
        isFree && transport == .batch && InstanceIDAbsence.isMeant(by: status)
    }

    /// False where it was left before.
    mutating func leave(because reason: String) -> Bool {
        guard transport == .batch else { return false }
        transport = .perRegistration
        self.reason = reason
        return true
    }

    /// Notes an answer that says something of a registration; true where from now on the state
    /// should remember the transport.
    mutating func works() -> Bool {
        defer { reason = nil }
        return reason != nil
    }
}
