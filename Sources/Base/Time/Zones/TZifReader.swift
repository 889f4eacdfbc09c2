/// Why the bytes of a TZif file cannot be used.
enum TZifFailure: Error {
    case malformed
    case countsLeapSeconds
}

/// Reads the Time Zone Information Format, versions 1 to 4 (RFC 9636).
///
/// Every read is checked against the end, and every value against its domain. Any input gives
/// either rules or a failure.
struct TZifReader {
    private var rest: ArraySlice<UInt8>

    private init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    static func rules(name: String, bytes: [UInt8]) throws(TZifFailure) -> TimeZoneRules {
        var reader = TZifReader(bytes)
        let header = try reader.header()
        guard header.isVersion1 else {
            // Skips the 32-bit data for old programs; the 64-bit data after it is complete.
            _ = try reader.take(header.blockSize(timeSize: 4))
            let header = try reader.header()
            let (transitions, offsets) = try reader.block(header, timeSize: 8)
            let footer = try reader.footer()
            return TimeZoneRules(
                name: name,
                transitions: transitions,
                offsets: offsets,
                footer: footer
            )
        }
        let (transitions, offsets) = try reader.block(header, timeSize: 4)
        return TimeZoneRules(name: name, transitions: transitions, offsets: offsets, footer: nil)
    }

    private mutating func header() throws(TZifFailure) -> Header {
        let magic = try take(4)
        guard magic.elementsEqual("TZif".utf8), let version = try take(16).first,
            version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(version)
        else { throw .malformed }
        return Header(
            isVersion1: version == 0,
            utcIndicators: try count(),
            standardIndicators: try count(),
            leapSeconds: try count(),
            times: try count(),
            types: try count(),
            characters: try count()
        )
    }

    private mutating func block(
        _ header: Header,
        timeSize: Int
    ) throws(TZifFailure) -> (transitions: [Int64], offsets: [UTCOffset]) {
        guard header.isConsistent else { throw .malformed }
        guard header.leapSeconds == 0 else { throw .countsLeapSeconds }
        let times = try take(header.times * timeSize)
        let typeIndices = try take(header.times)
        let records = try take(header.types * 6)
        let names = try take(header.characters)
        _ = try take(header.standardIndicators + header.utcIndicators)

        let transitions = Self.integers(times, size: timeSize)
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }),
            typeIndices.allSatisfy({ $0 < header.types })
        else { throw .malformed }
        var types: [UTCOffset] = []
        for index in 0..<header.types {
            types.append(try Self.offset(records.dropFirst(index * 6).prefix(6), names: names))
        }
        return (transitions, [types[0]] + typeIndices.map { types[Int($0)] })
    }

    private mutating func footer() throws(TZifFailure) -> PosixTimeZone? {
        guard try take(1).first == newline, let end = rest.firstIndex(of: newline) else {
            throw .malformed
        }
        let text = rest[..<end]
        if text.isEmpty { return nil }
        guard let footer = PosixTimeZone(parsing: text) else { throw .malformed }
        return footer
    }

    /// Reads a local time type record.
    ///
    /// It contains four bytes of offset, whether it is daylight saving, and the index of its
    /// abbreviation in `names`.
    private static func offset(
        _ record: ArraySlice<UInt8>,
        names: ArraySlice<UInt8>
    ) throws(TZifFailure) -> UTCOffset {
        let fields = Array(record)
        let seconds = Int(integers(record.prefix(4), size: 4)[0])
        let name = names.dropFirst(Int(fields[5]))
        guard UTCOffset.allowedSeconds.contains(seconds), fields[4] <= 1,
            let end = name.firstIndex(of: 0), name[..<end].allSatisfy({ $0 < 0x80 })
        else { throw .malformed }
        return UTCOffset(
            seconds: seconds,
            isDaylightSaving: fields[4] == 1,
            abbreviation: String(decoding: name[..<end], as: UTF8.self)
        )
    }

    private mutating func take(_ count: Int) throws(TZifFailure) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func count() throws(TZifFailure) -> Int {
        try take(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Big-endian two's complement integers of `size` bytes each.
    private static func integers(_ bytes: ArraySlice<UInt8>, size: Int) -> [Int64] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
            let bits = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return size == 8 ? Int64(bitPattern: bits) : Int64(Int32(truncatingIfNeeded: bits))
        }
    }

    private var newline: UInt8 { UInt8(ascii: "\n") }
}

/// The counts in the header of a data block (RFC 9636, section 3.1); each fits 32 bits.
private struct Header {
    let isVersion1: Bool
    let utcIndicators: Int
    let standardIndicators: Int
    let leapSeconds: Int
    let times: Int
    let types: Int
    let characters: Int

    var isConsistent: Bool {
        types > 0 && characters > 0 && [0, types].contains(utcIndicators)
            && [0, types].contains(standardIndicators)
    }

    func blockSize(timeSize: Int) -> Int {
        times * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4)
            + standardIndicators + utcIndicators
    }
}
