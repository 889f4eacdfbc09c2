import CampaignModel
import FuzzChecks
import RegistrationLists

private let checks = ListChecks(.text)

/// Reads any bytes as a compressed list, and as a text list before and after packing them.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first, !ListChecks.isCompressed(bytes) else {
        _ = checks.survey(bytes)
        return 0
    }
    checks.check(bytes)
    // The first byte also determines where the packed list is cut in two.
    let cut = bytes.count * Int(first) / 256
    let plain = checks.survey(bytes)
    for packed in [PackedList.gzip(bytes, cut: cut), PackedList.zstd(bytes, cut: cut)] {
        hold(ListChecks.same(checks.survey(packed), plain), "another list after packing")
        let short = checks.survey(Array(packed.dropLast()))
        guard case .failure(.unreadable(_, _)) = short else {
            hold(false, "a packed list was read without its last byte")
            continue
        }
    }
    return 0
}

/// Lists in the compressed formats, but without compression.
private enum PackedList {
    /// Two members with one stored block each (RFC 1951, 3.2.4; RFC 1952).
    static func gzip(_ bytes: [UInt8], cut: Int) -> [UInt8] {
        gzipMember(bytes[..<cut]) + gzipMember(bytes[cut...])
    }

    private static func gzipMember(_ part: ArraySlice<UInt8>) -> [UInt8] {
        let count = UInt32(part.count)
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]
        append(count, bytes: 2, to: &member)
        append(~count, bytes: 2, to: &member)
        member += part
        append(checksum(part), bytes: 4, to: &member)
        append(count, bytes: 4, to: &member)
        return member
    }

    /// A skippable frame, and two frames with one raw block each (RFC 8878).
    static func zstd(_ bytes: [UInt8], cut: Int) -> [UInt8] {
        [0x51, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 0xFF] + zstdFrame(bytes[..<cut])
            + zstdFrame(bytes[cut...])
    }

    private static func zstdFrame(_ part: ArraySlice<UInt8>) -> [UInt8] {
        let count = UInt32(part.count)
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0]
        append(count, bytes: 4, to: &frame)
        append(count << 3 | 1, bytes: 3, to: &frame)
        return frame + part
    }

    /// The lowest byte comes first.
    private static func append(_ number: UInt32, bytes count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * index)))
        }
    }

    /// CRC-32, bit by bit.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var rest = ~UInt32(0)
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~rest
    }
}
