import Testing

struct ModuleTableTests {
    private static let sources =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Sources"

    @Test func `the table allows every import`() throws {
        let files = try SourceImports.all(inFolder: Self.sources)
        #expect(files.count > 100)
        #expect(ModuleTable.herald.breaches(in: files) == [])
    }

    @Test func `imports point up the table, never down`() {
        var above: Set<String> = []
        for row in ModuleTable.herald.rows {
            #expect(row.ours.subtracting(above) == [], "\(row.name)")
            above.insert(row.name)
        }
    }

    @Test func `the table keeps separated modules apart`() throws {
        let table = ModuleTable.herald
        for name in ["FCMDelivery", "FCMEmulator"] {
            let row = try #require(table.row(name))
            #expect(!row.ours.contains { $0.hasPrefix("Campaign") }, "\(name)")
        }
        for name in ["FCMWire", "Scheduling", "HTTPTransport"] {
            #expect(try #require(table.row(name)).ours == [], "\(name)")
        }
        for row in table.rows where row.name.hasPrefix("CLib") {
            #expect(table.rows.count { $0.ours.contains(row.name) } == 1, "\(row.name)")
        }
        let parsers = table.rows.filter { $0.theirs.contains("ArgumentParser") }.map(\.name)
        #expect(parsers == ["HeraldCommands"])
        #expect(try #require(table.row("herald")).ours == ["HeraldCommands"])
        #expect(table.filesWithFoundation == [])
    }
}
