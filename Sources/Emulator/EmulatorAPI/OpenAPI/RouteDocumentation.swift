/// The documentation of a route in the OpenAPI document, except for its method and path.
package struct RouteDocumentation: Sendable {
    /// A query parameter.
    package struct Query: Sendable {
        let name: String
        /// One sentence.
        let summary: String
        let schema: OpenAPISchema

        package init(_ name: String, summary: String, schema: OpenAPISchema = .text) {
            self.name = name
            self.summary = summary
            self.schema = schema
        }
    }

    /// A body of a request or an answer.
    package struct Body: Sendable {
        let schema: OpenAPISchema
        var mediaType: String

        package init(schema: OpenAPISchema, mediaType: String = "application/json") {
            self.schema = schema
            self.mediaType = mediaType
        }

        package static func json(_ schema: OpenAPISchema) -> Body { Body(schema: schema) }
    }

    /// One sentence.
    let summary: String
    var query: [Query]
    /// Nil if the request has no body.
    var body: Body?
    /// The successful answer.
    var answer: Body
    /// The statuses of refusals that are specific to the route.
    ///
    /// Other statuses are added automatically: 400 if there is a body or query, 404 if the path has
    /// a parameter, and 413 if there is a body.
    var refusals: [Int]
    var refusal: OpenAPISchema
    var refusalType = "application/json"
    /// Whether the request requires a bearer token.
    var needsBearer: Bool

    package init(
        _ summary: String,
        query: [Query] = [],
        body: Body? = nil,
        answer: Body,
        refusals: [Int] = [],
        refusal: OpenAPISchema = .googleError,
        refusalType: String = "application/json",
        needsBearer: Bool = false
    ) {
        self.summary = summary
        self.query = query
        self.body = body
        self.answer = answer
        self.refusals = refusals
        self.refusal = refusal
        self.refusalType = refusalType
        self.needsBearer = needsBearer
    }
}

extension RouteDocumentation.Query {
    /// The parameter of all routes of the control API that names the project.
    static let project = RouteDocumentation.Query(
        "project",
        summary: "ID of the project; created on first use. Empty for the default project.",
        schema: .projectID
    )
}
