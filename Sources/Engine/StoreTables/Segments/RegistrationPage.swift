package import CampaignModel
package import FoundationEssentials
import State

/// Packed registrations in one value that fits on a page of the SQLite file, so that reading one of
/// them reads one page.
///
/// The format, the first half of the highest fingerprint, then the entries. The entries never move:
/// an erased one stays as two zero bytes.
package struct RegistrationPage {
    /// Differs from `StateVault.mark`.
    package static let format: UInt8 = 2
    /// A row of 4,061 bytes fits on a page of 4,096 (SQLite documentation, Database file format);
    /// the rest is for the row's other columns and for the encryption.
    package static let size = 4_012
    package static let maximumEntries = 255
    fileprivate static let headSize = 9
    /// Too few other bits of a fingerprint stay to identify a registration.
    private static let raisedBits: UInt64 = 1 << 56 - 1

    private let bytes: [UInt8]
    /// The start of each entry, and the end of the last one.
    private let bounds: [Int]

    /// Nil if the bytes are damaged.
    package init?(_ data: Data) {
        bytes = Array(data)
        guard bytes.count >= Self.headSize, bytes[0] == Self.format,
            let bounds = bytes.withUnsafeBytes({ Self.bounds(of: $0) })
        else { return nil }
        self.bounds = bounds
    }

    private static func bounds(of bytes: UnsafeRawBufferPointer) -> [Int]? {
        var bounds = [headSize]
        var start = headSize
        while start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let length = PackedRegistration.length(rest) else { return nil }
            start += length
            bounds.append(start)
        }
        return bounds
    }

    fileprivate static func head(highest: UInt64) -> [UInt8] {
        [format] + withUnsafeBytes(of: highest.bigEndian, Array.init)
    }

    package var count: Int { bounds.count - 1 }

    /// The first half of the highest fingerprint when the page was made; higher if registrations were erased.
    package var highest: UInt64 {
        bytes[1..<Self.headSize].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the packed registration in a slot; nil if there is none or it was erased.
    package func entry(_ slot: UInt8) -> ArraySlice<UInt8>? {
        guard Int(slot) < count else { return nil }
        let entry = bytes[bounds[Int(slot)]..<bounds[Int(slot) + 1]]
        return entry.elementsEqual(PackedRegistration.erased) ? nil : entry
    }

    /// Returns the registration in a slot; nil if there is none, or it was erased or is damaged.
    package func registration(_ slot: UInt8) -> Registration? {
        entry(slot)?.withUnsafeBytes { PackedRegistration.registration($0) }
    }

    /// Returns the page without the registrations in these slots; nil if none is left.
    ///
    /// The head may be of an erased one, so only its first bits stay; the others are raised.
    package func erasing(_ slots: Set<UInt8>) -> Data? {
        var data = Data(
            Self.head(highest: slots.isEmpty ? highest : highest | Self.raisedBits)
        )
        var isEmpty = true
        for slot in 0..<count {
            if let entry = entry(UInt8(slot)), !slots.contains(UInt8(slot)) {
                data.append(contentsOf: entry)
                isEmpty = false
            } else {
                data.append(contentsOf: PackedRegistration.erased)
            }
        }
        return isEmpty ? nil : data
    }
}

/// Fills a page with registrations in the order of their fingerprints.
package struct RegistrationPageBuilder {
    private var entries: [UInt8] = []
    private(set) var count = 0
    private var highest: UInt64 = 0

    package init() {
        entries.reserveCapacity(RegistrationPage.size)
    }

    /// Returns the slot of a packed registration; nil if the page is full.
    package mutating func add(_ entry: ArraySlice<UInt8>, of fingerprint: Fingerprint) -> UInt8? {
        let capacity = RegistrationPage.size - RegistrationPage.headSize
        let hasRoom = entries.count + entry.count <= capacity
        guard hasRoom && count < RegistrationPage.maximumEntries || count == 0 else { return nil }
        entries.append(contentsOf: entry)
        highest = max(highest, fingerprint.high)
        count += 1
        return UInt8(count - 1)
    }

    /// Returns the finished page and begins an empty one.
    package mutating func finish() -> Data {
        var data = Data(capacity: entries.count + RegistrationPage.headSize)
        data.append(contentsOf: RegistrationPage.head(highest: highest))
        data.append(contentsOf: entries)
        entries.removeAll(keepingCapacity: true)
        (count, highest) = (0, 0)
        return data
    }
}
