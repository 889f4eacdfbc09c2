package import CampaignModel
import Diagnostics
import Text
import FCMWire
import JSON
import YAMLSyntax

/// A `removed:` document as written: what becomes of the members of an audience that is gone.
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

/// What stands under `removed:`.
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
