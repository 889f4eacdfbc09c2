/// The maximum length of the contents of a compressed file.
struct DecompressionLimit: CustomStringConvertible {
    /// In bytes.
    let length: Int
    /// Such as "more than 64 GiB".
    let description: String

    /// The maximum ratio of the contents to the compressed file.
    private static let ratio = 1_000
    /// Contents of this length are accepted at any ratio: 1 MiB.
    private static let harmlessLength = 1 << 20
    /// 64 GiB.
    private static let maximumLength = 64 << 30

    /// `size`: the size of the compressed file in bytes.
    init(forFileOfSize size: Int) {
        let length = size.multipliedReportingOverflow(by: Self.ratio)
        guard !length.overflow, length.partialValue < Self.maximumLength else {
            self.length = Self.maximumLength
            description = "more than 64 GiB"
            return
        }
        self.length = max(length.partialValue, Self.harmlessLength)
        description = "more than 1,000 times the size of the compressed file"
    }
}
