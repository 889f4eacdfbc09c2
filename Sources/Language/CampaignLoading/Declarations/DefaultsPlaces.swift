package import CampaignModel
package import Diagnostics

/// The places of the defaults that are merged under campaigns.
package struct DefaultsPlaces: Sendable {
    private let file: SourceID?
    /// The defaults of the project and of environments, with their keys in `herald.yaml`.
    private let blocks: [(key: String, span: SourceSpan)]

    package init(_ declarations: Declarations) {
        let project = declarations.project
        file = project?.project?.span.source
        var blocks: [(key: String, span: SourceSpan)] = []
        if let common = project?.defaults { blocks.append(("defaults", common.span)) }
        for entry in project?.environments?.value ?? [] {
            guard let own = entry.content?.defaults else { continue }
            blocks.append(("environments.\(entry.name.value).defaults", own.span))
        }
        self.blocks = blocks
    }

    /// Returns the key of the defaults that contain a campaign's value; nil if the campaign
    /// contains it.
    ///
    /// A value that an alias inserts into defaults belongs to `defaults`.
    package func key(of span: SourceSpan) -> String? {
        guard span.source == file else { return nil }
        let block = blocks.first { $0.span.start <= span.start && span.end <= $0.span.end }
        return block?.key ?? "defaults"
    }
}

extension Declarations {
    /// The environments with their own lists or defaults, in which rules may find other problems.
    package var changingEnvironments: [Spanned<EnvironmentID>] {
        (project?.environments?.value ?? []).filter { entry in
            entry.content?.lists != nil || entry.content?.defaults != nil
        }.map(\.name)
    }
}
