package import CampaignModel
import JSON
import Planning
package import RegistrationLists

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

/// The arms of a campaign's experiment.
package struct PreviewArms: Sendable {
    /// The arm that is shown; nil for the campaign's own message.
    let shown: PreviewArm?
    let variants: [Identifier<Variant>]
    /// The registrations of each arm; empty without an experiment, and if they are known only when sent.
    let counts: [PlannedText]

    package static let none = PreviewArms()

    private init() {
        (shown, variants, counts) = (nil, [], [])
    }

    /// `campaign`: as the files declare it, with its variants.
    package init(
        of campaign: Campaign,
        in project: Project,
        surveys: ListSurveys,
        shown: PreviewArm?
    ) {
        self.shown = shown
        variants = campaign.variants.map(\.id)
        let texts = PlannedText.all(of: campaign, in: project, surveys: surveys)
        let isExperiment = texts.contains { $0.key.isVariant || $0.key == .heldOut }
        counts = isExperiment ? texts : []
    }

    var sentences: [String] { TextWording.arms(counts) }

    /// An object for each variant and for the registrations that are held out; nil without an experiment.
    var json: JSONValue? {
        guard counts.isEmpty else { return .array(counts.map(Self.json)) }
        guard !variants.isEmpty else { return nil }
        return .array(variants.map { .object(["variant": .string($0.rawValue)]) })
    }

    private static func json(_ text: PlannedText) -> JSONValue {
        var object: JSONObject = [:]
        switch text.key {
        case .variant(let id): object["variant"] = .string(id.rawValue)
        case .heldOut: object["held_out"] = true
        case .own, .locale: break
        }
        object["count"] = .integer(Int64(text.count))
        return .object(object)
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
