import CampaignModel
import Text

extension String {
    /// The text quoted as one shell word.
    package var quotedForShell: String {
        let isPlain =
            !isEmpty && utf8.allSatisfy { "/._-+,:@%".utf8.contains($0) || $0.isASCIILetterOrDigit }
        return isPlain
            ? self
            : "'"
                + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
