import Testing

@testable import EmulatorAuth

/// Tests that the memory for tokens is bounded regardless of their number.
struct TokenBoundsTests {
    private static func token(_ number: Int) -> IssuedToken {
        IssuedToken(
            digest: SecretDigest(of: "token \(number)"),
            account: "robot",
            scopes: [],
            expiry: TokenTime(milliseconds: 1_000)
        )
    }

    @Test func `the newest 10,000 tokens are stored, and at most twice as many`() {
        var authority = Authority()
        for number in 0..<45_000 {
            authority.perform(.issue(Self.token(number)), at: TokenTime(milliseconds: 0))
        }
        #expect(authority.tokens.count <= 20_000)
        #expect((35_000..<45_000).allSatisfy { authority.token("token \($0)"[...]) != nil })
        #expect(authority.token("token 0"[...]) == nil)
    }
}
