import HTTPTransport
import JSON
import Text

extension HTTPAnswer {
    /// Returns the token in a token server's answer (RFC 6749, section 5.1).
    func token(of step: TokenError.Step) throws(TokenError) -> AccessToken {
        let json = JSONValue(parsing: body)
        guard status == 200 else { throw refusal(json, at: step) }
        guard let text = json?["access_token"]?.stringValue, text.isBearer,
            json?["token_type"]?.stringValue?.lowercased() == "bearer",
            let life = json?["expires_in"]?.seconds, life > .zero
        else { throw TokenError(step: step, cause: .unexpected(status: status)) }
        return AccessToken(bearer: text, life: life)
    }

    /// Returns the server's own message, in either Google format.
    func refusal(_ json: JSONValue?, at step: TokenError.Step) -> TokenError {
        if let code = json?["error"]?.stringValue {
            let description = json?["error_description"]?.stringValue
            return TokenError(step: step, cause: .refused(code: code, description: description))
        }
        if let code = json?["error"]?["status"]?.stringValue {
            let description = json?["error"]?["message"]?.stringValue
            return TokenError(step: step, cause: .refused(code: code, description: description))
        }
        return TokenError(step: step, cause: .unexpected(status: status))
    }
}

extension String {
    /// Whether the text is allowed in a header.
    var isBearer: Bool {
        !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The text for a form, with every other byte as `%XX` (WHATWG URL,
    /// application/x-www-form-urlencoded).
    var formEncoded: String { percentEncoded(keeping: "") }
}

extension JSONValue {
    fileprivate var seconds: Duration? {
        switch self {
        case .integer(let seconds) where seconds <= 1_000_000_000: .seconds(seconds)
        case .number(let seconds) where seconds <= 1_000_000_000: .seconds(seconds)
        default: nil
        }
    }
}
