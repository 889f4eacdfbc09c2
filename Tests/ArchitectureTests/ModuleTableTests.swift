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

    @Test func `only SystemIO and Statistics import the C library`() throws {
        let files = try SourceImports.all(inFolder: Self.sources)
        let names: Set<String> = ["Glibc", "Musl", "Darwin"]
        let importers = Set(files.filter { !$0.imports.isDisjoint(with: names) }.map(\.module))
        #expect(importers == ModuleTable.importersOfGlibc)
    }

    @Test func `a module imports only modules above it`() {
        var above: Set<String> = []
        for row in ModuleTable.herald.rows {
            #expect(row.ours.subtracting(above) == [], "\(row.name)")
            above.insert(row.name)
        }
    }

    @Test func `a module imports only from the wings that its wing may reach`() throws {
        let table = ModuleTable.herald
        for row in table.rows {
            for name in row.ours {
                let imported = try #require(table.row(name))
                #expect(row.wing.reachable.contains(imported.wing), "\(row.name) imports \(name)")
            }
        }
    }

    @Test func `the emulator imports nothing but Base and its own wing`() {
        #expect(ModuleTable.Wing.emulator.reachable == [.base, .emulator])
        #expect(ModuleTable.herald.rows.contains { $0.wing == .emulator })
    }

    @Test func `the table respects the walls`() throws {
        let table = ModuleTable.herald
        #expect(try #require(table.row("HTTPTransport")).ours == [])
        for row in table.rows where row.name.hasPrefix("CLib") {
            #expect(table.rows.count { $0.ours.contains(row.name) } == 1, "\(row.name)")
        }
        let parsers = table.rows.filter { $0.theirs.contains("ArgumentParser") }.map(\.name)
        #expect(parsers == ["HeraldCommands"])
        let databases = table.rows.filter { $0.theirs.contains("GRDB") }.map(\.name)
        #expect(databases == ["SQLiteStore"])
        #expect(try #require(table.row("herald")).ours == ["HeraldCommands"])
        #expect(table.filesWithFoundation == [])
    }
}
