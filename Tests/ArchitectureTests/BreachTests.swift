import Testing

/// Tests the checker with trees that violate the rules.
struct BreachTests {
    private static let sound = [
        ("Language/YAMLSyntax/A.swift", "import CLibYAML"),
        ("Wire/CurlTransport/A.swift", "import CLibCurl\nimport CLibNGHTTP2"),
        ("Front/HeraldCommands/A.swift", "import CLibPrctl"),
        ("Base/Decompression/A.swift", "import CLibZlib\nimport CLibZstd"),
        ("Base/PostgresClient/A.swift", "import CLibPQ"),
        ("Wire/StropheLink/A.swift", "import CLibStrophe"),
    ]

    private func breaches(_ files: (String, String)...) -> [String] {
        ModuleTable.herald.breaches(
            in: (Self.sound + files).map { SourceImports(path: $0.0, text: $0.1) }
        )
    }

    @Test func `finds nothing if the tree follows the rules`() {
        #expect(
            breaches(
                (
                    "Language/CampaignModel/A.swift",
                    "package import Scheduling\nimport Synchronization"
                )
            )
                == []
        )
    }

    @Test(arguments: [
        ("Emulator/EmulatorServer/Deep/A.swift", "CampaignModel"),
        ("Emulator/DeliveryModel/A.swift", "CampaignLoading"),
        ("Wire/FCMWire/A.swift", "Diagnostics"),
        ("Emulator/EmulatorServer/A.swift", "FCMWire"),
        ("Base/JSON/A.swift", "Time"),
        ("Language/Scheduling/A.swift", "FCMWire"),
        ("Wire/HTTPTransport/A.swift", "FCMWire"),
        ("Language/Diagnostics/A.swift", "YAMLSyntax"),
        ("Language/CampaignModel/A.swift", "State"),
        ("Front/Presentation/A.swift", "ArgumentParser"),
        ("Front/herald/Main.swift", "ArgumentParser"),
        ("Front/herald/Main.swift", "CampaignModel"),
        ("Engine/Planning/A.swift", "GRDB"),
        ("Engine/Applying/A.swift", "NIOCore"),
        ("Language/RegistrationLists/A.swift", "Foundation"),
        ("Base/Time/A.swift", "Glibc"),
        ("Wire/CurlTransport/A.swift", "Glibc"),
        ("Emulator/EmulatorServer/A.swift", "Glibc"),
        ("Front/HeraldCommands/A.swift", "Glibc"),
    ])
    func `finds an import that the table does not allow`(path: String, name: String) {
        #expect(breaches((path, "import \(name)\n")) == ["\(path) imports \(name)"])
    }

    @Test func `allows SystemIO to import the C library`() {
        #expect(breaches(("Base/SystemIO/A.swift", "package import Glibc")) == [])
    }

    @Test func `finds a C module with two importers`() {
        #expect(
            breaches(("Engine/SQLiteStore/A.swift", "import CLibCurl")) == [
                "CLibCurl is imported by [\"CurlTransport\", \"SQLiteStore\"]",
                "Engine/SQLiteStore/A.swift imports CLibCurl",
            ]
        )
    }

    @Test func `finds a C module without importers`() {
        let files = Self.sound.dropFirst().map { SourceImports(path: $0.0, text: $0.1) }
        #expect(ModuleTable.herald.breaches(in: files) == ["CLibYAML is imported by []"])
    }

    @Test func `finds a module that is not in the table`() {
        #expect(
            breaches(("Base/Utilities/A.swift", "")) == [
                "Base/Utilities/A.swift: no module of the table"
            ]
        )
    }

    @Test func `finds a module in the wrong wing`() {
        #expect(
            breaches(("Engine/Scheduling/A.swift", "")) == [
                "Engine/Scheduling/A.swift: Scheduling belongs in Language"
            ]
        )
    }

    @Test func `allows the listed files to import all of Foundation`() {
        let table = ModuleTable(
            rows: [.init(.base, "A")],
            filesWithFoundation: ["Base/A/Text.swift"]
        )
        let files = ["Base/A/Text.swift", "Base/A/Other.swift"].map {
            SourceImports(path: $0, text: "import Foundation")
        }
        #expect(table.breaches(in: files) == ["Base/A/Other.swift imports Foundation"])
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
