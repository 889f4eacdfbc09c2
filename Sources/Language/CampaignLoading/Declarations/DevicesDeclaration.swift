package import CampaignModel
import Diagnostics
import Text
import FCMWire
import JSON
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
            .optional("about", \.about, .text, "What they are for, in a sentence."),
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
                "The device's name, as inboxes show it.",
                examples: ["ana-pixel"]
            ),
            .required("platform", \.platform, .choice, "What kind of device it is."),
            .required(
                "registration",
                \.registration,
                .registration,
                "Its registration token: any text without blanks."
            ),
            .optional(
                "online",
                \.online,
                .flag,
                "Whether it has a connection; true where nothing is said."
            ),
            .optional(
                "foreground",
                \.foreground,
                .flag,
                "Whether the app is open; false where nothing is said."
            ),
            .optional(
                "doze",
                \.doze,
                .flag,
                "Whether it sleeps, so that only urgent messages wake it; Android devices only."
            ),
            .optional(
                "force_stopped",
                \.forceStopped,
                .flag,
                "Whether its owner stopped the app by force; Android devices only."
            ),
            .optional(
                "topics",
                \.topics,
                .list(of: .topic),
                "What the app itself has subscribed to.",
                examples: [["tides"]]
            ),
        ],
        notBuilt: ["installed", "background"]
    )
}
