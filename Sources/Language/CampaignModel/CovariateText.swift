/// The text of a number from before an experiment.
package enum CovariateText {
    /// Returns the number; nil if the text is none.
    ///
    /// Infinite numbers and hexadecimal spellings are none.
    package static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy(isOfNumber), let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
