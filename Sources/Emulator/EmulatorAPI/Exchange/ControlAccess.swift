import EmulatorAuth
import Text

/// The token that the control API and the web page require beyond loopback.
///
/// Google's routes accept the tokens of senders instead.
package struct ControlAccess: Sendable {
    private let token: SecretDigest

    /// The cookie with which a browser shows the token.
    private static let cookie = "herald_emulator"
    /// Minimum length of a token in bytes.
    package static let shortestToken = 16

    package init(token: String) {
        self.token = SecretDigest(of: token)
    }

    /// Creates a random token.
    package static func freshToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in UInt64.random(in: .min ... .max, using: &generator).hexadecimal }
            .joined()
    }

    /// Returns the answer to a request without the token, or nil if the request is allowed.
    ///
    /// `/?token=` stores the token in a cookie, so that the page's own requests have it.
    package func refusal(of request: EmulatorRequest) -> RenderedAnswer? {
        let target = RequestTarget(request.target)
        guard isProtected(request, path: target.path) else { return nil }
        if target.path == "/", let text = target.parameter("token") {
            return accepts(text) ? signIn(text, target: target) : Self.unauthenticated
        }
        if let bearer = request.authorization?.bearerToken, accepts(String(bearer)) { return nil }
        return cookies(of: request).contains(where: accepts) ? nil : Self.unauthenticated
    }

    private func accepts(_ text: String) -> Bool { SecretDigest(of: text) == token }

    /// Health checks need no token; the metadata server shares its path with the page.
    private func isProtected(_ request: EmulatorRequest, path: Substring) -> Bool {
        if path == "/" { return request.metadataFlavor == nil }
        guard path != "/emulator/v1/health" else { return false }
        return path.percentDecoded.hasPrefix("/emulator")
    }

    private func cookies(of request: EmulatorRequest) -> [String] {
        let fields = request.headers?() ?? []
        return fields.filter { $0.name.lowercased() == "cookie" }.flatMap { field in
            field.value.split(separator: ";").compactMap { pair in
                let text = pair.drop { $0 == " " }
                guard text.hasPrefix(Self.cookie + "=") else { return nil }
                return String(text.dropFirst(Self.cookie.utf8.count + 1))
            }
        }
    }

    /// Stores the token in a cookie and removes it from the address.
    private func signIn(_ text: String, target: RequestTarget) -> RenderedAnswer {
        var answer = RenderedAnswer(status: 303, bytes: [])
        let rest = target.query(without: "token")
        answer.headers = [
            ("Location", rest.isEmpty ? "/" : "/?" + rest),
            ("Set-Cookie", "\(Self.cookie)=\(text); Path=/; HttpOnly; SameSite=Strict"),
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ]
        return answer
    }

    private static let unauthenticated: RenderedAnswer = {
        var answer = GoogleError(
            code: 401,
            status: "UNAUTHENTICATED",
            message: "The emulator is reachable from other machines, so its control API and page "
                + "require the token that it printed at its start: Authorization: Bearer TOKEN, "
                + "or /?token=TOKEN in a browser."
        ).answer.rendered
        answer.headers = [("WWW-Authenticate", "Bearer realm=\"herald emulator\"")]
        return answer
    }()
}
