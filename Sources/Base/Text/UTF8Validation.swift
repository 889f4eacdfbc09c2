extension ArraySlice<UInt8> {
    /// The index of the first byte that is not part of a character in UTF-8; nil if there is none.
    package var firstInvalidUTF8: Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: span)
            return nil
        } catch {
            return startIndex + error.byteOffsets.lowerBound
        }
    }
}
