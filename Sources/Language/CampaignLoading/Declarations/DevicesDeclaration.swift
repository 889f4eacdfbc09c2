package import CampaignModel
import Diagnostics
import JSON
import Text
import YAMLSyntax

/// A `devices:` document as written: the emulator's virtual phones and browsers.
package struct DevicesDeclaration: Sendable {
    package var devices: Spanned<Identifier<DevicesDeclaration>>?
    package var about: Spanned<String>?
    package var phones: Spanned<[Spanned<PhoneDeclaration>]>?

    package init() {}

    package static let reader = MappingReader<DevicesDeclaration>(
        "a group of devices",
        fields: [
            .required(
                "devices",
                at: \.devices,
                as: .identifier(),
                about: "The group's name.",
                examples: ["harbour"]
            ),
            .optional(
                "about",
                at: \.about,
                as: .text,
                about: "One-sentence description of the group."
            ),
            .required(
                "phones",
                at: \.phones,
                as: .list(of: .mapping(PhoneDeclaration.reader, from: PhoneDeclaration())),
                about: "The emulator's virtual phones and browsers."
            ),
        ]
    )
}

package struct PhoneDeclaration: Sendable {
    package var name: Spanned<Identifier<PhoneDeclaration>>?
    package var platform: Spanned<Platform>?
    package var registration: Spanned<Registration>?
    package var online: Spanned<Bool>?
    package var foreground: Spanned<Bool>?
    package var doze: Spanned<Bool>?
    package var forceStopped: Spanned<Bool>?
    package var topics: Spanned<[Spanned<Topic>]>?

    package static let reader = MappingReader<PhoneDeclaration>(
        "a device",
        fields: [
            .required(
                "name",
                at: \.name,
                as: .identifier(),
                about: "Device name, as inboxes show it.",
                examples: ["ana-pixel"]
            ),
            .required("platform", at: \.platform, as: .choice, about: "Platform of the device."),
            .required(
                "registration",
                at: \.registration,
                as: .registration,
                about: "Registration token: any text without spaces."
            ),
            .optional(
                "online",
                at: \.online,
                as: .flag,
                about: "Whether the device is online (default: true)."
            ),
            .optional(
                "foreground",
                at: \.foreground,
                as: .flag,
                about: "Whether the app is in the foreground (default: false)."
            ),
            .optional(
                "doze",
                at: \.doze,
                as: .flag,
                about: "Whether the device dozes, so only urgent messages wake it. Android only."
            ),
            .optional(
                "force_stopped",
                at: \.forceStopped,
                as: .flag,
                about: "Whether the user force-stopped the app. Android only."
            ),
            .optional(
                "topics",
                at: \.topics,
                as: .list(of: .topic),
                about: "Topics that the app itself subscribed to.",
                examples: [["tides"]]
            ),
        ],
        notBuilt: ["installed", "background"]
    )
}
