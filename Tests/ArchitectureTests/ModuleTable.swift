/// The imports that each module may use, maintained by hand.
struct ModuleTable {
    /// The folders of `Sources`.
    enum Wing: String, CaseIterable {
        case base = "Base"
        case wire = "Wire"
        case language = "Language"
        case engine = "Engine"
        case emulator = "Emulator"
        case front = "Front"

        /// The wings that modules of this wing may import from.
        var reachable: Set<Wing> {
            switch self {
            case .base: [.base]
            case .wire: [.base, .wire]
            case .language: [.base, .wire, .language]
            case .engine: [.base, .wire, .language, .engine]
            case .emulator: [.base, .emulator]
            case .front: Set(Wing.allCases)
            }
        }
    }

    struct Row {
        let wing: Wing
        let name: String
        let ours: Set<String>
        let theirs: Set<String>

        init(
            _ wing: Wing,
            _ name: String,
            _ ours: Set<String> = [],
            theirs: Set<String> = []
        ) {
            self.wing = wing
            self.name = name
            self.ours = ours
            self.theirs = theirs
        }
    }

    /// In dependency order: a row names only rows above it.
    let rows: [Row]
    /// Files that may import all of Foundation, relative to `Sources`.
    let filesWithFoundation: Set<String>

    static let herald = ModuleTable(
        rows: [
            Row(.base, "CLibYAML"),
            Row(.base, "CLibCurl"),
            Row(.base, "CLibNGHTTP2"),
            Row(.base, "CLibPQ"),
            Row(.base, "CLibZlib"),
            Row(.base, "CLibZstd"),
            Row(.base, "CLibPrctl"),
            Row(.base, "CLibStrophe"),
            Row(.base, "CBuild"),
            Row(.base, "Text"),
            Row(.base, "JSON", ["Text"]),
            Row(.base, "SystemIO"),
            Row(.base, "Decompression", ["SystemIO", "CLibZlib", "CLibZstd"]),
            Row(.base, "PostgresClient", ["SystemIO", "CLibPQ"]),
            Row(.base, "Time", ["Text", "SystemIO"]),
            Row(.base, "HTML", ["Text"], theirs: ["Crypto"]),

            Row(.wire, "Envelopes", theirs: ["Crypto"]),
            Row(.wire, "FCMWire", ["JSON", "Text"]),
            Row(.wire, "HTTPTransport"),
            Row(
                .wire,
                "CurlTransport",
                ["HTTPTransport", "SystemIO", "CLibCurl", "CLibNGHTTP2"]
            ),
            Row(
                .wire,
                "HTTPServing",
                ["HTTPTransport", "SystemIO"],
                theirs: ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"]
            ),
            Row(.wire, "FCMClient", ["FCMWire", "HTTPTransport", "JSON", "Time"]),
            Row(
                .wire,
                "GoogleAuth",
                ["HTTPTransport", "JSON", "Text"],
                theirs: ["JWTKit"]
            ),
            Row(.wire, "SSHSignatures", theirs: ["Crypto", "CryptoExtras"]),
            Row(.wire, "Upstream", ["JSON"]),
            Row(.wire, "StropheLink", ["SystemIO", "Upstream", "CLibStrophe"]),

            Row(.language, "Diagnostics"),
            Row(.language, "YAMLSyntax", ["Diagnostics", "Text", "CLibYAML"]),
            Row(.language, "Scheduling", ["Time", "Text"]),
            Row(.language, "CampaignModel", ["Scheduling", "Time", "JSON", "Text"]),
            Row(
                .language,
                "CampaignMessages",
                ["CampaignModel", "Envelopes", "Scheduling", "FCMWire", "JSON", "Text", "Time"],
                theirs: ["Crypto"]
            ),
            Row(
                .language,
                "CampaignLoading",
                [
                    "Diagnostics", "YAMLSyntax", "Scheduling", "CampaignModel", "JSON",
                    "SystemIO", "Text", "Time",
                ]
            ),
            Row(
                .language,
                "RegistrationLists",
                [
                    "CampaignModel", "Decompression", "Envelopes", "JSON", "SystemIO", "Text",
                    "Time",
                ],
                theirs: ["Crypto"]
            ),
            Row(
                .language,
                "CampaignRules",
                [
                    "Diagnostics", "CampaignLoading", "CampaignModel", "CampaignMessages",
                    "RegistrationLists", "Scheduling", "FCMWire", "JSON", "Text", "Time",
                ]
            ),

            Row(.engine, "State", ["CampaignModel", "JSON", "Text", "Time"]),
            Row(
                .engine,
                "Inbox",
                [
                    "State", "CampaignModel", "CampaignMessages", "RegistrationLists", "JSON",
                    "SystemIO", "Text", "Time",
                ],
                theirs: ["Crypto"]
            ),
            Row(
                .engine,
                "Listening",
                [
                    "GoogleAuth", "Upstream", "CampaignModel", "State", "Inbox", "JSON", "Text",
                    "Time",
                ],
                theirs: ["Crypto"]
            ),
            Row(
                .engine,
                "StoreTables",
                ["State", "Inbox", "CampaignModel", "JSON", "Text", "Time"],
                theirs: ["Crypto"]
            ),
            Row(
                .engine,
                "SQLiteStore",
                [
                    "State", "Inbox", "StoreTables", "CampaignModel", "JSON", "SystemIO", "Text",
                    "Time",
                ],
                theirs: ["GRDB", "GRDBSQLite"]
            ),
            Row(.engine, "Fleet"),
            Row(
                .engine,
                "PostgresStore",
                [
                    "PostgresClient", "State", "Inbox", "StoreTables", "Fleet", "CampaignModel",
                    "JSON", "Text", "Time",
                ]
            ),
            Row(.engine, "RateControl", ["CampaignModel"]),
            Row(.engine, "Statistics"),
            Row(
                .engine,
                "Planning",
                [
                    "CampaignModel", "State", "RateControl", "CampaignMessages",
                    "RegistrationLists",
                    "Scheduling", "FCMWire", "JSON", "Text", "Time",
                ],
                theirs: ["Crypto"]
            ),
            Row(.engine, "Approvals", ["CampaignModel", "SSHSignatures", "Time"]),
            Row(
                .engine,
                "Experiments",
                [
                    "CampaignModel", "RegistrationLists", "State", "Statistics", "JSON", "SystemIO",
                    "Time",
                ]
            ),
            Row(
                .engine,
                "Preflight",
                ["FCMClient", "FCMWire", "HTTPTransport", "JSON", "SystemIO", "Text", "Time"]
            ),
            Row(
                .engine,
                "RunControl",
                [
                    "CampaignModel", "RegistrationLists", "State", "RateControl", "FCMClient",
                    "HTTPTransport", "Time",
                ]
            ),
            Row(
                .engine,
                "Sending",
                [
                    "CampaignModel", "CampaignMessages", "Envelopes", "RegistrationLists",
                    "Scheduling", "State", "Fleet", "RateControl", "Planning", "RunControl",
                    "FCMClient", "FCMWire", "HTTPTransport", "JSON", "Time",
                ]
            ),
            Row(
                .engine,
                "Memberships",
                [
                    "CampaignModel", "RegistrationLists", "State", "RateControl", "Planning",
                    "RunControl", "FCMClient", "FCMWire", "HTTPTransport", "Time",
                ]
            ),
            Row(
                .engine,
                "Applying",
                [
                    "CampaignModel", "CampaignMessages", "Envelopes", "RegistrationLists",
                    "Scheduling", "State", "RateControl", "Planning", "RunControl", "Sending",
                    "Memberships", "FCMClient", "FCMWire", "HTTPTransport", "JSON", "Text", "Time",
                ]
            ),

            Row(
                .engine,
                "Service",
                [
                    "CampaignModel", "State", "RateControl", "Planning", "RunControl", "Sending",
                    "Applying", "FCMClient", "HTTPTransport", "Text", "Time",
                ],
                theirs: ["Crypto"]
            ),

            Row(.emulator, "DeliveryModel", ["JSON", "Text"]),
            Row(.emulator, "PhoneKeys", ["JSON"], theirs: ["Crypto"]),
            Row(
                .emulator,
                "EmulatorAuth",
                ["JSON", "Text", "Time"],
                theirs: ["Crypto", "CryptoExtras", "JWTKit"]
            ),
            Row(
                .emulator,
                "EmulatorAPI",
                ["DeliveryModel", "EmulatorAuth", "JSON", "PhoneKeys", "SystemIO", "Text"]
            ),
            Row(.emulator, "EmulatorWeb", ["DeliveryModel", "EmulatorAPI", "JSON", "PhoneKeys"]),
            Row(.emulator, "EmulatorXMPP", ["JSON"]),
            Row(
                .emulator,
                "EmulatorServer",
                [
                    "DeliveryModel", "EmulatorAPI", "EmulatorWeb", "EmulatorXMPP", "JSON",
                    "SystemIO",
                ],
                theirs: [
                    "Crypto", "Logging", "NIOCore", "NIOHPACK", "NIOHTTP1", "NIOHTTP2", "NIOPosix",
                    "NIOSSL", "SwiftASN1", "X509",
                ]
            ),

            Row(
                .front,
                "Simulation",
                [
                    "CampaignModel", "CampaignLoading", "CampaignMessages", "Planning",
                    "Scheduling", "FCMWire", "DeliveryModel", "JSON", "Time",
                ]
            ),
            Row(
                .front,
                "Presentation",
                [
                    "CampaignModel", "CampaignMessages", "CampaignLoading", "CampaignRules",
                    "Envelopes", "Planning", "State", "Fleet", "RunControl", "Sending",
                    "Memberships", "Applying", "Approvals", "SSHSignatures",
                    "Service", "GoogleAuth", "Upstream", "Inbox", "Listening",
                    "Preflight", "Experiments", "Statistics", "RateControl",
                    "FCMClient", "Diagnostics",
                    "HTML", "SystemIO", "RegistrationLists", "Scheduling",
                    "DeliveryModel", "EmulatorAPI", "Simulation", "FCMWire", "JSON", "Text", "Time",
                ]
            ),
            Row(
                .front,
                "HeraldCommands",
                [
                    "Diagnostics", "Envelopes", "YAMLSyntax", "Scheduling", "FCMWire",
                    "CampaignModel", "CampaignLoading", "CampaignMessages", "CampaignRules",
                    "RegistrationLists",
                    "State", "Inbox", "Planning", "HTTPTransport", "FCMClient", "Preflight",
                    "Experiments",
                    "Statistics", "RateControl", "RunControl", "Sending", "Memberships", "Applying",
                    "Approvals", "SSHSignatures", "Service", "Upstream", "Listening",
                    "Presentation", "CurlTransport", "HTTPServing", "StoreTables", "SQLiteStore",
                    "PostgresStore", "DeliveryModel", "EmulatorAPI", "EmulatorWeb",
                    "EmulatorServer", "PhoneKeys", "Simulation",
                    "GoogleAuth", "CBuild", "CLibPrctl", "JSON", "PostgresClient", "SystemIO",
                    "Text", "Time",
                ],
                theirs: ["ArgumentParser", "Logging"]
            ),
            Row(.front, "herald", ["HeraldCommands"]),
            Row(.front, "herald-listen", ["HeraldCommands", "StropheLink"]),
        ],
        filesWithFoundation: []
    )

