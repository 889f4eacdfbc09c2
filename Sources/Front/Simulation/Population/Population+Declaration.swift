package import CampaignLoading
import CampaignModel
import DeliveryModel

extension Population {
    /// Creates a population from a declaration, with defaults for undeclared values.
    package init(_ declaration: PopulationDeclaration) {
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
