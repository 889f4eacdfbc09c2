import Testing

@testable import CampaignLoading

struct TextFormTests {
    /// Tries every boundary text of the fields with every kind of text.
    @Test func `editors accept the texts that the loader accepts`() throws {
        let domains = Self.domains(of: .object(.message))
        #expect(Set(domains.map { $0.domain.expected }).count > 12)
        for (field, domain) in domains {
            guard let pattern = domain.form.pattern else { continue }
            let expression = try Regex(pattern).matchingSemantics(.unicodeScalar)
            for text in Self.texts where Self.isComparable(text, domain) {
                let isShort = text.unicodeScalars.count <= domain.form.maximumLength ?? .max
                let isTaken = try expression.wholeMatch(in: text) != nil && isShort
                #expect(isTaken == domain.contains(text), "\(field): \(text)")
            }
        }
    }

    @Test func `a form without a pattern accepts any text`() {
        for (field, domain) in Self.domains(of: .object(.message))
        where domain.form.pattern == nil {
            #expect(Self.texts.allSatisfy(domain.contains), "\(field)")
        }
    }

    /// A regular expression cannot count bytes.
    private static func isComparable(_ text: String, _ domain: TextDomain) -> Bool {
        domain.form.maximumLength == nil || text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static let texts: [String] = {
        let edges = FieldDomain.all.flatMap { $0.inside + $0.outside.map(\.text) }
        return extremes + edges.flatMap(variations)
    }()

    private static func variations(_ text: String) -> [String] {
        let inner = text.filter { !"«»\"'".contains($0) }
        return [inner, inner + "\n", " " + inner]
            + inner.split { "[], ".contains($0) }.map(String.init)
    }

    private static let extremes: [String] = [
        "2419200.000000000s", "0000000000000000000000001s", "2399999s", "1999999s", "9999999s",
        "2419199", "2419201", "2409999", "2420000", "02419200", "00000000002419200",
        "2100-02-29T00:00:00Z", "2400-02-29T00:00:00Z", "2037-06-31T00:00:00Z",
        "2037-11-30T00:00:00Z", "2037-13-01T00:00:00Z", "2037-00-01T00:00:00Z", "#12345G",
        "#1234567", "http:/a", "https://\t", "a.b.c_d", "a.b.", "é.b",
    ]

    private static func domains(
        of shape: MessageShape,
        in name: String = "message"
    ) -> [(field: String, domain: TextDomain)] {
        switch shape {
        case .text(let domain): [(name, domain)]
        case .list(let element): domains(of: element, in: name)
        case .object(let inner), .textOr(let inner):
            inner.fields.flatMap { domains(of: $0.shape, in: $0.name) }
        default: []
        }
    }
}
