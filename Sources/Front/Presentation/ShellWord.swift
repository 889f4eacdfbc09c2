import CampaignModel

extension String {
    /// As a shell takes it for one word.
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
