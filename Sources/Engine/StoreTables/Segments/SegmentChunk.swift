package import CampaignModel
package import FoundationEssentials
package import State

/// Up to 1,024 consecutive records of a segment packed into one value.
///
/// The format, then 22 bytes per record, all numbers with the highest byte first: 16 of the
/// fingerprint, 1 of the content, 4 of the page and 1 of the slot.
package enum SegmentChunk {
    package static let size = 1_024
    /// Differs from `StateVault.mark`.
    private static let format: UInt8 = 2
    private static let recordSize = 22

    package static func encode(_ records: ArraySlice<MembershipRecord>) -> Data {
        var bytes = [UInt8](repeating: 0, count: 1 + records.count * recordSize)
        bytes[0] = format
        bytes.withUnsafeMutableBytes { bytes in
            var start = 1
            for record in records {
                let (fingerprint, place) = (record.fingerprint, record.place)
                bytes.storeBytes(
                    of: fingerprint.high.bigEndian,
                    toByteOffset: start,
                    as: UInt64.self
                )
                bytes.storeBytes(
                    of: fingerprint.low.bigEndian,
                    toByteOffset: start + 8,
                    as: UInt64.self
                )
                bytes[start + 16] = record.content.code
                bytes.storeBytes(
                    of: place.page.bigEndian,
                    toByteOffset: start + 17,
                    as: UInt32.self
                )
                bytes[start + 21] = place.slot
                start += recordSize
            }
        }
        return Data(bytes)
    }

    /// Appends the records between two fingerprints; returns false if the value is damaged.
    package static func decode(
        _ data: Data,
        from first: Fingerprint,
        through last: Fingerprint,
        into records: inout [MembershipRecord]
    ) -> Bool {
        data.withUnsafeBytes { bytes in
            let (count, rest) = (bytes.count - 1).quotientAndRemainder(dividingBy: recordSize)
            guard count > 0, rest == 0, bytes[0] == format else { return false }
            var (high, low) = (UInt64.min, UInt64.min)
            for start in stride(from: 1, to: bytes.count, by: recordSize) {
                let next = (high: number(bytes, at: start), low: number(bytes, at: start + 8))
                let isAscending = next.high == high ? next.low > low : next.high > high
                guard isAscending || start == 1,
                    let content = MembershipRecord.Content(code: bytes[start + 16])
                else { return false }
                (high, low) = next
                if high < first.high || high == first.high && low < first.low { continue }
                if high > last.high || high == last.high && low > last.low { continue }
                let page = bytes.loadUnaligned(fromByteOffset: start + 17, as: UInt32.self)
                records.append(
                    MembershipRecord(
                        fingerprint: Fingerprint(high: high, low: low),
                        content: content,
                        place: RegistrationPlace(
                            page: UInt32(bigEndian: page),
                            slot: bytes[start + 21]
                        )
                    )
                )
            }
            return true
        }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at start: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    /// The first and the last fingerprint; nil if the value is damaged.
    package static func bounds(_ data: Data) -> (first: Fingerprint, last: Fingerprint)? {
        data.withUnsafeBytes { bytes in
            guard bytes.count > recordSize, (bytes.count - 1) % recordSize == 0 else { return nil }
            return (fingerprint(bytes, at: 1), fingerprint(bytes, at: bytes.count - recordSize))
        }
    }

    private static func fingerprint(
        _ bytes: UnsafeRawBufferPointer,
        at start: Int
    ) -> Fingerprint {
        Fingerprint(high: number(bytes, at: start), low: number(bytes, at: start + 8))
    }

    package static func decode(_ data: Data) -> [MembershipRecord]? {
        var records: [MembershipRecord] = []
        let all = FingerprintPart.all
        return decode(data, from: all.first, through: all.last, into: &records) ? records : nil
    }
}

extension MembershipRecord.Content {
    /// The codes are stored: they never change.
    fileprivate var code: UInt8 {
        switch self {
        case .member(let status): status.rawValue
        case .status(let status): 0x10 | status.rawValue
        case .removed: 0x20
        }
    }

    fileprivate init?(code: UInt8) {
        switch code >> 4 {
        case 0:
            guard let status = MembershipStatus(rawValue: code & 0x0F) else { return nil }
            self = .member(status)
        case 1:
            guard let status = MembershipStatus(rawValue: code & 0x0F) else { return nil }
            self = .status(status)
        case 2 where code == 0x20: self = .removed
        default: return nil
        }
    }
}
