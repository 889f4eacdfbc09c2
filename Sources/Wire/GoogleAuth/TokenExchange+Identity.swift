import FoundationEssentials
import HTTPTransport
import JSON

/// Reads the external issuer's token, every time, because it is valid only for minutes.
extension TokenExchange {
    func identity(from source: IdentitySource) async throws(TokenError) -> String {
        let text: [UInt8]
        switch source.place {
        case .file(let path): text = try Self.read(path)
        case .url(let url, let headers):
            text = try await ask(
                url,
                with: headers.map { HTTPHeader(name: $0.name, value: $0.value) }
            )
        }
        guard let field = source.field else { return try Self.token(text) }
        guard let token = JSONValue(parsing: text)?[field]?.stringValue else {
            throw TokenError(
                step: .identity,
                cause: .noIdentity("the source of the identity has no \(field)")
            )
        }
        return try Self.token(Array(token.utf8))
    }

    private static func token(_ bytes: [UInt8]) throws(TokenError) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let token = text.split(whereSeparator: \.isWhitespace)
        guard token.count == 1, let first = token.first else {
            throw TokenError(
                step: .identity,
                cause: .noIdentity("the source of the identity contains no token")
            )
        }
        return String(first)
    }

    private static func read(_ path: String) throws(TokenError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw TokenError(
                step: .identity,
                cause: .noIdentity("the identity's file, \(path), cannot be read")
            )
        }
    }

    /// - Throws: A refusal without the answer's text, which may contain anything.
    private func ask(_ url: String, with headers: [HTTPHeader]) async throws(TokenError) -> [UInt8]
    {
        let request = HTTPRequest(method: .get, url: url, headers: headers)
        let answer = try await client.answer(to: request, in: .identity)
        guard answer.status == 200 else {
            throw TokenError(step: .identity, cause: .unexpected(status: answer.status))
        }
        return answer.body
    }
}