    /// Modules of the toolchain and the system, and the mutants of `make crash`, which no other
    /// build has.
    static let platform: Set<String> = [
        "Swift", "Synchronization", "Dispatch", "FoundationEssentials",
    ]

    /// The modules that may import the C library: one for system calls, one for `log` and `exp`.
    static let importersOfGlibc: Set<String> = ["SystemIO", "Statistics"]

    func row(_ name: String) -> Row? { rows.first { $0.name == name } }

    /// Returns a sorted description of every violation.
    func breaches(in files: [SourceImports]) -> [String] {
        (files.flatMap { breaches(of: $0) } + sharedCModules(files)).sorted()
    }

    private func breaches(of file: SourceImports) -> [String] {
        guard let row = row(file.module) else { return ["\(file.path): no module of the table"] }
        guard file.wing == row.wing.rawValue else {
            return ["\(file.path): \(row.name) belongs in \(row.wing.rawValue)"]
        }
        var allowed = row.ours.union(row.theirs).union(Self.platform)
        if Self.importersOfGlibc.contains(row.name) { allowed.insert("Glibc") }
        return file.imports.subtracting(allowed).compactMap { name in
            if name == "Foundation", filesWithFoundation.contains(file.path) { return nil }
            return "\(file.path) imports \(name)"
        }
    }

    /// A C module belongs to one Swift module, regardless of the table.
    private func sharedCModules(_ files: [SourceImports]) -> [String] {
        rows.map(\.name).filter { $0.hasPrefix("CLib") }.compactMap { name in
            let importers = Set(files.filter { $0.imports.contains(name) }.map(\.module)).sorted()
            return importers.count == 1 ? nil : "\(name) is imported by \(importers)"
        }
    }
}
