package import CampaignModel

/// The arm of an experiment that a preview shows.
package struct PreviewArm: Sendable {
    let arm: ExperimentArm
    /// The variant; nil for other arms.
    let variant: Identifier<Variant>?
    /// The message of the variant; nil for other arms.
    package let content: MessageContent?
    /// Whether it is the arm of a row of the list.
    let isRows: Bool

    package init(_ arm: ExperimentArm, of campaign: Campaign, isRows: Bool) {
        self.arm = arm
        self.isRows = isRows
        if case .variant(let number) = arm, campaign.variants.indices.contains(number) {
            variant = campaign.variants[number].id
            content = campaign.variants[number].content
        } else {
            (variant, content) = (nil, nil)
        }
    }

    /// Names the arm; nil if it is the only one.
    var wording: String? {
        let place = isRows ? " of this row" : ""
        switch arm {
        case .variant: return variant.map { "variant \($0)\(place)" }
        case .heldOut: return "held out: this row gets nothing; the others get this message"
        case .heldOutGlobally:
            return
                "held out of the whole project: this row gets nothing; the others get this message"
        case .own: return nil
        }
    }
}

extension ErrorText {
    package static func unknownVariant(_ name: String, of campaign: Campaign) -> ErrorText {
        let known = campaign.variants.map { "`\($0.id)`" }.joined(separator: ", ")
        return ErrorText(
            "campaign \(campaign.id) has no variant `\(TextStyle.safe(name))`",
            help: known.isEmpty ? "it has no `variants`" : "its variants are \(known)"
        )
    }
}
