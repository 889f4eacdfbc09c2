package import CampaignLoading
import CampaignModel
import DeliveryModel

extension Population {
    /// Creates a population from a declaration, with defaults for undeclared values.
    ///
    /// `offset`: the offset of a time zone from UTC in seconds; nil if the zone is unknown.
    package init(
        _ declaration: PopulationDeclaration,
        offset: (String) -> Int?
    ) throws(UnknownZone) {
        self.init(size: Int(declaration.size?.value ?? 1))
        if let shares = declaration.platforms?.value {
            platforms = Self.shares([
                .android: shares.android?.value, .apple: shares.apple?.value,
                .web: shares.web?.value,
            ])
        }
        if let shares = declaration.online?.value {
            habits = Self.shares([
                .always: shares.always?.value, .daytime: shares.daytime?.value,
                .nowAndThen: shares.nowAndThen?.value, .never: shares.never?.value,
            ])
        }
        dozing = declaration.dozing.map { Share($0.value) } ?? dozing
        uninstalling = declaration.uninstalling.map { Share($0.value) } ?? uninstalling
        for entry in declaration.topics?.value ?? [] {
            guard let share = entry.content, let name = TopicName(entry.name.value.name) else {
                continue
            }
            topics[name] = Share(share)
        }
        for entry in declaration.timezones?.value ?? [] {
            guard let share = entry.content else { continue }
            let name = entry.name.value
            guard let offset = offset(name) else { throw UnknownZone(name: name) }
            zones.append(Zone(name: name, offset: offset, share: Share(share)))
        }
    }

    /// A time zone that the system does not know.
    package struct UnknownZone: Error, Hashable, Sendable {
        package let name: String
    }

    private static func shares<Key>(_ written: [Key: Percentage?]) -> [Key: Share] {
        written.compactMapValues { $0.map { Share($0) } }
    }
}

extension Share {
    fileprivate init(_ percentage: Percentage) {
        self.init(basisPoints: percentage.basisPoints)
    }
}
