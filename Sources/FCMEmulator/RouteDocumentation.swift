import FCMWire

/// What the OpenAPI file says of a route beside its method and path.
struct RouteDocumentation: Sendable {
    /// A parameter of the query; its schema as JSON.
    struct Query: Sendable {
        let name: String
        let summary: String
        var schema: JSONValue = ["type": "string"]
    }

    struct Answer: Sendable {
        let status: Int
        let summary: String
        let schema: JSONValue
    }

    /// One sentence.
    let summary: String
    var query: [Query] = []
    /// The schema of the request's body; nil where it has none.
    var body: JSONValue?
    var answers: [Answer] = []

    init(
        _ summary: String,
        query: [Query] = [],
        body: JSONValue? = nil,
        answers: [Answer] = []
    ) {
        self.summary = summary
        self.query = query
        self.body = body
        self.answers = answers
    }
}

extension RouteDocumentation {
    static let send = RouteDocumentation("Sends a message, or checks one with validate_only.")
    static let batchAdd = RouteDocumentation("Subscribes registrations to a topic.")
    static let batchRemove = RouteDocumentation("Unsubscribes registrations from a topic.")
    static let info = RouteDocumentation("Says what a registration is subscribed to.")
    static let health = RouteDocumentation("Says that the emulator runs.")
    static let listDevices = RouteDocumentation("Lists the devices.")
    static let addDevices = RouteDocumentation("Adds devices.")
    static let changeDevice = RouteDocumentation("Changes the condition of a device.")
    static let inboxes = RouteDocumentation("Says what each device received.")
    static let requests = RouteDocumentation("Lists the recorded requests.")
    static let reset = RouteDocumentation("Makes every device as it was when it was added.")
}
