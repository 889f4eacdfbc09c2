import JSON

/// The OpenAPI document of the emulator.
package enum OpenAPIDocument {
    package static let fileName = "emulator.openapi.json"

    /// OpenAPI 3.1 in JSON, with a final line break.
    package static func text(of routes: RouteTable) -> String {
        routes.openAPI.prettyText + "\n"
    }
}

extension RouteTable {
    fileprivate var openAPI: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Herald's FCM emulator",
                "version": "1",
                "summary": "Google's FCM APIs as served by the emulator, and its control API.",
            ],
            "paths": .object(paths),
            "components": [
                "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(schemas),
            ],
        ]
    }

    private var paths: JSONObject {
        var paths = JSONObject()
        for row in rows {
            var path = paths[row.template.text]?.objectValue ?? [:]
            path[row.method.lowercased()] = row.operation
            paths[row.template.text] = .object(path)
        }
        return paths
    }

    private var schemas: JSONObject {
        var components: [String: JSONValue] = [:]
        for row in rows {
            for schema in row.documentation.schemas {
                components.merge(schema.components) { first, _ in first }
            }
        }
        return JSONObject(
            components.sorted { $0.key < $1.key }
                .map { JSONObject.Member(key: $0.key, value: $0.value) }
        )
    }
}

extension RouteDocumentation {
    fileprivate var schemas: [OpenAPISchema] {
        query.map(\.schema) + [body?.schema, answer.schema, refusal].compactMap(\.self)
    }
}

extension RouteTable.Row {
    fileprivate var operation: JSONValue {
        var operation: JSONObject = [
            "summary": .string(documentation.summary),
            "tags": [isControl ? "emulator" : "google"],
        ]
        let parameters =
            template.parameterNames.map(pathParameter) + documentation.query.map(\.json)
            + (hasProject ? [RouteDocumentation.Query.project.json] : [])
        operation["parameters"] = parameters.isEmpty ? nil : .array(parameters)
        operation["requestBody"] = documentation.body.map { ["content": $0.content] }
        operation["responses"] = .object(responses)
        operation["security"] = documentation.needsBearer ? [["bearer": []]] : []
        return .object(operation)
    }

    private func pathParameter(_ name: String) -> JSONValue {
        [
            "name": .string(name), "in": "path", "required": true,
            "schema": ["type": "string", "minLength": 1],
        ]
    }

    private var responses: JSONObject {
        var responses: JSONObject = [
            "200": ["description": "Success.", "content": documentation.answer.content]
        ]
        let refusal = RouteDocumentation.Body(
            schema: documentation.refusalType == "application/json"
                ? documentation.refusal : .anything,
            mediaType: documentation.refusalType
        )
        for status in Set(usualRefusals + documentation.refusals).sorted() {
            responses.append(
                String(status),
                value: ["description": "Refused.", "content": refusal.content]
            )
        }
        return responses
    }

    private var usualRefusals: [Int] {
        var statuses: [Int] = []
        if documentation.body != nil { statuses.append(413) }
        if documentation.body != nil || !documentation.query.isEmpty || hasProject {
            statuses.append(400)
        }
        if hasProject { statuses.append(429) }
        if !template.parameterNames.isEmpty { statuses.append(404) }
        if documentation.needsBearer { statuses.append(401) }
        return statuses
    }
}

extension RouteDocumentation.Query {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "in": "query", "description": .string(summary),
            "schema": schema.json,
        ]
    }
}

extension RouteDocumentation.Body {
    fileprivate var content: JSONValue {
        .object([mediaType: ["schema": schema.json]])
    }
}
