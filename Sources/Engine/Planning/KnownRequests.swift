import CampaignModel
import RegistrationLists
import State
import Time

/// The stored requests that planning needs, read before the campaigns are planned.
struct KnownRequests: Sendable {
    /// The registrations that sends to lists skip, which are dead or opted out.
    let dead: DeadRegistrations
    /// What messages of devices changed.
    let upstream: UpstreamStanding
    /// The open requests of each list whose sending was interrupted, by their units.
    let unsent: [UnitID: Result<UnsentRequests, PlanningError>]
    /// The stored lists of due campaigns, in a plan from the state alone.
    let stored: [SendPart: Result<StoredRequests, PlanningError>]
    /// The time zones of the recipients of campaigns that quiet hours hold by them, or that follow
    /// them.
    let recipients: [CampaignID: RecipientZones]
    /// When the revisions of campaigns were raised whose time had passed.
    let raised: [CampaignID: Instant]
    /// The rows in the zones of campaigns that follow them; empty in a plan from the state alone.
    let parts: [CampaignID: ZoneParts]

    static let none = KnownRequests(
        dead: .none,
        upstream: .none,
        unsent: [:],
        stored: [:],
        recipients: [:],
        raised: [:],
        parts: [:]
    )
}

/// The requests of a list send that are not sent yet.
struct UnsentRequests: Sendable {
    let living: [Fingerprint]
    /// The numbers of those whose registrations are dead.
    let dead: [Int]
    /// The numbers of those whose people are held out.
    let heldOut: [Int]
    /// The texts of the living; nil if all have the campaign's own.
    let texts: RequestTexts?
    /// Nil without a rollout.
    let stages: [PlannedRollout.Stage]?
    /// How the campaign's current list differs from the stored one; nil if there is nothing to
    /// report, or if there is no current list that can be read.
    let edited: EditedList?
}

extension Planner {
    /// Reads the stored requests that planning needs.
    func knownRequests(_ stored: AppliedState) async throws(PlanningError) -> KnownRequests {
        let upstream = try await reading { () async throws(StateStoreError) in
            try await store.upstreamStanding(of: [])
        }.applying(pending)
        let recorded = try await reading { () async throws(StateStoreError) in
            stored.deadCount > 0
                ? try await store.deadRegistrations() : DeadRegistrations.none
        }
        let dead = recorded.union(upstream.optedOut)
        let parts = zoneParts()
        return KnownRequests(
            dead: dead,
            upstream: upstream,
            unsent: await unsentRequests(in: stored, known: dead),
            stored: isFromState ? await storedRequests(in: stored, known: dead) : [:],
            recipients: recipientZones(in: stored, parts: parts),
            raised: raisedRevisions(in: stored),
            parts: parts
        )
    }

    /// Returns the open requests of the planned campaigns' interrupted sends.
    ///
    /// They are read first, because campaigns are planned on all cores and none of them waits for
    /// the state.
    private func unsentRequests(
        in stored: AppliedState,
        known: DeadRegistrations
    ) async -> [UnitID: Result<UnsentRequests, PlanningError>] {
        let open = stored.occurrences.values.filter {
            $0.status == .dispatching && !busy.contains(SendPart(of: $0.id))
        }
        guard !open.isEmpty else { return [:] }
        let campaigns = plannedCampaigns
        var unsent: [UnitID: Result<UnsentRequests, PlanningError>] = [:]
        for record in open {
            guard let campaign = campaigns[record.id.campaign], let unit = record.unit,
                case .registrations(let list) = unit.target
            else { continue }
            do throws(PlanningError) {
                unsent[unit.id] = .success(
                    try await unsentRequests(
                        of: unit,
                        in: list,
                        rollout: record.rollout?.rollout,
                        current: currentList(of: campaign),
                        known: known
                    )
                )
            } catch {
                unsent[unit.id] = .failure(error)
            }
        }
        return unsent
    }

