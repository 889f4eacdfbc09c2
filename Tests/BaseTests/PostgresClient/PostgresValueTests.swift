import Foundation
import Testing

@testable import PostgresClient

/// The expected bytes are those of PostgreSQL's `array_send`, `int8send` and so on, written by hand.
struct PostgresValueTests {
    @Test(arguments: [
        (PostgresValue.integer(-2), [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE] as [UInt8]),
        (.real(1), [0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
        (.text("é"), [0xC3, 0xA9]),
        (.text("a\0b"), [0x61, 0xEF, 0xBF, 0xBD, 0x62]),
        (.text(""), []),
        (.bytes(Data([0, 1])), [0, 1]),
        (.integers([]), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]),
        (
            .texts(["a", ""]),
            [
                0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 2, 0, 0, 0, 1,
                0, 0, 0, 1, 0x61, 0, 0, 0, 0,
            ]
        ),
    ])
    func `encodes values as the server reads them`(value: PostgresValue, bytes: [UInt8]) {
        #expect(value.encoded == bytes)
    }

    @Test func `NULL has no bytes`() {
        #expect(PostgresValue.null.encoded == nil)
    }

    @Test func `reads numbers of exactly their size`() {
        #expect(Int64(bigEndian: [0, 0, 0, 0, 0, 0, 1, 0]) == 256)
        #expect(Int64(bigEndian: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE]) == -2)
        #expect(Int16(bigEndian: [0xFF, 0xFE]) == -2)
        #expect(Int64(bigEndian: [1]) == nil)
    }

    @Test(arguments: [
        ("postgres://ada:secret@db.example:5433/herald", "postgres://db.example:5433/herald"),
        ("host=/run/postgresql dbname=herald password=secret", "postgres:///run/postgresql/herald"),
    ])
    func `names a database without user and password`(text: String, name: String) throws {
        let address = try PostgresAddress(text, variables: [:])
        #expect(address.place == name)
        #expect("\(address)" == "<redacted>")
    }

    @Test(arguments: [
        "postgres://ada:se/cret@db.example/herald", "postgres://ada:12/cret@db.example/herald",
        "postgres://ada:se@cret@db.example/herald", "postgres://ada:se/cret@db.example:x/herald",
        "postgres://ada:s@e/cret@db.example/herald",
    ])
    func `an address whose password would be taken for another part is refused`(text: String) {
        #expect(throws: PostgresError.malformedAddress) {
            try PostgresAddress(text, variables: [:])
        }
    }

    @Test func `an encoded password may contain anything`() throws {
        let address = try PostgresAddress(
            "postgres://ada:se%2Fc%40ret@db.example/herald",
            variables: [:]
        )
        #expect(address.settings["password"] == "se/c@ret")
    }
}
