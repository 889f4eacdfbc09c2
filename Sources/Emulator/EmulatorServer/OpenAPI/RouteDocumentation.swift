/// What the OpenAPI file says of a route beside its method and path.
struct RouteDocumentation: Sendable {
    /// A parameter of the query.
    struct Query: Sendable {
        let name: String
        /// One sentence.
        let summary: String
        let schema: OpenAPISchema

        init(_ name: String, _ summary: String, _ schema: OpenAPISchema = .text) {
            self.name = name
            self.summary = summary
            self.schema = schema
        }
    }

    /// A body of a request or an answer.
    struct Body: Sendable {
        let schema: OpenAPISchema
        var mediaType = "application/json"

        static func json(_ schema: OpenAPISchema) -> Body { Body(schema: schema) }
    }

    /// One sentence.
    let summary: String
    var query: [Query]
    /// Nil where the request has none.
    var body: Body?
    /// What the request is answered with where all is well.
    var answer: Body
    /// The statuses of refusals beside those that every route of its kind has: 400 where there is
    /// something to misspell, 404 with a parameter in the path, 413 with a body.
    var refusals: [Int]
    var refusal: OpenAPISchema
    var refusalType = "application/json"
    /// Whether the request needs a bearer token.
    var needsBearer: Bool

    init(
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
