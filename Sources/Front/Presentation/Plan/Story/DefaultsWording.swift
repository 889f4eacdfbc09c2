import CampaignMessages
import CampaignModel

/// Describes the changes that several campaigns inherit from one value of the defaults.
struct DefaultsWording {
    /// The maximum number of campaigns to name.
    private static let maximumNames = 5
    /// The maximum length of shown values, in characters.
    private static let maximumLength = 100

    let places: InheritedPlaces

    private struct Change: Hashable {
        let phrase: String
        let before: String?
        let after: String?

        init(_ change: ChangeDescription) {
            phrase = change.phrase
            before = change.before
            after = change.after
        }
    }

    private struct Source: Hashable {
        let change: Change
        let place: InheritedPlaces.Place
    }

    /// `campaigns`: the changed campaigns, in the order of the plan.
    func notices(
        _ campaigns: [(campaign: Campaign, changes: [ChangeDescription])]
    ) -> [NoticeDescription] {
        var counts: [Change: Int] = [:]
        for change in campaigns.flatMap({ $0.changes }) { counts[Change(change), default: 0] += 1 }
        var order: [Source] = []
        var names: [Source: [String]] = [:]
        for (campaign, changes) in campaigns {
            for change in changes where counts[Change(change), default: 0] > 1 {
                guard let place = place(of: change, in: campaign) else { continue }
                let source = Source(change: Change(change), place: place)
                if names[source] == nil { order.append(source) }
                names[source, default: []].append(campaign.id.rawValue)
            }
        }
        return order.compactMap { source in
            guard let names = names[source], names.count > 1 else { return nil }
            return notice(source, names: names)
        }
    }

    /// Returns the place of the new value; nil if the campaign sets it.
    private func place(
        of change: ChangeDescription,
        in campaign: Campaign
    ) -> InheritedPlaces.Place? {
        for platform in change.platforms {
            let fields = EffectiveMessage(DeliveryLowering(campaign), on: platform).fields
            let field = fields.first { FieldName($0.path, on: platform).text == change.name }
            if let field { return places.place(of: field.origin, in: campaign.id) }
        }
        return nil
    }

    private func notice(_ source: Source, names: [String]) -> NoticeDescription {
        let change = source.change
        let values = [change.before.map { "from \($0)" }, change.after.map { "to \($0)" }]
            .compactMap(\.self).joined(separator: " ")
        let isShown = values.count <= Self.maximumLength && !values.contains("`")
        return NoticeDescription(
            subject: source.place.line,
            wording: "`\(source.place.key)` changes \(change.phrase)\(isShown ? " " + values : "") "
                + "in \(names.count.grouped) campaigns: \(names.named(upTo: Self.maximumNames))"
        )
    }
}
