import Text

/// The name of a campaign, an audience or an environment.
///
/// A name has 1 to 64 ASCII letters, digits, `-`, `_` and `.`, and begins with a letter or digit.
package struct Identifier<Entity>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: String

    package init?(_ text: String) {
        let isName =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy(Self.isNameByte)
        guard isName, let first = text.utf8.first, first.isASCIILetterOrDigit else { return nil }
        rawValue = text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: byte.isASCIILetterOrDigit
        }
    }

    package var description: String { rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

package typealias CampaignID = Identifier<Campaign>
package typealias AudienceID = Identifier<Audience>
package typealias EnvironmentID = Identifier<Environment>
package typealias ProjectID = Identifier<Project>
