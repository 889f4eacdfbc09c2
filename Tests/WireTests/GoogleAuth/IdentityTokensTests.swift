import Crypto
import CryptoExtras
import FoundationEssentials
import GoogleAuth
import JSON
import Testing

struct IdentityTokensTests {
    private static let now: Int64 = 1_800_000_000

    /// A key pair in the forms that Google publishes.
    private struct Issuer {
        let key: _RSA.Signing.PrivateKey

        init() throws {
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        }

        func keySet(id: String) throws -> [UInt8] {
            let parts = try key.publicKey.getKeyPrimitives()
            let json: JSONValue = [
                "keys": [
                    [
                        "kty": "RSA", "alg": "RS256", "use": "sig", "kid": .string(id),
                        "n": .string(Array(parts.modulus).base64URL),
                        "e": .string(Array(parts.publicExponent).base64URL),
                    ]
                ]
            ]
            return json.compactBytes
        }

        func token(
            _ claims: JSONObject,
            algorithm: String = "RS256",
            keyID: String = "k1"
        ) throws -> String {
            let header: JSONValue = [
                "alg": .string(algorithm), "kid": .string(keyID), "typ": "JWT",
            ]
            let input =
                header.compactBytes.base64URL + "."
                + JSONValue.object(claims).compactBytes.base64URL
            let signature = try key.signature(
                for: SHA256.hash(data: Array(input.utf8)),
                padding: .insecurePKCS1v1_5
            )
            return input + "." + Array(signature.rawRepresentation).base64URL
        }
    }

    private func claims(
        audience: String = "tides-app",
        issuer: String = "https://securetoken.google.com/tides-app",
        subject: String = "user-1",
        issued: Int64 = now - 10,
        expires: Int64 = now + 3_600
    ) -> JSONObject {
        JSONObject([
            .init(key: "iss", value: .string(issuer)),
            .init(key: "aud", value: .string(audience)),
            .init(key: "sub", value: .string(subject)),
            .init(key: "iat", value: .integer(issued)),
            .init(key: "exp", value: .integer(expires)),
            .init(key: "auth_time", value: .integer(issued)),
        ])
    }

    private func result(
        of token: String,
        with tokens: IdentityTokens
    ) async -> Result<String, IdentityTokens.Failure> {
        do throws(IdentityTokens.Failure) {
            return .success(try await tokens.user(of: token, at: Self.now))
        } catch {
            return .failure(error)
        }
    }

    @Test func `returns the user of a valid token`() async throws {
        let issuer = try Issuer()
        let tokens = try await IdentityTokens(
            keys: try issuer.keySet(id: "k1"),
            project: "tides-app"
        )
        let found = await result(of: try issuer.token(claims()), with: tokens)
        #expect(found == .success("user-1"))
    }

    @Test func `refuses tokens by their first problem`() async throws {
        let issuer = try Issuer()
        let other = try Issuer()
        let tokens = try await IdentityTokens(
            keys: try issuer.keySet(id: "k1"),
            project: "tides-app"
        )
        let hour: Int64 = 3_600
        let cases: [(String, IdentityTokens.Failure)] = [
            ("", .notAToken), ("a.b.c", .notAToken),
            (try issuer.token(claims(), algorithm: "none"), .notAToken),
            (try issuer.token(claims(), algorithm: "HS256"), .notAToken),
            (try issuer.token(claims(), keyID: "k2"), .unknownKey),
            (try other.token(claims()), .wrongSignature),
            (try issuer.token(claims(expires: Self.now - 61)), .expired),
            (try issuer.token(claims(issued: Self.now + hour)), .notYetValid),
            (try issuer.token(claims(audience: "other")), .wrongProject),
            (try issuer.token(claims(issuer: "https://securetoken.google.com/x")), .wrongProject),
            (try issuer.token(claims(subject: "")), .wrongProject),
        ]
        for (token, failure) in cases {
            #expect(await result(of: token, with: tokens) == .failure(failure))
        }
    }

    @Test func `refuses other key files`() async throws {
        let cases: [(String, IdentityTokens.KeyFailure)] = [
            ("[]", .wrongForm), ("{}", .noKey), (#"{"keys":[]}"#, .noKey),
            (#"{"keys":[{"kid":"a","kty":"EC"}]}"#, .unusableKey(id: "a")),
            (#"{"a":"no certificate"}"#, .unusableKey(id: "a")), (#"{"a":1}"#, .wrongForm),
        ]
        for (text, failure) in cases {
            await #expect(throws: failure) {
                try await IdentityTokens(keys: Array(text.utf8), project: "p")
            }
        }
    }
}

extension [UInt8] {
    fileprivate var base64URL: String {
        Data(self).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
