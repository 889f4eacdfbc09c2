package import CampaignModel
package import Diagnostics
import JSON
import YAMLSyntax

/// The file of an audience in one environment.
package struct EnvironmentList: Sendable {
    package let path: String
    package let span: SourceSpan
}

/// The campaigns that `only:` or `except:` of an environment selects, as written.
package struct CampaignSelectionDeclaration: Sendable {
    package var names: Spanned<[Spanned<CampaignID>]>?
    package var labels: Spanned<[NamedEntry<Identifier<Label>, String>]>?

    package static let reader = MappingReader<CampaignSelectionDeclaration>(
        "a selection of campaigns",
        fields: [
            .optional(
                "names",
                at: \.names,
                as: .list(of: .identifier()),
                about: "Names of campaigns.",
                examples: [["spring-tide-warning"]]
            ),
            .optional(
                "labels",
                at: \.labels,
                as: .labels,
                about: "Labels with their values. A campaign is selected if it has all of them.",
                examples: [["stage": "ready"]]
            ),
        ],
        oneOf: [["names", "labels"]]
    )
}

extension CampaignSelectionDeclaration {
    /// Whether a campaign has one of the names, or all of the labels.
    ///
    /// A selection without names or labels selects nothing.
    func selects(_ campaign: CampaignDeclaration) -> Bool {
        if let names { return names.value.contains { $0.value == campaign.campaign?.value } }
        let wanted = labels?.value ?? []
        let own = campaign.labels?.value ?? []
        return !wanted.isEmpty
            && wanted.allSatisfy { label in
                own.contains { $0.name.value == label.name.value && $0.content == label.content }
            }
    }
}

extension EnvironmentDeclaration {
    /// Whether a campaign belongs to the environment with this name.
    func includes(_ campaign: CampaignDeclaration, as id: EnvironmentID) -> Bool {
        if let named = campaign.environments, !named.value.contains(where: { $0.value == id }) {
            return false
        }
        if let only, !only.value.selects(campaign) { return false }
        return !(except?.value.selects(campaign) ?? false)
    }
}

extension ValueReader where Value == CampaignSelectionDeclaration {
    /// Reads a selection; a list contains names.
    static let campaignSelection = ValueReader(
        .either([
            ValueReader<[Spanned<CampaignID>]>.list(of: .identifier()).schema,
            .mapping(CampaignSelectionDeclaration.reader.schema),
        ])
    ) { node, log in
        var selection = CampaignSelectionDeclaration()
        if node.elements != nil {
            let names = ValueReader<[Spanned<CampaignID>]>.list(of: .identifier()).read(node, &log)
            selection.names = names.map { Spanned($0, at: node.span) }
            return selection
        }
        let reader = CampaignSelectionDeclaration.reader
        return reader.read(node, into: &selection, reportingTo: &log) ? selection : nil
    }
}
