import CampaignModel
import FoundationEssentials

/// Registrations packed into one value: text with one per line, at most 1,000.
enum RegistrationChunk {
    static let size = 1_000

    private static let separator = UInt8(ascii: "\n")

    static func split(_ registrations: ArraySlice<Registration>) -> [ArraySlice<Registration>] {
        stride(from: registrations.startIndex, to: registrations.endIndex, by: size).map {
            registrations[$0..<min($0 + size, registrations.endIndex)]
        }
    }

    static func pack(_ registrations: ArraySlice<Registration>) -> Data {
        var data = Data()
        for registration in registrations {
            data.append(contentsOf: registration.token.utf8)
            data.append(separator)
        }
        return data
    }

    /// Returns the lines in a range, which may exceed both ends; nil if a line is not a
    /// registration.
    static func unpack(_ data: Data, range: Range<Int>) -> [Registration]? {
        data.withUnsafeBytes { unpack($0.bindMemory(to: UInt8.self), range: range) }
    }

    private static func unpack(
        _ bytes: UnsafeBufferPointer<UInt8>,
        range: Range<Int>
    ) -> [Registration]? {
        var registrations: [Registration] = []
        var (line, start) = (0, 0)
        while line < range.upperBound, let end = bytes[start...].firstIndex(of: separator) {
            if line >= range.lowerBound {
                let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
                guard let registration = Registration(utf8: text) else { return nil }
                registrations.append(registration)
            }
            (line, start) = (line + 1, end + 1)
        }
        return registrations
    }
}
