/// What each module may import, written by hand.
struct ModuleTable {
    struct Row {
        let name: String
        let ours: Set<String>
        let theirs: Set<String>

        init(_ name: String, _ ours: Set<String> = [], theirs: Set<String> = []) {
            self.name = name
            self.ours = ours
            self.theirs = theirs
        }
    }

    /// In the order of the program: a row names rows above it only.
    let rows: [Row]
    /// Files that may import the whole of Foundation, relative to `Sources`.
    let filesWithFoundation: Set<String>

    static let herald = ModuleTable(
        rows: [
            Row("CLibYAML"),
            Row("CLibCurl"),
            Row("CLibSSL"),
            Row("CLibNGHTTP2"),
            Row("CLibPrctl"),
            Row("CBuild"),
            Row("Diagnostics"),
            Row("HTML", ["Diagnostics"]),
            Row("YAMLSyntax", ["Diagnostics", "CLibYAML"]),
            Row("Scheduling"),
            Row("FCMWire"),
            Row("CampaignModel", ["Scheduling", "FCMWire"]),
            Row(
                "CampaignLoading",
                ["Diagnostics", "YAMLSyntax", "Scheduling", "FCMWire", "CampaignModel"]
            ),
            Row(
                "CampaignMessages",
                ["CampaignModel", "Scheduling", "FCMWire"],
                theirs: ["Crypto"]
            ),
            Row("Registrations", ["Diagnostics", "FCMWire", "CampaignModel"], theirs: ["Crypto"]),
            Row(
                "CampaignRules",
                [
                    "Diagnostics", "CampaignLoading", "CampaignModel", "CampaignMessages",
                    "Registrations", "Scheduling", "FCMWire",
                ]
            ),
            Row("CampaignState", ["CampaignModel", "Scheduling", "FCMWire"]),
            Row(
                "CampaignPlanning",
                [
                    "CampaignModel", "CampaignState", "CampaignMessages", "Registrations",
                    "Scheduling", "FCMWire",
                ],
                theirs: ["Crypto"]
            ),
            Row("HTTPTransport"),
            Row("GoogleAuth", ["FCMWire", "HTTPTransport"], theirs: ["JWTKit"]),
            Row(
                "CampaignExecution",
                [
                    "CampaignModel", "CampaignPlanning", "CampaignMessages", "CampaignState",
                    "Registrations", "Scheduling", "FCMWire", "HTTPTransport",
                ],
                theirs: ["Logging"]
            ),
            Row(
                "CampaignReporting",
                [
                    "CampaignModel", "CampaignPlanning", "CampaignState", "CampaignExecution",
                    "CampaignMessages", "Registrations", "Diagnostics", "HTML", "Scheduling",
                    "FCMWire",
                ]
            ),
            Row("CurlTransport", ["HTTPTransport", "CLibCurl", "CLibSSL", "CLibNGHTTP2"]),
            Row(
                "SQLiteStore",
                ["CampaignState", "CampaignModel", "Scheduling", "FCMWire"],
                theirs: ["Crypto", "GRDB"]
            ),
            Row("FCMDelivery", ["FCMWire"]),
            Row(
                "FCMEmulator",
                ["FCMDelivery", "FCMWire"],
                theirs: [
                    "Crypto", "CryptoExtras", "JWTKit", "Logging", "NIOCore", "NIOHPACK",
                    "NIOHTTP1", "NIOHTTP2", "NIOPosix", "NIOSSL", "SwiftASN1", "X509",
                ]
            ),
            Row(
                "CampaignSimulation",
                [
                    "CampaignModel", "CampaignLoading", "CampaignMessages", "CampaignPlanning",
                    "CampaignReporting", "Diagnostics", "HTML", "Scheduling", "FCMWire",
                    "FCMDelivery", "FCMEmulator",
                ]
            ),
            Row(
                "HeraldCommands",
                [
                    "Diagnostics", "YAMLSyntax", "Scheduling", "FCMWire", "CampaignModel",
                    "CampaignLoading", "CampaignMessages", "CampaignRules", "Registrations",
                    "CampaignState", "CampaignPlanning", "HTTPTransport", "CampaignExecution",
                    "CampaignReporting", "CurlTransport", "SQLiteStore", "FCMDelivery",
                    "FCMEmulator", "CampaignSimulation", "GoogleAuth", "CBuild", "CLibPrctl",
                ],
                theirs: ["ArgumentParser", "Logging"]
            ),
            Row("herald", ["HeraldCommands"]),
        ],
        filesWithFoundation: []
    )

    /// What comes with the toolchain and the system.
    static let platform: Set<String> = [
        "Swift", "Synchronization", "Dispatch", "FoundationEssentials", "Glibc", "Musl", "Darwin",
    ]

    func row(_ name: String) -> Row? { rows.first { $0.name == name } }

    /// Every breach, in words, sorted.
    func breaches(in files: [SourceImports]) -> [String] {
        (files.flatMap { breaches(of: $0) } + sharedCModules(files)).sorted()
    }

    private func breaches(of file: SourceImports) -> [String] {
        guard let row = row(file.module) else { return ["\(file.path): no module of the table"] }
        let allowed = row.ours.union(row.theirs).union(Self.platform)
        return file.imports.subtracting(allowed).compactMap { name in
            if name == "Foundation", filesWithFoundation.contains(file.path) { return nil }
            return "\(file.path) imports \(name)"
        }
    }

    /// A C module belongs to one Swift module, whatever the table says.
    private func sharedCModules(_ files: [SourceImports]) -> [String] {
        rows.map(\.name).filter { $0.hasPrefix("CLib") }.compactMap { name in
            let importers = Set(files.filter { $0.imports.contains(name) }.map(\.module)).sorted()
            return importers.count == 1 ? nil : "\(name) is imported by \(importers)"
        }
    }
}
