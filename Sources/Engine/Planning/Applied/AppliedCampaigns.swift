package import CampaignModel
package import State
package import Time

/// The recorded campaigns that a run without the files may send, and those that it may not.
package struct AppliedCampaigns: Sendable {
    /// A campaign that is due and is not sent.
    package struct Refused: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// The environment requires reviewed plans, and the campaign's apply named none.
            case notReviewed
            /// The state does not contain the campaign, or not in a readable form.
            case notStored
            /// The state lost the list of the campaign.
            case noList
            /// The list is read when its send begins, and the run reads no lists.
            case listAtSend
            /// The list is read when its send begins, and is the output of a source, which only a
            /// run with the files reads.
            case sourceAtSend
        }

        package let campaign: CampaignID
        package let reason: Reason

        package init(campaign: CampaignID, reason: Reason) {
            self.campaign = campaign
            self.reason = reason
        }
    }

    /// By name.
    package let campaigns: [Campaign]
    /// The audiences of campaigns whose lists are read when their sends begin.
    package let audiences: [Audience]
    /// By name.
    package let refused: [Refused]
    /// When the next occurrence is due, after `now`; nil if none is scheduled.
    package let next: Instant?

    /// - Parameters:
    ///   - applied: The state.
    ///   - requiresReview: Whether only reviewed definitions are sent.
    ///   - lists: The lists that the run can send to.
    ///   - zones: The current rules of time zones.
    ///   - now: Refusals name only what is due by then.
    package init(
        of applied: AppliedState,
        requiresReview: Bool,
        lists: KnownLists,
        zones: TimeZoneDatabase,
        at now: Instant
    ) {
        let zones = zones.readingOnce()
        let open = Dictionary(
            grouping: applied.occurrences.values.filter(\.isOpen),
            by: \.id.campaign
        )
        var campaigns: [Campaign] = []
        var audiences: [Audience] = []
        var refused: [Refused] = []
        for (id, records) in open.sorted(by: { $0.key < $1.key }) {
            let definition = applied.definitions[id]
            let isDue = records.contains { $0.status == .dispatching || $0.due <= now }
            func refuse(_ reason: Refused.Reason) {
                if isDue { refused.append(Refused(campaign: id, reason: reason)) }
            }
            let campaign = definition.flatMap { AppliedCampaign.campaign(of: $0, zones: zones) }
            guard let campaign, let definition, let sending = definition.sending else {
                refuse(.notStored)
                continue
            }
            let hasScheduled = records.contains { $0.status == .scheduled }
            if requiresReview, !sending.isReviewed {
                refuse(.notReviewed)
            } else if hasScheduled, let reason = lists.refusal(of: campaign, sending: sending) {
                refuse(reason)
            } else {
                campaigns.append(campaign)
                if let audience = AppliedCampaign.audience(of: campaign, in: definition) {
                    audiences.append(audience)
                }
            }
        }
        self.campaigns = campaigns
        self.audiences = Dictionary(
            audiences.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        ).values.sorted { $0.id < $1.id }
        self.refused = refused
        next = applied.occurrences.values.filter { $0.status == .scheduled && $0.due > now }
            .map(\.due).min()
    }

    private init(_ other: AppliedCampaigns, campaigns: [Campaign]) {
        self.campaigns = campaigns
        audiences = other.audiences
        refused = other.refused
        next = other.next
    }

    /// The same without campaigns that are being sent; `next` still includes them.
    ///
    /// A campaign of which only a part is being sent stays.
    package func without(_ busy: Set<SendPart>) -> AppliedCampaigns {
        AppliedCampaigns(
            self,
            campaigns: campaigns.filter { !busy.contains(SendPart(campaign: $0.id)) }
        )
    }

    /// Covers exactly these campaigns, and no audience.
    package var selection: Selection {
        Selection(
            only: Selection.Part(campaigns: Set(campaigns.map(\.id))),
            except: Selection.Part()
        )
    }
}

/// The lists that a run without the files can send to.
package struct KnownLists: Sendable {
    /// Those that the state contains.
    let stored: Set<ListID>
    /// Whether lists can be read when their sends begin.
    let readsAtSend: Bool

    package init(stored: Set<ListID>, readsAtSend: Bool) {
        self.stored = stored
        self.readsAtSend = readsAtSend
    }

    /// Nil if a scheduled send of the campaign is possible.
    fileprivate func refusal(
        of campaign: Campaign,
        sending: StoredSending
    ) -> AppliedCampaigns.Refused.Reason? {
        guard case .registrations(let list) = campaign.target else { return nil }
        if list.isReadAtSend {
            if !list.sources.isEmpty { return .sourceAtSend }
            return readsAtSend ? nil : .listAtSend
        }
        return sending.list.map(stored.contains) ?? false ? nil : .noList
    }
}

extension AppliedState {
    /// The lists of recorded definitions.
    package var definedLists: Set<ListID> { Set(definitions.values.compactMap(\.sending?.list)) }
}
