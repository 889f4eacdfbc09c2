import JSON
import NIOCore

/// A request as the emulator looks at it.
struct EmulatorRequest: Sendable {
    let method: String
    /// Path and query as they were sent.
    var target: String
    /// The value of the Authorization header.
    var authorization: String?
    /// The value of the project_id header, which device groups have.
    let projectID: String?
    /// The value of the Host header, or what stands for it in HTTP/2.
    let host: String?
    /// The value of the Metadata-Flavor header.
    let metadataFlavor: String?
    /// The value of the Origin header: whose page a browser asks for.
    let origin: String?
    let body: [UInt8]
    /// What the body is as JSON; nil where it is none.
    var json: JSONValue?
    /// The body went over `bodyLimit` and was not kept.
    let isTooLarge: Bool

    init(
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

    /// Whether nothing was sent; the log keeps no body as an empty text.
    var hasNoBody: Bool { body.isEmpty && (json == nil || json == "") }

    static let bodyLimit = 8 * 1_024 * 1_024

    /// Whether there is a bearer token; which one makes no difference.
    var isAuthorized: Bool { bearer != nil }
}

/// An answer: JSON, or the text of a body that is a string where the content type is another.
struct EmulatorAnswer: Sendable {
    var status: Int
    var body: JSONValue
    /// The methods that a path has, where the request's was another one.
    var allowedMethods: [String] = []
    /// Nil for JSON.
    var contentType: String?
    /// Header fields beside those of every answer.
    var headers: [(name: String, value: String)] = []

    static func success(_ body: JSONValue = [:]) -> EmulatorAnswer {
        EmulatorAnswer(status: 200, body: body)
    }
}

/// An answer as it goes out.
struct RenderedAnswer: Sendable {
    var status: Int
    var bytes: [UInt8]
    var allowedMethods: [String] = []
    var contentType = "application/json; charset=UTF-8"
    /// Header fields beside those of every answer, such as Retry-After.
    var headers: [(name: String, value: String)] = []
    var delivery = AnswerDelivery.whole
    /// What a script did to the request.
    var fault: FaultRecord?
    /// Its number among the answers of this process.
    var ticket = 0
    /// What makes the answer, where that takes longer than a connection may wait.
    var completion: (@Sendable () -> RenderedAnswer)?
    /// For how many milliseconds the client waits until there is something in the answer; nil where
    /// there is, or where it does not wait.
    var patience: Int64?
    /// The answer when its time has come, where it waits.
    var later: (@Sendable (any EventLoop) -> EventLoopFuture<RenderedAnswer>)?

    /// Whether it can go out now.
    var isReady: Bool { completion == nil && later == nil }

    /// The answer itself, made now where it is not yet.
    var completed: RenderedAnswer { completion?() ?? self }

    /// RFC 9110, sections 15.3.5 and 15.4.5.
    var mayHaveBody: Bool { status != 204 && status != 304 }
}
