import CampaignModel
import Testing

struct PackedRowsTests {
    private func rows(_ count: Int, values: [String] = []) throws -> [RegistrationRow] {
        try (0..<count).map { number in
            let registration = try #require(Registration("fid:\(number)"))
            return RegistrationRow(registration, values: values.map { "\($0)\(number % 3)" })
        }
    }

    private func read(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        columns: Int = 0
    ) -> [RegistrationRow]? {
        bytes.withUnsafeBytes { PackedRows.rows($0, range: range, columns: columns) }
    }

    @Test func `has the format, the number of rows, and the packed registrations`() throws {
        let one = try PackedRows(rows(1), columns: 0)
        // `fid:0` without the colon is base64url of 7e 27 74.
        #expect(one.bytes == [3, 1, 0x20, 5, 3, 0x7E, 0x27, 0x74])
        #expect(one.count == 1)
        #expect(try Array(PackedRows(rows(300), columns: 0).bytes.prefix(3)) == [3, 0xAC, 0x02])
    }

    @Test func `has the different values of a column, then their numbers`() throws {
        let packed = try PackedRows(rows(4, values: ["v"]), columns: 1)
        let column = packed.bytes.suffix(14)
        #expect(Array(column) == [3, 2, 0x76, 0x30, 2, 0x76, 0x31, 2, 0x76, 0x32, 0, 1, 2, 0])
    }

    @Test(arguments: [0..<1, 0..<1_000, 3..<5, 999..<2_000, 1_000..<1_001])
    func `reads any range`(range: Range<Int>) throws {
        let all = try rows(1_000, values: ["a", ""])
        let packed = PackedRows(all, columns: 2).bytes
        let plain = PackedRows(all.map { RegistrationRow($0.registration) }, columns: 0).bytes
        let expected = Array(all[range.clamped(to: 0..<1_000)])
        #expect(read(packed, range, columns: 2) == expected)
        let registrations = expected.map(\.registration)
        for bytes in [packed, plain] {
            let found = bytes.withUnsafeBytes { PackedRows.registrations($0, range: range) }
            #expect(found == registrations)
        }
    }

    @Test func `rejects damaged bytes`() throws {
        let bytes = try PackedRows(rows(5, values: ["v"]), columns: 1).bytes
        for count in 0..<bytes.count {
            #expect(read(Array(bytes.prefix(count)), 0..<5, columns: 1) == nil)
        }
        #expect(read(bytes + [0], 0..<5, columns: 1) == nil)
        #expect(read([2] + bytes.dropFirst(), 0..<5, columns: 1) == nil)
        #expect(read([3, 0xE9, 0x07], 0..<5) == nil)
    }
}
