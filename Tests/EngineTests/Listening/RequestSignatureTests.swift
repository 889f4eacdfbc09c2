import Crypto
import Listening
import Testing
import Text

struct RequestSignatureTests {
    private static let key = Array("a key of this test".utf8)
    private let body = Array(#"{"message_id":"m-1"}"#.utf8)

    private func sign(_ body: [UInt8], at time: Int64, with key: [UInt8] = key) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(time).".utf8) + body,
            using: SymmetricKey(data: key)
        )
        return "v1=" + Hexadecimal.text(of: code)
    }

    private func failure(
        _ signatures: RequestSignature,
        time: String = "1000",
        signature: String,
        now: Int64 = 1_000
    ) -> RequestSignature.Failure? {
        do throws(RequestSignature.Failure) {
            _ = try signatures.verify(time: time, signature: signature, body: body, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `accepts the signature of the time and the body`() {
        let signatures = RequestSignature(key: Self.key)
        #expect(failure(signatures, signature: sign(body, at: 1_000)) == nil)
    }

    @Test func `refuses another body, time or key`() {
        let signatures = RequestSignature(key: Self.key)
        let others = [
            sign(body + [32], at: 1_000), sign(body, at: 1_001), sign(body, at: 1_000, with: [1]),
        ]
        for signature in others {
            #expect(failure(signatures, signature: signature) == .wrongSignature)
        }
    }

    @Test(arguments: [Int64(699), 1_301])
    func `refuses a time that differs by more than 300 seconds`(now: Int64) {
        let signatures = RequestSignature(key: Self.key)
        let signature = sign(body, at: 1_000)
        #expect(failure(signatures, signature: signature, now: now) == .wrongTime)
        let near = now < 1_000 ? now + 1 : now - 1
        #expect(failure(signatures, signature: signature, now: near) == nil)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
    func `refuses extreme times`(time: String) {
        let signatures = RequestSignature(key: Self.key)
        #expect(failure(signatures, time: time, signature: "v1=00") == .wrongTime)
    }

    @Test(arguments: [
        ("x", "v1=00"), ("1000", "v2=00"), ("1000", "v1=0"), ("1000", "00"), ("", "v1=00"),
    ])
    func `refuses other forms`(time: String, signature: String) {
        let signatures = RequestSignature(key: Self.key)
        #expect(failure(signatures, time: time, signature: signature) == .wrongForm)
    }

    @Test func `refuses a copy, also in capital letters, until it is too old`() throws {
        var signatures = RequestSignature(key: Self.key)
        let signature = sign(body, at: 1_000)
        let code = try signatures.verify(
            time: "1000",
            signature: signature,
            body: body,
            now: 1_000
        )
        let isFirst = signatures.spend(code, now: 1_000)
        let isSecond = signatures.spend(code, now: 1_000)
        #expect(isFirst && !isSecond)
        let capital = "v1=" + signature.dropFirst(3).uppercased()
        for copy in [signature, capital] {
            for now in [Int64(1_000), 1_300] {
                #expect(failure(signatures, signature: copy, now: now) == .replayed)
            }
        }
        #expect(failure(signatures, signature: signature, now: 1_301) == .wrongTime)
    }

    @Test func `accepts a signature again if its message was not stored`() throws {
        var signatures = RequestSignature(key: Self.key)
        let signature = sign(body, at: 1_000)
        let code = try signatures.verify(
            time: "1000",
            signature: signature,
            body: body,
            now: 1_000
        )
        _ = signatures.spend(code, now: 1_000)
        signatures.restore(code)
        #expect(failure(signatures, signature: signature) == nil)
    }
}
