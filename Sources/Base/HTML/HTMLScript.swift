import Crypto
import FoundationEssentials

/// A script of the program, written into a page.
///
/// The page's policy allows it by its hash, so no other script runs.
package struct HTMLScript: Sendable {
    let source: String

    /// `source` is a constant of the program; it cannot contain untrusted text.
    package init(_ source: StaticString) {
        self.source = source.description
        precondition(!self.source.contains("</"), "a script that ends its element")
    }

    /// The source in a policy (Content Security Policy Level 3, section 2.3.1, hash-source).
    var policySource: String {
        "'sha256-\(Data(SHA256.hash(data: Data(source.utf8))).base64EncodedString())'"
    }
}
