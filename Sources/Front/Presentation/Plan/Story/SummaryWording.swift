import CampaignModel
import Planning

/// Summarises the plan in a few sentences.
struct SummaryWording {
    /// The maximum number of campaigns to name.
    private static let maximumNames = 5

    private let plan: Plan
    private let mood: PlanMood
    private let counts: [CampaignCategory: Int]
    private let seconds: Int64

    /// Takes the number of changed campaigns, and the estimated duration of an apply.
    init(_ plan: Plan, mood: PlanMood, counts: [CampaignCategory: Int], seconds: Int64) {
        self.plan = plan
        self.mood = mood
        self.counts = counts
        self.seconds = seconds
    }

    var text: String {
        let changes = [MembershipCounts(plan.memberships).summary, campaigns].compactMap(\.self)
        let none = plan.unread.isEmpty ? "No changes." : "No known changes."
        var sentences = changes.isEmpty ? [none, upToDate] : []
        for (place, change) in changes.enumerated() {
            sentences.append((place == 0 ? head : "") + change + ".")
        }
        if let unread { sentences.append(unread) }
        if !changes.isEmpty { sentences += [requests, unchanged].compactMap(\.self) }
        if let elsewhere { sentences.append(elsewhere) }
        return sentences.joined(separator: " ")
    }

    private var head: String {
        switch mood {
        case .indicative: "Plan: "
        case .conditional: "Without the refusal: "
        }
    }

    /// For example, `1 campaign sent now`, `7 campaigns: 3 sent now, 4 moved`; nil if none changes.
    private var campaigns: String? {
        let parts = CampaignCategory.allCases.compactMap { category in
            counts[category].map { (count: $0, words: category.rawValue) }
        }
        guard let first = parts.first else { return nil }
        let total = parts.reduce(0) { $0 + $1.count }.counting("campaign")
        guard parts.count > 1 else { return "\(total) \(first.words)" }
        let list = parts.map { "\($0.count.grouped) \($0.words)" }.joined(separator: ", ")
        return "\(total): \(list)"
    }

    /// The duration is omitted if it is short; the duration of one request is that of its fan-out.
    private var requests: String? {
        let count = PlanSummary(plan).requests
        let unknown = plan.sends.count { $0.target.listAtSend != nil }
        let more = unknown.counting(
            "list that is read when sent",
            plural: "lists that are read when sent"
        )
        guard unknown == 0 || count > 0 else { return "Requests to \(more)." }
        guard unknown == 0 else { return "\(count.counting("request")), and those to \(more)." }
        guard count > 0 else { return nil }
        let time = count > 1 && seconds > 1 ? " in about \(EffortWording.wording(seconds))" : ""
        return "\(count.counting("request"))\(time)."
    }

    /// A campaign whose name alone changes has an entry, too.
    private var unchangedCampaigns: [CampaignID] {
        let changed = Set(plan.campaigns.lazy.filter { $0.step != .unchanged }.map(\.campaign))
        return plan.campaigns.filter { $0.step == .unchanged && !changed.contains($0.campaign) }
            .map(\.campaign)
    }

    private var upToDate: String {
        sentence(unchangedCampaigns, "campaign is up to date", "campaigns are up to date")
    }

    private var unchanged: String? {
        let campaigns = unchangedCampaigns
        return campaigns.isEmpty
            ? nil : sentence(campaigns, "campaign unchanged", "campaigns unchanged")
    }

    /// The campaigns that do not belong to the environment.
    private var elsewhere: String? {
        guard !plan.elsewhere.isEmpty else { return nil }
        let place = "not belong to \(plan.environment)"
        return sentence(plan.elsewhere, "campaign does \(place)", "campaigns do \(place)")
    }

    /// The campaigns and audiences without a plan, and the sources that were not read.
    private var unread: String? {
        guard !plan.unread.isEmpty else { return nil }
        let campaigns = Set(plan.unread.flatMap(\.campaigns)).count
        let audiences = Set(plan.unread.flatMap(\.audiences)).count
        let parts = [
            campaigns > 0 ? campaigns.counting("campaign") : nil,
            audiences > 0 ? audiences.counting("audience") : nil,
        ].compactMap(\.self)
        let names = plan.unread.map(\.source.rawValue)
        let count = names.count.counting("source was not read", plural: "sources were not read")
        return parts.joined(by: "and") + (campaigns + audiences == 1 ? " is" : " are")
            + " not planned, because \(count): \(names.named(upTo: Self.maximumNames))."
    }

    /// A count of campaigns, and the first names.
    private func sentence(
        _ campaigns: [CampaignID],
        _ singular: String,
        _ plural: String
    ) -> String {
        let names = campaigns.map(\.rawValue)
        let count = names.count.counting(singular, plural: plural)
        return names.isEmpty ? "\(count)." : "\(count): \(names.named(upTo: Self.maximumNames))."
    }
}

extension [String] {
    /// For example, `a, b and c`, or `a, b and 7 more`.
    func named(upTo limit: Int) -> String {
        guard count > limit else { return joined(by: "and") }
        let more = (count - limit).grouped
        return prefix(limit).joined(separator: ", ") + " and \(more) more"
    }
}
