import Testing

/// Tests the checker with trees that violate the rules.
struct BreachTests {
    private static let sound = [
        ("YAMLSyntax/A.swift", "import CLibYAML"),
        ("CurlTransport/A.swift", "import CLibCurl\nimport CLibSSL\nimport CLibNGHTTP2"),
        ("HeraldCommands/A.swift", "import CLibPrctl"),
    ]

    private func breaches(_ files: (String, String)...) -> [String] {
        ModuleTable.herald.breaches(
            in: (Self.sound + files).map { SourceImports(path: $0.0, text: $0.1) }
        )
    }

    @Test func `finds nothing in a sound tree`() {
        #expect(
            breaches(("CampaignModel/A.swift", "package import FCMWire\nimport Synchronization"))
                == []
        )
    }

    @Test(arguments: [
        ("FCMEmulator/Deep/A.swift", "CampaignModel"),
        ("FCMDelivery/A.swift", "CampaignLoading"),
        ("FCMWire/A.swift", "Diagnostics"),
        ("Scheduling/A.swift", "FCMWire"),
        ("HTTPTransport/A.swift", "FCMWire"),
        ("Diagnostics/A.swift", "YAMLSyntax"),
        ("CampaignModel/A.swift", "CampaignState"),
        ("CampaignReporting/A.swift", "ArgumentParser"),
        ("herald/Main.swift", "ArgumentParser"),
        ("herald/Main.swift", "CampaignModel"),
        ("CampaignPlanning/A.swift", "GRDB"),
        ("CampaignExecution/A.swift", "NIOCore"),
        ("Registrations/A.swift", "Foundation"),
    ])
    func `finds an import that the table does not allow`(path: String, name: String) {
        #expect(breaches((path, "import \(name)\n")) == ["\(path) imports \(name)"])
    }

    @Test func `finds a C module with two importers`() {
        #expect(
            breaches(("SQLiteStore/A.swift", "import CLibCurl")) == [
                "CLibCurl is imported by [\"CurlTransport\", \"SQLiteStore\"]",
                "SQLiteStore/A.swift imports CLibCurl",
            ]
        )
    }

    @Test func `finds a C module without importers`() {
        let files = Self.sound.dropFirst().map { SourceImports(path: $0.0, text: $0.1) }
        #expect(ModuleTable.herald.breaches(in: files) == ["CLibYAML is imported by []"])
    }

    @Test func `finds a module that is not in the table`() {
        #expect(
            breaches(("Utilities/A.swift", "")) == ["Utilities/A.swift: no module of the table"]
        )
    }

    @Test func `allows the listed files to import all of Foundation`() {
        let table = ModuleTable(
            rows: [.init("A")],
            filesWithFoundation: ["A/Text.swift"]
        )
        let files = ["A/Text.swift", "A/Other.swift"].map {
            SourceImports(path: $0, text: "import Foundation")
        }
        #expect(table.breaches(in: files) == ["A/Other.swift imports Foundation"])
    }

    @Test(arguments: [
        ("import GRDB", "GRDB"), ("package import CampaignModel", "CampaignModel"),
        ("  @preconcurrency import NIOCore", "NIOCore"), ("import struct GRDB.Row", "GRDB"),
        ("@testable import A", "A"), ("import Foundation.NSURL", "Foundation"),
        ("@_spi(Testing) public import A\r", "A"), ("import A // why", "A"),
    ])
    func `reads every form of import`(line: String, module: String) {
        #expect(SourceImports.imported(line[...]) == module)
    }

    @Test(arguments: ["// import GRDB", "important", "let import_ = 1", "\"import GRDB\"", ""])
    func `ignores lines that are not imports`(line: String) {
        #expect(SourceImports.imported(line[...]) == nil)
    }
}
