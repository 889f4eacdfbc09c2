/// The match of a method and a path.
enum RouteMatch: Hashable {
    case served(Route)
    /// The path exists with other methods only.
    case otherMethods([String])
    case nothing
}

/// The methods and paths of the emulator.
package struct RouteTable: Sendable {
    /// One method of one path.
    package struct Row: Sendable {
        let method: String
        let template: PathTemplate
        let documentation: RouteDocumentation
        let route: @Sendable (PathParameters) -> Route

        package init(
            _ method: String,
            at template: String,
            documentation: RouteDocumentation,
            route: @escaping @Sendable (PathParameters) -> Route
        ) {
            self.method = method
            self.template = PathTemplate(template)
            self.documentation = documentation
            self.route = route
            isControl = template.hasPrefix("/emulator/")
        }

        /// Whether the route belongs to the emulator itself and not to Google's APIs.
        let isControl: Bool

        /// Whether the query can name the project, as in all routes of the control API.
        var hasProject: Bool { template.text.hasPrefix("/emulator/v1/") }
    }

    let rows: [Row]

    init(_ rows: [Row]) {
        self.rows = rows
    }

    /// Returns the query parameters of a route of the control API, or nil for another route.
    func parameters(_ method: String, path: Substring) -> [String]? {
        let row = rows.first { $0.method == method && $0.template.match(path) != nil }
        guard let row, row.hasProject else { return nil }
        return row.documentation.query.map(\.name) + [RouteDocumentation.Query.project.name]
    }

    func match(_ method: String, path: Substring) -> RouteMatch {
        var methods: [String] = []
        for index in rows.indices {
            guard let parameters = rows[index].template.match(path) else { continue }
            if rows[index].method == method { return .served(rows[index].route(parameters)) }
            methods.append(rows[index].method)
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
