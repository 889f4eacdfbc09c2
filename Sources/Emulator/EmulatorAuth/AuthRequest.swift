package import JSON

/// The parts of an HTTP request that the token endpoints read.
package struct AuthRequest: Sendable {
    /// The value of the Authorization header.
    let authorization: String?
    /// The value of the Host header, or of its HTTP/2 equivalent.
    let host: String?
    /// The value of the Metadata-Flavor header.
    let metadataFlavor: String?
    /// The query parameter `scopes`.
    let scopes: String?
    /// The query parameter `recursive`.
    let recursive: String?
    let body: [UInt8]
    /// The body as JSON, or nil if it is not JSON.
    let json: JSONValue?

    package init(
        authorization: String?,
        host: String?,
        metadataFlavor: String?,
        scopes: String?,
        recursive: String?,
        body: [UInt8],
        json: JSONValue?
    ) {
        self.authorization = authorization
        self.host = host
        self.metadataFlavor = metadataFlavor
        self.scopes = scopes
        self.recursive = recursive
        self.body = body
        self.json = json
    }
}

extension String {
    /// The token of `Authorization: Bearer …`, or nil for anything else, such as a key of the old
    /// FCM API (`key=…`).
    package var bearerToken: Substring? {
        guard utf8.count > 7, utf8.prefix(7).areBearer else { return nil }
        let token = utf8.dropFirst(7).drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? nil : Substring(token)
    }
}

extension Substring.UTF8View {
    /// Whether the bytes are `bearer`, in any case, followed by a space.
    fileprivate var areBearer: Bool {
        elementsEqual("bearer ".utf8) { byte, letter in
            byte == letter || letter != UInt8(ascii: " ") && byte == letter & 0xDF
        }
    }
}
