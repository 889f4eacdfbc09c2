import CampaignModel
import FoundationEssentials

/// Registrations packed into one value: as text, a line each, at most 1,000.
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

    /// The lines in a range, which may reach beyond both ends; nil where one is no registration.
    static func unpack(_ data: Data, _ range: Range<Int>) -> [Registration]? {
        var registrations: [Registration] = []
        var (line, start) = (0, data.startIndex)
        while line < range.upperBound, let end = data[start...].firstIndex(of: separator) {
            if line >= range.lowerBound {
                guard
                    let registration = Registration(
                        String(decoding: data[start..<end], as: UTF8.self)
                    )
                else { return nil }
                registrations.append(registration)
            }
            (line, start) = (line + 1, end + 1)
        }
        return registrations
    }
}
