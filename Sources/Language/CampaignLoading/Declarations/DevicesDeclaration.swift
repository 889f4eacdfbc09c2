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
        [
            .required(
                "devices",
                \.devices,
                .identifier(),
                "The group's name.",
                examples: ["harbour"]
            ),
            .optional("about", \.about, .text, "One-sentence description of the group."),
            .required(
                "phones",
                \.phones,
                .list(of: .mapping(PhoneDeclaration.reader, from: PhoneDeclaration())),
                "The emulator's virtual phones and browsers."
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
        [
            .required(
                "name",
                \.name,
                .identifier(),
                "Device name, as inboxes show it.",
                examples: ["ana-pixel"]
            ),
            .required("platform", \.platform, .choice, "Platform of the device."),
            .required(
                "registration",
                \.registration,
                .registration,
                "Registration token: any text without spaces."
            ),
            .optional(
                "online",
                \.online,
                .flag,
                "Whether the device is online (default: true)."
            ),
            .optional(
                "foreground",
                \.foreground,
                .flag,
                "Whether the app is in the foreground (default: false)."
            ),
            .optional(
                "doze",
                \.doze,
                .flag,
                "Whether the device dozes, so only urgent messages wake it. Android only."
            ),
            .optional(
                "force_stopped",
                \.forceStopped,
                .flag,
                "Whether the user force-stopped the app. Android only."
            ),
            .optional(
                "topics",
                \.topics,
                .list(of: .topic),
                "Topics that the app itself subscribed to.",
                examples: [["tides"]]
            ),
        ],
        notBuilt: ["installed", "background"]
    )
}
