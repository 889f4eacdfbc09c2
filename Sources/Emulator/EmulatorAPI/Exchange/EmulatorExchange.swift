package import JSON

/// A request to the emulator.
package struct EmulatorRequest: Sendable {
    package let method: String
    /// Path and query as sent.
    package var target: String
    /// The value of the Authorization header.
    var authorization: String?
    /// The value of the project_id header, which device group requests have.
    let projectID: String?
    /// The value of the Host header, or of its HTTP/2 equivalent.
    let host: String?
    /// The value of the Metadata-Flavor header.
    let metadataFlavor: String?
    /// The value of the Origin header: the page that makes the browser's request.
    let origin: String?
    let body: [UInt8]
    /// The body as JSON, or nil if it is not JSON.
    var json: JSONValue?
    /// Whether the body exceeded `bodyLimit` and was discarded.
    package let isTooLarge: Bool
    /// Returns the header fields, which only the newest requests keep.
    package var headers: (@Sendable () -> [(name: String, value: String)])?
    /// Whether an app server sent it over XMPP, where its key replaces a token.
    package var isOfAppServer = false
    /// How far a repeated query has read the log.
    var progress = LogProgress()

    package init(
        method: String,
        target: String,
        authorization: String? = nil,
        projectID: String? = nil,
        host: String? = nil,
        metadataFlavor: String? = nil,
        origin: String? = nil,
        body: [UInt8] = [],
        isTooLarge: Bool = false
    ) {
        self.method = method
        self.target = target
        self.authorization = authorization
        self.projectID = projectID
        self.host = host
        self.metadataFlavor = metadataFlavor
        self.origin = origin
        self.body = body
        json = JSONValue(parsing: body)
        self.isTooLarge = isTooLarge
    }

    init(
        method: String,
        target: String,
        authorization: String?,
        projectID: String?,
        json: JSONValue
    ) {
        self.method = method
        self.target = target
        self.authorization = authorization
        self.projectID = projectID
        host = nil
        metadataFlavor = nil
        origin = nil
        body = []
        self.json = json
        isTooLarge = false
    }

    /// Whether the request has no body; the log stores a missing body as an empty string.
    var hasNoBody: Bool { body.isEmpty && (json == nil || json == "") }

    package static let bodyLimit = 8 * 1_024 * 1_024

    /// Whether the request has any bearer token.
    var isAuthorized: Bool { bearer != nil }
}

/// An answer: JSON, or the string in `body` if the content type is not JSON.
package struct EmulatorAnswer: Sendable {
    var status: Int
    var body: JSONValue
    /// The allowed methods of the path, if the request used another one.
    var allowedMethods: [String] = []
    /// Nil for JSON.
    var contentType: String?
    /// Header fields in addition to those of every answer.
    var headers: [(name: String, value: String)] = []

    package static func success(_ body: JSONValue = [:]) -> EmulatorAnswer {
        EmulatorAnswer(status: 200, body: body)
    }
}
