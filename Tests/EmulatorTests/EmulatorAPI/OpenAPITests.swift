import EmulatorWeb
import JSON
import Testing

@testable import EmulatorAPI

struct OpenAPITests {
    @Test func `the document contains exactly the served routes`() throws {
        let file = try #require(JSONValue(parsing: OpenAPIDocument.text(of: .served)))
        let paths = try #require(file["paths"]?.objectValue)
        let documented = paths.members.flatMap { path in
            (path.value.objectValue?.members ?? []).map { "\($0.key.uppercased()) \(path.key)" }
        }
        let served = RouteTable.served.rows.map { "\($0.method) \($0.template.text)" }
        #expect(documented.sorted() == served.sorted())
        #expect(Set(served).count == served.count)
    }

    @Test func `every reference resolves`() throws {
        let file = try #require(JSONValue(parsing: OpenAPIDocument.text(of: .served)))
        let schemas = try #require(file["components"]?["schemas"]?.objectValue)
        let references = file.references
        #expect(references.count > 50)
        for reference in references {
            let name = String(reference.dropFirst("#/components/schemas/".count))
            #expect(schemas[name] != nil, "\(reference)")
        }
    }

    @Test func `the parameters of each path are documented by name`() throws {
        let file = try #require(JSONValue(parsing: OpenAPIDocument.text(of: .served)))
        let path = "/emulator/v1/devices/{name}/subscriptions/{topic}"
        let parameters = file["paths"]?[path]?["delete"]?["parameters"]?.arrayValue
        #expect(parameters?.map { $0["name"] } == ["name", "topic", "project"])
        #expect(parameters?.map { $0["in"] } == ["path", "path", "query"])
    }
}

extension JSONValue {
    /// The targets of all `$ref` members in the value.
    fileprivate var references: [String] {
        switch self {
        case .array(let elements): elements.flatMap(\.references)
        case .object(let object):
            object.members.flatMap { member in
                member.key == "$ref"
                    ? [member.value.stringValue ?? ""] : member.value.references
            }
        default: []
        }
    }
}
