import Testing
import Time

struct TZifReaderTests {
    private func rules(_ bytes: [UInt8]) throws(TimeZoneError) -> TimeZoneRules {
        try TimeZoneRules(name: "Test/Zone", tzif: bytes)
    }

    private static let twoTypes = TZifBytes(
        transitions: [(-1000, 1), (1000, 0)],
        types: [(3600, 0, 0), (-7200, 1, 4)]
    )

    @Test(arguments: [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")])
    func `reads every version`(version: UInt8) throws {
        var file = Self.twoTypes
        file.version = version
        let rules = try rules(file.bytes)
        let offsets = [-1001, -1000, 999, 1000, 5_000_000_000].map {
            rules.offset(at: Instant(secondsSince1970: $0))
        }
        #expect(offsets.map(\.seconds) == [3600, -7200, -7200, 3600, 3600])
        #expect(offsets.map(\.abbreviation) == ["ONE", "TWO", "TWO", "ONE", "ONE"])
        #expect(offsets.map(\.isDaylightSaving) == [false, true, true, false, false])
    }

    @Test func `the footer applies from the last transition on`() throws {
        var file = Self.twoTypes
        file.footer = "XYZ-5"
        let rules = try rules(file.bytes)
        #expect(rules.offset(at: Instant(secondsSince1970: 999)).seconds == -7200)
        #expect(rules.offset(at: Instant(secondsSince1970: 1000)).seconds == 18_000)
    }

    @Test func `abbreviations may share their end`() throws {
        let file = TZifBytes(types: [(0, 0, 1)], names: Array("AHST\0".utf8))
        #expect(try rules(file.bytes).offset(at: .latest).abbreviation == "HST")
    }

    @Test(arguments: [
        TZifBytes(version: UInt8(ascii: "1")),
        TZifBytes(version: UInt8(ascii: "5")),
        TZifBytes(types: []),
        TZifBytes(names: []),
        TZifBytes(names: Array("ONE".utf8)),
        TZifBytes(names: [0xff, 0xff, 0xff, 0]),
        TZifBytes(types: [(0, 0, 8)]),
        TZifBytes(types: [(0, 2, 0)]),
        TZifBytes(types: [(26 * 3600, 0, 0)]),
        TZifBytes(types: [(-25 * 3600, 0, 0)]),
        TZifBytes(types: [(.min, 0, 0)]),
        TZifBytes(transitions: [(0, 1)]),
        TZifBytes(transitions: [(5, 0), (5, 0)]),
        TZifBytes(transitions: [(5, 0), (4, 0)]),
    ])
    func `refuses values outside their domain`(file: TZifBytes) {
        #expect(throws: TimeZoneError.malformed(name: "Test/Zone")) { try rules(file.bytes) }
    }

    @Test func `refuses counts larger than the file`() {
        var bytes = Self.twoTypes.bytes
        for index in 20..<44 { bytes[index] = 0xff }
        #expect(throws: TimeZoneError.malformed(name: "Test/Zone")) { try rules(bytes) }
    }

    @Test func `refuses files that count leap seconds`() {
        let file = TZifBytes(leapSeconds: 27)
        #expect(throws: TimeZoneError.countsLeapSeconds(name: "Test/Zone")) {
            try rules(file.bytes)
        }
    }

    @Test func `refuses every truncated file`() {
        var file = Self.twoTypes
        for (version, footer) in [(0, ""), (UInt8(ascii: "3"), "<-02>2<-01>,M3.5.0/-1,M10.5.0/0")] {
            (file.version, file.footer) = (version, footer)
            let bytes = file.bytes
            #expect(throws: Never.self) { try rules(bytes) }
            for count in 0..<bytes.count {
                #expect(throws: TimeZoneError.malformed(name: "Test/Zone")) {
                    try rules(Array(bytes.prefix(count)))
                }
            }
        }
    }

    @Test func `does not crash on a changed byte`() throws {
        var random = SplitMix64(state: 2037)
        let local = try #require(CivilDateTime(parsing: "2037-03-29 02:30"))
        var file = Self.twoTypes
        file.footer = "CET-1CEST,M3.5.0,M10.5.0/3"
        let intact = file.bytes
        var readable = 0
        for _ in 0..<20_000 {
            var bytes = intact
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(
                    in: .min ... .max,
                    using: &random
                )
            }
            guard let rules = try? rules(bytes) else { continue }
            readable += 1
            let moved = rules.localTime(at: rules.resolve(local).instant)
            #expect(abs(moved.date.daysSince1970 - local.date.daysSince1970) <= 2)
        }
        #expect((1..<20_000).contains(readable))
    }
}

/// Sebastiano Vigna's generator; the same numbers in every run.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
