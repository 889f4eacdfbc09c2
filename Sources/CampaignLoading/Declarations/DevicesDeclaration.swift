package import CampaignModel
import Diagnostics
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
            .required("devices", \.devices, .identifier()),
            .optional("about", \.about, .text),
            .required(
                "phones",
                \.phones,
                .list(of: .mapping(PhoneDeclaration.reader, from: PhoneDeclaration()))
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
    package var topics: Spanned<[Spanned<Topic>]>?

    package static let reader = MappingReader<PhoneDeclaration>(
        "a device",
        [
            .required("name", \.name, .identifier()),
            .required("platform", \.platform, .choice),
            .required("registration", \.registration, .registration),
            .optional("online", \.online, .flag),
            .optional("foreground", \.foreground, .flag),
            .optional("topics", \.topics, .list(of: .topic)),
        ],
        notBuilt: ["doze", "installed", "background"]
    )
}
