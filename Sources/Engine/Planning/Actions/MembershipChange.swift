package import CampaignModel
package import RegistrationLists
package import State

/// The joins and leaves of one audience in one topic.
package struct MembershipChange: Hashable, Sendable {
    package let scope: MembershipScope
    /// Nil if the audience was removed; it then has no joins.
    package let list: RegistrationList?
    /// In the order of the list, in which they are requested.
    ///
    /// Members that are already in the topic according to FCM are recorded without a request.
    package let joins: [Fingerprint]
    /// Whether opted-out members are joined again.
    package let rejoins: Bool
    /// Sorted.
    ///
    /// They leave the topic, because no other audience wants them there.
    package let leaves: [Fingerprint]
    /// Number of leaves that messages of the registrations caused.
    package let leftUpstream: Int
    /// Sorted.
    ///
    /// They stop being this audience's members without a request. Another audience keeps them in
    /// the topic, they are external or opted out, or FCM had refused them.
    package let forgotten: [Fingerprint]
    /// Sorted.
    ///
    /// They become this audience's members without a request, with the status that another audience
    /// recorded: external or opted out.
    package let noted: [Fingerprint]
    /// Number of managed members that stay in the topic without a request.
    package let staying: Int
    /// The desired membership.
    package let aim: MembershipGoal
    /// How the change is requested; the plan is the same either way.
    package let transport: MembershipTransportChoice
    /// How the list is formed, if it is a set.
    package let composition: ListComposition?

    init(
        scope: MembershipScope,
        list: RegistrationList?,
        joins: [Fingerprint],
        rejoins: Bool = false,
        leaves: [Fingerprint],
        leftUpstream: Int = 0,
        forgotten: [Fingerprint],
        noted: [Fingerprint] = [],
        staying: Int = 0,
        aim: MembershipGoal = .nobody,
        transport: MembershipTransportChoice = .auto,
        composition: ListComposition? = nil
    ) {
        self.scope = scope
        self.list = list
        self.joins = joins
        self.rejoins = rejoins
        self.leaves = leaves
        self.leftUpstream = leftUpstream
        self.forgotten = forgotten
        self.noted = noted
        self.staying = staying
        self.aim = aim
        self.transport = transport
        self.composition = composition
    }

    var isEmpty: Bool {
        joins.isEmpty && leaves.isEmpty && forgotten.isEmpty && noted.isEmpty
    }
}
