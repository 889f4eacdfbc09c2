package import CampaignModel
import Diagnostics
import JSON
import Text
import YAMLSyntax

/// A `removed:` document as written.
///
/// It specifies what happens to the members of a removed audience.
package struct RemovedDeclaration: Sendable {
    package var removed: Spanned<RemovedAudience>?
    package var acknowledge: Spanned<ChangeDeclaration>?

    package init() {}

    package static let reader = MappingReader<RemovedDeclaration>(
        "a removal",
        fields: [
            .required(
                "removed",
                at: \.removed,
                as: .mapping(RemovedAudience.reader, from: .init()),
                about: "An audience whose document or `subscribe` was deleted."
            ),
            .optional(
                "acknowledge",
                at: \.acknowledge,
                as: .mapping(ChangeDeclaration.reader, from: .init()),
                about: "A number of leaves that may exceed `max_change`, with the reason."
            ),
        ]
    )
}

/// The content of `removed:`.
package struct RemovedAudience: Sendable {
    package var audience: Spanned<AudienceID>?
    package var members: Spanned<AudienceRemoval.Members>?

    package static let reader = MappingReader<RemovedAudience>(
        "`removed`",
        fields: [
            .required(
                "audience",
                at: \.audience,
                as: .identifier(),
                about: "Name of the removed audience.",
                examples: ["beta-anglers"]
            ),
            .required(
                "members",
                at: \.members,
                as: .choice,
                about:
                    "`unsubscribe` removes the members that Herald joined. `forget` leaves all members "
                    + "subscribed and stops tracking them."
            ),
        ]
    )
}
