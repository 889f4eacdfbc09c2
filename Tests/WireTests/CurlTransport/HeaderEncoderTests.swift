import FCMClient
import HTTPTransport
import Testing

@testable import CurlTransport

struct HeaderEncoderTests {
    private let origin = Origin(of: "https://www.example.com")

    private func fields(
        _ headers: [HTTPHeader] = [],
        path: String = "/",
        body: [UInt8] = [1]
    ) throws -> HTTP2Fields {
        let request = HTTPRequest(
            method: .post,
            url: "https://www.example.com" + path,
            headers: headers,
            body: body
        )
        return try HTTP2Fields(request, at: #require(origin), agent: "herald")
    }

    /// Returns bytes as written in RFC 7541, with spaces for readability.
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func hex(_ text: String) -> String { hex(Array(text.utf8)) }

    @Test func `writes a field once in full, and then as a byte`() throws {
        var encoder = HeaderEncoder()
        let fields = try fields(
            [HTTPHeader(name: "Authorization", value: "Bearer abc")],
            path: "/v1"
        )
        // Encoded manually from RFC 7541: 83 and 87 are `:method: POST` and `:scheme: https` of
        // appendix A. 40 and the number of a name start a stored field. 0f 0d starts
        // `content-length`, which is not stored.
        let first = [
            "83", "87", "410f" + hex("www.example.com"), "4403" + hex("/v1"),
            "7a06" + hex("herald"), "5303" + hex("*/*"), "570a" + hex("Bearer abc"),
            "0f0d02" + hex("12"),
        ]
        #expect(hex(encoder.block(fields, length: 12, peersLimit: 4_096)) == first.joined())
        // The newest is 62 (be), and the oldest of the five is 66 (c2).
        let second = "8387c2c1c0bfbe" + "0f0d03" + hex("345")
        #expect(hex(encoder.block(fields, length: 345, peersLimit: 4_096)) == second)
        #expect(hex(encoder.block(fields, length: 345, peersLimit: 4_096)) == second)
    }

    @Test func `keeps unchanged fields when the token changes`() throws {
        var encoder = HeaderEncoder()
        let old = try fields([HTTPHeader(name: "Authorization", value: "Bearer a")])
        let new = try fields([HTTPHeader(name: "Authorization", value: "Bearer b")])
        _ = encoder.block(old, length: 1, peersLimit: 4_096)
        let block = encoder.block(new, length: 1, peersLimit: 4_096)
        // 84 is `:path: /` of appendix A; the token is the newest of the four stored fields.
        #expect(hex(block) == "8387c184c0bf" + "5708" + hex("Bearer b") + "0f0d01" + hex("1"))
    }

    @Test func `first announces a smaller table if the server's table is smaller`() throws {
        var encoder = HeaderEncoder()
        let fields = try fields()
        _ = encoder.block(fields, length: 1, peersLimit: 4_096)
        let smaller = hex(encoder.block(fields, length: 1, peersLimit: 0))
        // 20 is a table of 0 bytes (section 6.3); 01 and so on name a field that is not stored.
        let literal = "010f" + hex("www.example.com") + "84" + "0f2b06" + hex("herald")
        #expect(smaller == "208387" + literal + "0f0403" + hex("*/*") + "0f0d01" + hex("1"))
        #expect(!hex(encoder.block(fields, length: 1, peersLimit: 0)).hasPrefix("20"))
    }

    @Test
    func `evicts the oldest field when the table is full, and skips fields that would fill it`()
        throws
    {
        var encoder = HeaderEncoder()
        let long = String(repeating: "x", count: 1_990)
        let first = try fields([HTTPHeader(name: "Authorization", value: long + "1")])
        let second = try fields([HTTPHeader(name: "Authorization", value: long + "2")])
        let lengths = [first, second, first].map {
            encoder.block($0, length: 1, peersLimit: 4_096).count
        }
        // Two tokens and the other fields exceed 4,096 bytes, so the first is gone when it is used
        // again.
        #expect(lengths.allSatisfy { $0 > 1_900 })
        let huge = try fields([
            HTTPHeader(name: "Authorization", value: String(repeating: "x", count: 4_000))
        ])
        _ = encoder.block(huge, length: 1, peersLimit: 4_096)
        // The other fields stay: five bytes, the token and the length.
        #expect(encoder.block(huge, length: 1, peersLimit: 4_096).count < 4_020)
    }

    @Test func `writes numbers that exceed their bits as in RFC 7541`() throws {
        var encoder = HeaderEncoder()
        let fields = try fields([HTTPHeader(name: "X", value: String(repeating: "y", count: 1_337))]
        )
        let block = encoder.block(fields, length: 1, peersLimit: 4_096)
        // 1337 less the 127 of seven bits is 1210: 127, 1210 % 128 + 128 = 186, 9.
        #expect(hex(block).contains("400178" + "7fba09" + "7979"))
    }
}