    /// The planned campaigns, by their names in the state.
    var plannedCampaigns: [CampaignID: Campaign] {
        var campaigns: [CampaignID: Campaign] = [:]
        for campaign in project.campaigns where includes(campaign) {
            campaigns[campaign.id] = campaign
            if let name = campaign.formerID { campaigns[name] = campaign }
        }
        return campaigns
    }

    /// Returns the content of the campaign's list; nil if it has none that can be read.
    ///
    /// A list that is read when its send begins is not compared: a later reading is for a later
    /// send. Nor is a part of a list.
    private func currentList(of campaign: Campaign) -> ListSurvey? {
        guard campaign.division == .shared, case .registrations(let list) = campaign.target,
            !list.isReadAtSend
        else { return nil }
        return try? surveys[list]?.get()
    }

    /// Returns requests that were not released, or that were released but are known not to have
    /// been sent.
    ///
    /// The next run that takes the lock records the same requests as returned.
    ///
    /// `current`: the current content of the campaign's list.
    private func unsentRequests(
        of unit: WorkUnitRecord,
        in list: ListID,
        rollout: Rollout?,
        current: ListSurvey?,
        known: DeadRegistrations
    ) async throws(PlanningError) -> UnsentRequests {
        let unwritten = try await unwritten(in: unit)
        var comparison = current.flatMap { ListComparison(of: list, with: $0) }
        var living: [Fingerprint] = []
        var dead: [Int] = []
        var heldOut: [Int] = []
        let shape = try await reading { () async throws(StateStoreError) in
            try await store.shape(of: list)
        }
        var texts = StoredTexts(of: shape.columns)
        var places = StoredPlaces(of: shape.columns, for: rollout)
        var first = 0
        while first < unit.count {
            let range = first..<min(first + 4_096, unit.count)
            let outcomes = try await reading { () async throws(StateStoreError) in
                try await store.outcomes(of: unit.id, in: range)
            }
            let needsValues = texts != nil || places != nil
            let rows = try await rows(of: list, in: range, withValues: needsValues)
            for (offset, row) in rows.enumerated() {
                let number = range.lowerBound + offset
                let isUnsent =
                    unit.maySend(number, outcome: outcomes[offset]) || unwritten.contains(number)
                guard isUnsent || comparison != nil || places != nil else { continue }
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                let key = row.values.last ?? ""
                let isHeldOut = isUnsent && (texts?.isHeldOut(key) ?? false)
                let isDead = isUnsent && !isHeldOut && known.contains(fingerprint)
                if isHeldOut { heldOut.append(number) }
                if isDead { dead.append(number) }
                let isAddressed = isUnsent && !isDead && !isHeldOut
                if isAddressed {
                    living.append(fingerprint)
                    texts?.add(key)
                }
                places?.add(row, isAddressed: isAddressed)
                comparison?.add(fingerprint, isAddressed: isAddressed)
            }
            first = range.upperBound
        }
        return UnsentRequests(
            living: living,
            dead: dead,
            heldOut: heldOut,
            texts: texts?.texts,
            stages: places?.counter.stages,
            edited: comparison?.edited(remaining: living.count)
        )
    }

    func rows(
        of list: ListID,
        in range: Range<Int>,
        withValues: Bool
    ) async throws(PlanningError) -> [RegistrationRow] {
        try await reading { () async throws(StateStoreError) in
            let (first, count) = (range.lowerBound, range.count)
            if withValues { return try await store.rows(of: list, from: first, count: count) }
            return try await store.registrations(of: list, from: first, count: count)
                .map { RegistrationRow($0) }
        }
    }

    /// Returns the released requests that a killed process did not send.
    private func unwritten(in unit: WorkUnitRecord) async throws(PlanningError) -> Set<Int> {
        guard let interrupted else { return [] }
        return try await reading { () async throws(StateStoreError) in
            try await interrupted.unsent(of: unit)
        }
    }

    /// Returns how the list of an interrupted send was edited; nil if nothing needs to be reported.
    func editedList(of unit: WorkUnitRecord?) -> EditedList? {
        guard let unit, case .success(let unsent)? = known.unsent[unit.id] else { return nil }
        return unsent.edited
    }
}
