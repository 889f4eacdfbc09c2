import CampaignModel
import Diagnostics
import JSON

/// The content of `encrypt:` of a campaign.
package struct EncryptDeclaration: Sendable {
    package var placeholder: Spanned<PlaceholderDeclaration>?

    package static let reader = MappingReader<EncryptDeclaration>(
        "`encrypt`",
        fields: [
            .optional(
                "placeholder",
                at: \.placeholder,
                as: .mapping(PlaceholderDeclaration.reader, from: .init()),
                about:
                    "Readable notification that devices show until the app has decrypted the message. "
                    + "Required if the message has a `notification`.",
                examples: [["title": "New message", "body": "Open the app to read it."]]
            )
        ]
    )

    /// Returns the model; `project`: the name of the project.
    func resolved(in project: String) -> MessageEncryption {
        MessageEncryption(
            project: project,
            placeholder: placeholder.flatMap { placeholder in
                placeholder.value.title.map { title in
                    MessageEncryption.Placeholder(
                        title: title.value,
                        body: placeholder.value.body?.value
                    )
                }
            }
        )
    }
}

/// The content of `placeholder:`.
package struct PlaceholderDeclaration: Sendable {
    package var title: Spanned<String>?
    package var body: Spanned<String>?

    package static let reader = MappingReader<PlaceholderDeclaration>(
        "`placeholder`",
        fields: [
            .required(
                "title",
                at: \.title,
                as: .text,
                about: "Readable title, the same for all recipients.",
                examples: ["New message"]
            ),
            .optional(
                "body",
                at: \.body,
                as: .text,
                about: "Readable text, the same for all recipients.",
                examples: ["Open the app to read it."]
            ),
        ]
    )
}
