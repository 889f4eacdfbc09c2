package import CampaignModel
import Diagnostics
import Text
import FCMWire
import JSON
import YAMLSyntax

/// A `removed:` document as written.
///
/// It specifies what happens to the members of a removed audience.
package struct RemovedDeclaration: Sendable {
    package var removed: Spanned<RemovedAudience>?

    package init() {}

    package static let reader = MappingReader<RemovedDeclaration>(
        "a removal",
        [
            .required(
                "removed",
                \.removed,
                .mapping(RemovedAudience.reader, from: .init()),
                "An audience whose document, or whose `subscribe`, was taken away."
            )
        ]
    )
}

/// The content of `removed:`.
package struct RemovedAudience: Sendable {
    package var audience: Spanned<AudienceID>?
    package var members: Spanned<AudienceRemoval.Members>?

    package static let reader = MappingReader<RemovedAudience>(
        "`removed`",
        [
            .required(
                "audience",
                \.audience,
                .identifier(),
                "The name that the audience had.",
                examples: ["beta-anglers"]
            ),
            .required(
                "members",
                \.members,
                .choice,
                "`unsubscribe` takes out of the topics whom Herald joined, `forget` leaves "
                    + "everybody there and no longer keeps count."
            ),
        ]
    )
}
