import Diagnostics
import Testing
import YAMLSyntax

struct AliasGrowthTests {
    /// `levels` lists, each with nine times the nodes of the previous one.
    private func laughs(levels: Int) -> String {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<levels {
            let many = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(many)]\n"
        }
        return text
    }

    @Test(arguments: [6, 99])
    func `exponential aliases are one error at the first excess alias`(levels: Int) throws {
        let parsed = ParsedYAML(laughs(levels: levels))
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlAliases])
        // 90, 819, 7,380 and 66,429 nodes for the nine aliases of each list, then 66,430 each.
        let line = Array("a5: &a5 [".utf8)
        let start = try #require(
            parsed.bytes.indices.first { parsed.bytes[$0...].starts(with: line) }
        )
        let alias = start + line.count
        #expect(
            parsed.diagnostics[0].span
                == SourceSpan(source: parsed.source, start: alias, end: alias + 3)
        )
    }

    @Test func `accepts the maximum number of nodes through aliases`() throws {
        // A list of 99 elements plus itself, a thousand times.
        let list = "a: &a [" + String(repeating: "x, ", count: 99) + "]\nb:\n"
        let most = list + String(repeating: "- *a\n", count: 1000)
        #expect(ParsedYAML(most).diagnostics.isEmpty)
        let more = ParsedYAML(most + "c: &c x\nd: *c\n")
        #expect(more.tree == nil)
        #expect(more.rules == [.yamlAliases])
        #expect(more.diagnostics[0].span == (try more.span(of: "*c")))
    }

    @Test func `merged nodes count`() {
        var text = "a: &a {" + (0..<999).map { "k\($0): x, " }.joined() + "}\nb:\n"
        text += String(repeating: "- <<: *a\n", count: 51)
        #expect(ParsedYAML(text).rules == [.yamlAliases])
    }

    private func chain(_ levels: Int, _ link: (String) -> String) -> String {
        (1..<levels).reduce("a0: &a0 \(link("x"))\n") { text, level in
            text + "a\(level): &a\(level) \(link("*a\(level - 1)"))\n"
        }
    }

    @Test(arguments: ["[#]", "{ k: # }"])
    func `a chain of aliases is at most 100 deep`(link: String) {
        let parts = link.split(separator: "#")
        func chain(_ levels: Int) -> String {
            self.chain(levels) { "\(parts[0])\($0)\(parts[1])" }
        }
        // The outermost mapping is also a level.
        #expect(ParsedYAML(chain(99)).diagnostics.isEmpty)
        let parsed = ParsedYAML(chain(5000))
        #expect(parsed.tree == nil)
        #expect(parsed.rules == [.yamlNesting])
        #expect(parsed.diagnostics[0].span.map(parsed.source) == "*a98")
    }

    @Test func `a chain of merges is as deep as each of its mappings`() throws {
        let one = chain(300) { $0 == "x" ? "{ k: x }" : "{ <<: \($0) }" }
        let parsed = ParsedYAML(one)
        #expect(parsed.diagnostics.isEmpty)
        #expect(try parsed.source(at: "a299 k") == "x")
        let many = chain(300) { $0 == "x" ? "{ k: x }" : "{ <<: [\($0)] }" }
        #expect(ParsedYAML(many).diagnostics.isEmpty)
    }

    @Test func `thousands of unknown aliases are reported quickly`() {
        let name = String(repeating: "n", count: 200)
        var text = ""
        for number in 0..<3000 { text += "- &\(name)\(number) x\n- *\(number)\(name)\n" }
        let parsed = ParsedYAML(text)
        #expect(parsed.rules == Array(repeating: .unknownAnchor, count: 3000))
    }
}
