package import CampaignModel
package import State

/// A remark for the reviewer.
package enum PlanNotice: Hashable, Sendable {
    /// The author set a platform's field directly, so `delivery` does not apply there.
    case authorWins(CampaignID, field: String)
    /// `priority: high` became 5 on Apple platforms, because nothing is displayed.
    case dataPriorityOnApple(CampaignID)
    /// These platforms receive no part of the message.
    case leavesOut(CampaignID, [Platform])
    /// The local time does not exist on that day; the due time is after the gap.
    case skippedLocalTime(CampaignID, ScheduledMoment, gapSeconds: Int)
    /// The local time exists twice on that day; the due time is the first.
    case doubledLocalTime(CampaignID, ScheduledMoment)
    /// The campaign's old name is unknown, so the campaign starts without a history.
    case unknownFormerName(CampaignID, CampaignID)
    /// Number of dead registrations in the campaign's list; nothing is sent to them.
    case deadRegistrations(CampaignID, count: Int, of: Int)
    /// Number of registrations in the campaign's list that opted out; nothing is sent to them.
    case optedOutRegistrations(CampaignID, count: Int, of: Int)
    /// Number of dead registrations in the audience's list; they are not joined.
    case deadMembers(MembershipScope, count: Int)
    /// FCM refused these members earlier; they are not joined again.
    case refusedMembers(MembershipScope, count: Int)
    /// These members were in the topic before Herald's first join; they stay there when they leave
    /// the list.
    case externalMembers(MembershipScope, count: Int)
    /// These members opted out of the topic; they are not joined again.
    case optedOutMembers(MembershipScope, count: Int)
    /// Number of members that leave because of messages that they sent; no audience joins them again.
    case leftUpstream(MembershipScope, count: Int)
    /// Number of registrations that get the reply of an upstream rule from the next run.
    case replies(CampaignID, count: Int)
    /// FCM rejected the leaves of these members; sends to the topic wait until it accepts them.
    case openLeaves(MembershipScope, count: Int)
    /// No membership of the topic is recorded: the first join creates it at FCM, and then any app
    /// can subscribe to it.
    case createsTopic(MembershipScope)
    /// Number of members that leave; their app subscribes again at its next start if it still
    /// requests the topic.
    case mayReturn(MembershipScope, count: Int)
    /// Number of registrations that several of these topics address. FCM sends each one message,
    /// but two have been reported.
    case mayReceiveTwice(CampaignID, [Topic], count: Int)
    /// The audience that a `removed:` document names has no members left.
    case removalIsDone(AudienceID)
    /// The longest wait of the send until joins to its topics have settled.
    case settles(OccurrenceID, seconds: Int64)
    /// The estimated wait of the send until earlier fan-outs end.
    case waitsForFanOut(OccurrenceID, seconds: Int64)
    /// The reach of the send is unknown, so later fan-outs do not wait for it.
    case fanOutOfUnknownReach(OccurrenceID)
    /// The interrupted send continues with its stored list, and the campaign's list has changed.
    case editedList(OccurrenceID, EditedList)
    /// Number of requests with an unknown outcome; they are not repeated.
    case unknownOutcomes(OccurrenceID, count: Int)
    /// Quiet hours move or interrupt the send.
    case quietHours(OccurrenceID, QuietEffect)
    /// Number of people who are probably over the frequency cap, of those that the send addresses;
    /// they are left out.
    case capped(OccurrenceID, people: Int, of: Int)
    /// The frequency cap does not apply to the campaign.
    case exemptFromCap(CampaignID, reason: String)
    /// The send to a topic, condition or group counts for these known members. It cannot be capped.
    case countedFanOut(OccurrenceID, members: Int)
    /// The send is divided into stages.
    case rollout(OccurrenceID, PlannedRollout)
    /// The source was not read, so these campaigns and audiences are not planned.
    case unreadSource(UnreadSource)
    /// The plan needs signed approvals, or changes those that later plans need.
    case approvals(PlannedApprovals)
}

/// What quiet hours do to a send.
package struct QuietEffect: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It is due in quiet hours, so it waits until they end.
        case moved
        /// FCM would need until quiet hours for the fan-out, so it waits until they end.
        case fanOut = "fan-out"
        /// They began before it was sent, and it was not late yet, so it waits until they end.
        case overtaken
        /// They probably begin before all messages are sent; the rest waits until they end.
        case interrupted
        /// The rest of a send in progress waits until they end.
        case rest
        /// It is over before they end, so it is not sent.
        case expires
        /// Some recipients wait when it begins, because it is night in their time zones.
        case zones
    }

    /// The recipients in a time zone who wait.
    package struct Zone: Hashable, Sendable {
        /// An IANA name; that of the campaign for recipients without one.
        package let name: String
        /// When they get the message.
        package let until: ScheduledMoment
        /// Number of their messages; nil if it is unknown.
        package let count: Int?

        package init(name: String, until: ScheduledMoment, count: Int?) {
            self.name = name
            self.until = until
            self.count = count
        }
    }

    package let kind: Kind
    /// The due time without quiet hours; nil if it does not move.
    package let due: ScheduledMoment?
    /// When the send begins or resumes.
    package let until: ScheduledMoment
    /// Number of messages that wait; nil for a fan-out, or if it is unknown.
    package let count: Int?
    /// The time zones whose recipients wait, by the end of their wait; empty for other effects.
    package let zones: [Zone]
    /// Number of messages that are not sent, because they would be late, over or replaced by the
    /// next slot at the end of quiet hours; 0 for other effects, or if it is unknown.
    package let leftOut: Int
    /// Whether FCM may deliver messages in the next quiet hours, to devices that are offline until
    /// then.
    package let mayArriveLater: Bool

    /// Whether the send waits until quiet hours end.
    var isDeferral: Bool {
        switch kind {
        case .moved, .fanOut, .overtaken, .rest: true
        case .interrupted, .expires, .zones: false
        }
    }

    /// Whether the send is in progress and waits.
    var isOfRest: Bool { due == nil && (kind == .rest || kind == .expires) }

    package init(
        _ kind: Kind,
        due: ScheduledMoment? = nil,
        until: ScheduledMoment,
        count: Int? = nil,
        zones: [Zone] = [],
        leftOut: Int = 0,
        mayArriveLater: Bool = false
    ) {
        self.kind = kind
        self.due = due
        self.until = until
        self.count = count
        self.zones = zones
        self.leftOut = leftOut
        self.mayArriveLater = mayArriveLater
    }
}
