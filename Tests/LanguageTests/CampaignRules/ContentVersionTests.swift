import Diagnostics
import Testing
import Text

struct WordingTests {
    private static func files(_ more: String, message: String = "{}") -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: [a] }
                message: \(message)
                \(more)
                """
        )
    }

    private static let key = "AIza" + String(repeating: "k", count: 35)
    private static let heavy = String(repeating: "x", count: 4_093)

    @Test(arguments: [
        "variants: { a: { weight: 1, message: { data: { k: «\(key)» } } }, b: { weight: 1 } }",
        "locales: { pt: { data: { k: «\(key)» } } }",
    ])
    func `a key in a variant or a locale is reported there`(more: String) {
        let files = Self.files(more)
        let found = files.findings.filter { $0.rule != .missingColumn }
        #expect(found == files.expected(.credentialInFile))
    }

    @Test(arguments: [
        "variants: { a: { weight: 1, message: { data: { text: «\(heavy)» } } }, b: { weight: 1 } }",
        "locales: { pt: { data: { text: «\(heavy)» } } }",
    ])
    func `the payload of each content version is checked`(more: String) {
        let files = Self.files(more)
        let found = files.findings.filter { $0.rule != .missingColumn }
        #expect(found == files.expected(.payloadTooLarge))
    }

    @Test func `a problem of all content versions is reported once`() {
        let files = Self.files(
            "variants: { a: { weight: 1 }, b: { weight: 1, message: { data: { n: 1 } } } }",
            message: "{ data: { k: «\(Self.key)» } }"
        )
        #expect(files.findings == files.expected(.credentialInFile))
    }
}
