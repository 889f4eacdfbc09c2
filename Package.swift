// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings of every Swift module.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of modules that import C: every unsafe construct is marked.
let houseOverC: [SwiftSetting] = house + [.strictMemorySafety()]

/// A wing of `Sources`; imports between wings follow `Tests/ArchitectureTests`.
enum Wing: String {
    case base = "Base"
    case wire = "Wire"
    case language = "Language"
    case engine = "Engine"
    case emulator = "Emulator"
    case front = "Front"

    func path(of module: String) -> String { "Sources/\(rawValue)/\(module)" }

    func module(
        _ name: String,
        _ dependencies: [Target.Dependency] = [],
        exclude: [String] = [],
        resources: [Resource] = [],
        settings: [SwiftSetting] = house
    ) -> Target {
        .target(
            name: name,
            dependencies: dependencies,
            path: path(of: name),
            exclude: exclude,
            resources: resources,
            swiftSettings: settings
        )
    }

    func library(_ name: String, pkgConfig: String? = nil, apt: String? = nil) -> Target {
        .systemLibrary(
            name: name,
            path: path(of: name),
            pkgConfig: pkgConfig,
            providers: apt.map { [.apt([$0])] }
        )
    }
}

/// The Markdown pages of the rules.
///
/// `Scripts/embed-rule-pages.py` embeds them in a Swift file.
let rulePages =
    (FileManager.default
    .enumerator(atPath: "\(Context.packageDirectory)/\(Wing.language.path(of: "CampaignRules"))")?
    .compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(".md") }
    .sorted()

/// The files of the emulator's web page, embedded in the program.
let pageFiles: [Resource] = [
    "page.html", "page.css", "phones.css", "views.css", "page.js", "activity.js", "address.js",
    "control.js", "dialogs.js", "dom.js", "faults.js", "feed.js", "grid.js", "inbox.js", "keys.js",
    "phone.js", "replies.js", "request.js", "requests.js", "send.js", "settings.js", "words.js",
].map { .embedInCode("Files/\($0)") }

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        // The tests themselves gain nothing from optimization, and it triples their build time.
        swiftSettings: house + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
    )
}

/// The commit that `make` builds from; a plain `swift build` leaves it out.
///
/// A C module carries it, because a new commit then recompiles one C file and no Swift.
let commitSetting: [CSetting] =
    if let commit = Context.environment["HERALD_BUILD_COMMIT"], !commit.isEmpty {
        [.define("HERALD_BUILD_COMMIT", to: commit)]
    } else {
        []
    }

let icuData = Context.environment["HERALD_ICU_DATA"].map { [$0] } ?? []

/// Lets the program of the tarball find its libraries next to itself.
///
/// The older of the two tags for a path also counts for libraries that libraries need.
let portable = Context.environment["HERALD_PORTABLE"]
let libraryPath =
    portable == nil ? [] : ["--disable-new-dtags", "-rpath=$ORIGIN/../lib/herald"]

/// The folder with archives to link instead of shared libraries, which comes before the compiler's folders.
let archives = portable.map { ["-L\($0)"] } ?? []

/// Equal functions are merged unless the program compares their addresses.
let linkerOptions = ["--no-export-dynamic", "--icf=safe", "-z", "relro", "-z", "now"] + libraryPath

/// Links the program that users install.
///
/// It has a fixed address, which needs no relocations at start-up, and no exported symbols, which the loader would
/// search for each symbol of each library (decision 43). All addresses of functions are resolved at the start, so that
/// the table with them is read-only (full RELRO). The part of ICU's data comes first, so that the linker does not take
/// all of them (decision 85).
///
/// Only `Scripts/build-static.sh` sets these variables, for the program that is linked with Swift's libraries.
let releaseLinking: [LinkerSetting] =
    if Context.environment["HERALD_STATIC"] != nil {
        [
            .unsafeFlags(["-Xclang-linker", "-no-pie"] + archives + icuData),
            .unsafeFlags(linkerOptions.flatMap { ["-Xlinker", $0] }),
        ]
    } else {
        []
    }

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
/// The C functions for which GRDB has no name.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let certificates = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")

let package = Package(
    name: "herald",
    products: [
        .executable(name: "herald", targets: ["herald"]),
        .executable(name: "herald-listen", targets: ["herald-listen"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // A target may depend only on targets above it.
        Wing.base.library("CLibYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        Wing.base.library("CLibNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
        Wing.base.library("CLibZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        Wing.base.library("CLibZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        Wing.base.library("CLibPrctl"),
        .target(
            name: "CLibStrophe",
            path: Wing.base.path(of: "CLibStrophe"),
            linkerSettings: [.linkedLibrary("strophe")]
        ),
        .target(name: "CLibCurl", path: Wing.base.path(of: "CLibCurl")),
        .target(name: "CLibPQ", path: Wing.base.path(of: "CLibPQ")),
        .target(
            name: "CBuild",
            path: Wing.base.path(of: "CBuild"),
            cSettings: commitSetting + (portable == nil ? [] : [.define("HERALD_PORTABLE")])
        ),
        Wing.base.module("Text"),
        Wing.base.module("JSON", ["Text"]),
        Wing.base.module("SystemIO"),
        Wing.base.module(
            "Decompression",
            ["SystemIO", "CLibZlib", "CLibZstd"],
            settings: houseOverC
        ),
        Wing.base.module("PostgresClient", ["SystemIO", "CLibPQ"], settings: houseOverC),
        Wing.base.module("Time", ["Text", "SystemIO"]),
        Wing.base.module("HTML", ["Text", crypto]),

        Wing.wire.module("Envelopes", [crypto]),
        Wing.wire.module("FCMWire", ["JSON", "Text"]),
        Wing.wire.module("HTTPTransport"),
        Wing.wire.module(
            "CurlTransport",
            ["HTTPTransport", "SystemIO", "CLibCurl", "CLibNGHTTP2"],
            settings: houseOverC
        ),
        Wing.wire.module(
            "HTTPServing",
            ["HTTPTransport", "SystemIO", nioCore, nioHTTP1, nioPosix, nioSSL]
        ),
        Wing.wire.module("FCMClient", ["FCMWire", "HTTPTransport", "JSON", "Time"]),
        Wing.wire.module("GoogleAuth", ["HTTPTransport", "JSON", "Text", jwt]),
        Wing.wire.module("SSHSignatures", [crypto, cryptoExtras]),
        Wing.wire.module("Upstream", ["JSON"]),
        Wing.wire.module(
            "StropheLink",
            ["SystemIO", "Upstream", "CLibStrophe"],
            settings: houseOverC
        ),

        Wing.language.module("Diagnostics"),
        Wing.language.module(
            "YAMLSyntax",
            ["Diagnostics", "Text", "CLibYAML"],
            settings: houseOverC
        ),
        Wing.language.module("Scheduling", ["Time", "Text"]),
        Wing.language.module("CampaignModel", ["Scheduling", "Time", "JSON", "Text"]),
        Wing.language.module(
            "CampaignMessages",
            ["CampaignModel", "Envelopes", "Scheduling", "FCMWire", "JSON", "Text", "Time", crypto]
        ),
        Wing.language.module(
            "CampaignLoading",
            [
                "Diagnostics", "YAMLSyntax", "Scheduling", "CampaignModel", "JSON", "SystemIO",
                "Text", "Time",
            ]
        ),
        Wing.language.module(
            "RegistrationLists",
            [
                "CampaignModel", "Decompression", "Envelopes", "JSON", "SystemIO", "Text", "Time",
                crypto,
            ]
        ),
        Wing.language.module(
            "CampaignRules",
            [
                "Diagnostics", "CampaignLoading", "CampaignModel", "CampaignMessages",
                "RegistrationLists", "Scheduling", "FCMWire", "JSON", "Text", "Time",
            ],
            exclude: rulePages
        ),

        Wing.engine.module("State", ["CampaignModel", "JSON", "Text", "Time"]),
        Wing.engine.module(
            "Inbox",
            [
                "State", "CampaignModel", "CampaignMessages", "RegistrationLists", "JSON",
                "SystemIO", "Text", "Time",
                crypto,
            ]
        ),
        Wing.engine.module(
            "Listening",
            [
                "GoogleAuth", "Upstream", "CampaignModel", "State", "Inbox", "JSON", "Text", "Time",
                crypto,
            ]
        ),
        Wing.engine.module(
            "StoreTables",
            ["State", "Inbox", "CampaignModel", "JSON", "Text", "Time", crypto]
        ),
        Wing.engine.module(
            "SQLiteStore",
            [
                "State", "Inbox", "StoreTables", "CampaignModel", "JSON", "SystemIO", "Text",
                "Time",
                grdb, sqlite,
            ]
        ),
        Wing.engine.module("Fleet"),
        Wing.engine.module(
            "PostgresStore",
            [
                "PostgresClient", "State", "Inbox", "StoreTables", "Fleet", "CampaignModel", "JSON",
                "Text", "Time",
            ]
        ),
        Wing.engine.module("RateControl", ["CampaignModel"]),
        Wing.engine.module("Statistics"),
        Wing.engine.module(
            "Planning",
            [
                "CampaignModel", "State", "RateControl", "CampaignMessages", "RegistrationLists",
                "Scheduling",
                "FCMWire", "JSON", "Text", "Time", crypto,
            ]
        ),
        Wing.engine.module("Approvals", ["CampaignModel", "SSHSignatures", "Time"]),
        Wing.engine.module(
            "Experiments",
            [
                "CampaignModel", "RegistrationLists", "State", "Statistics", "JSON", "SystemIO",
                "Time",
            ]
        ),
        Wing.engine.module(
            "Preflight",
            ["FCMClient", "FCMWire", "HTTPTransport", "JSON", "SystemIO", "Text", "Time"]
        ),
        Wing.engine.module(
            "RunControl",
            [
                "CampaignModel", "RegistrationLists", "State", "RateControl", "FCMClient",
                "HTTPTransport", "Time",
            ]
        ),
        Wing.engine.module(
            "Sending",
            [
                "CampaignModel", "CampaignMessages", "Envelopes", "RegistrationLists", "Scheduling",
                "State", "Fleet", "RateControl", "Planning", "RunControl", "FCMClient", "FCMWire",
                "HTTPTransport", "JSON", "Time",
            ]
        ),
        Wing.engine.module(
            "Memberships",
            [
                "CampaignModel", "RegistrationLists", "State", "RateControl", "Planning",
                "RunControl", "FCMClient", "FCMWire", "HTTPTransport", "Time",
            ]
        ),
        Wing.engine.module(
            "Applying",
            [
                "CampaignModel", "CampaignMessages", "Envelopes", "RegistrationLists", "Scheduling",
                "State", "RateControl", "Planning", "RunControl", "Sending", "Memberships",
                "FCMClient",
                "FCMWire", "HTTPTransport", "JSON", "Text", "Time",
            ]
        ),

        Wing.engine.module(
            "Service",
            [
                "CampaignModel", "State", "RateControl", "Planning", "RunControl", "Sending",
                "Applying", "FCMClient", "HTTPTransport", "Text", "Time", crypto,
            ]
        ),

        Wing.emulator.module("DeliveryModel", ["JSON", "Text"]),
        Wing.emulator.module("PhoneKeys", ["JSON", crypto]),
        Wing.emulator.module("EmulatorAuth", ["JSON", "Text", "Time", crypto, cryptoExtras, jwt]),
        Wing.emulator.module(
            "EmulatorAPI",
            ["DeliveryModel", "EmulatorAuth", "JSON", "PhoneKeys", "SystemIO", "Text"]
        ),
        Wing.emulator.module(
            "EmulatorWeb",
            ["DeliveryModel", "EmulatorAPI", "JSON", "PhoneKeys"],
            resources: pageFiles
        ),
        Wing.emulator.module("EmulatorXMPP", ["JSON"]),
        Wing.emulator.module(
            "EmulatorServer",
            [
                "DeliveryModel", "EmulatorAPI", "EmulatorWeb", "EmulatorXMPP", "JSON", "SystemIO",
                asn1, certificates, crypto, logging,
                nioCore,
                nioHPACK, nioHTTP1, nioHTTP2, nioPosix, nioSSL,
            ]
        ),

        Wing.front.module(
            "Simulation",
            [
                "CampaignModel", "CampaignLoading", "CampaignMessages", "Planning", "Scheduling",
                "FCMWire", "DeliveryModel", "JSON", "Time",
            ]
        ),
        Wing.front.module(
            "Presentation",
            [
                "CampaignModel", "CampaignMessages", "CampaignLoading", "CampaignRules",
                "Envelopes", "Planning",
                "State", "Fleet", "RunControl", "Sending", "Memberships", "Applying",
                "Approvals", "SSHSignatures", "Service", "GoogleAuth", "Upstream", "Inbox",
                "Listening",
                "Preflight", "Experiments", "Statistics", "RateControl", "FCMClient", "Diagnostics",
                "HTML", "SystemIO",
                "RegistrationLists", "Scheduling", "DeliveryModel", "EmulatorAPI", "Simulation",
                "FCMWire", "JSON", "Text", "Time",
            ]
        ),
        Wing.front.module(
            "HeraldCommands",
            [
                "Diagnostics", "Envelopes", "YAMLSyntax", "Scheduling", "FCMWire", "CampaignModel",
                "CampaignLoading", "CampaignMessages", "CampaignRules", "RegistrationLists",
                "State", "Inbox",
                "Planning",
                "HTTPTransport", "FCMClient", "Preflight", "Experiments", "Statistics",
                "RateControl",
                "RunControl", "Sending", "Memberships", "Applying", "Approvals", "SSHSignatures",
                "Service", "Upstream", "Listening", "Presentation", "CurlTransport", "GoogleAuth",
                "HTTPServing", "StoreTables", "SQLiteStore", "PostgresStore", "DeliveryModel",
                "EmulatorAPI", "EmulatorWeb", "EmulatorServer", "PhoneKeys", "Simulation", "CBuild",
                "CLibPrctl",
                "JSON", "PostgresClient",
                "SystemIO", "Text", "Time", argumentParser, logging,
            ]
        ),
        .executableTarget(
            name: "herald",
            dependencies: ["HeraldCommands"],
            path: Wing.front.path(of: "herald"),
            swiftSettings: house,
            // Replaces the C library's allocator, also for libyaml (decision 13).
            linkerSettings: [.linkedLibrary("mimalloc")] + releaseLinking
        ),

        // The only program with libstrophe; `herald listen` runs it.
        .executableTarget(
            name: "herald-listen",
            dependencies: ["HeraldCommands", "StropheLink"],
            path: Wing.front.path(of: "herald-listen"),
            swiftSettings: house,
            linkerSettings: [.linkedLibrary("mimalloc")] + releaseLinking
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "Diagnostics", "YAMLSyntax", "CampaignLoading", "CampaignModel", "Time",
            ],
            path: "Tests/TestSupport",
            swiftSettings: house
        ),
        .target(
            name: "StoreConformance",
            dependencies: ["CampaignModel", "State", "FCMWire", "JSON", "Time"],
            path: "Tests/StoreConformance",
            swiftSettings: house
        ),
        // Optimized also if the tests are not: it plays hundreds of fleets.
        .target(
            name: "FleetSimulation",
            dependencies: ["Fleet"],
            path: "Tests/FleetSimulation",
            swiftSettings: house
        ),
        tests("ArchitectureTests", []),
        tests(
            "BaseTests",
            [
                "TestSupport", "Decompression", "HTML", "JSON", "PostgresClient", "SystemIO",
                "Text", "Time",
            ],
            exclude: ["Time/make-zone-table.py", "Time/zoneinfo"]
        ),
        tests(
            "WireTests",
            [
                "TestSupport", "CurlTransport", "Envelopes", "FCMClient", "FCMWire", "GoogleAuth",
                "HTTPServing", "HTTPTransport", "JSON", "SSHSignatures", "Upstream", crypto,
                cryptoExtras,
            ]
        ),
        tests(
            "LanguageTests",
            [
                "TestSupport", "CLibYAML", "Diagnostics", "YAMLSyntax", "Scheduling", "FCMWire",
                "Envelopes",
                "CampaignModel", "CampaignLoading", "CampaignMessages", "CampaignRules",
                "RegistrationLists", "Presentation", "JSON", "SystemIO", "Text", "Time",
            ],
            exclude: [
                "RegistrationLists/csv-cases.ndjson", "RegistrationLists/make-csv-cases.py",
                "YAMLSyntax/yaml-test-suite",
            ]
        ),
        // View tests share fixtures with the tests of the engine and the emulator.
        tests(
            "EngineTests",
            [
                "TestSupport", "StoreConformance", "Fleet", "FleetSimulation", "Diagnostics",
                "Envelopes",
                "CampaignModel", "CampaignLoading", "State", "Inbox", "StoreTables", "SQLiteStore",
                "PostgresStore",
                "PostgresClient", "CampaignMessages", "Planning",
                "RunControl", "Sending", "Memberships", "Applying", "Approvals", "SSHSignatures",
                "Service", "Upstream", "Listening", "Presentation",
                "Preflight", "RateControl", "Statistics", "Experiments",
                "FCMClient", "HTTPTransport", "RegistrationLists", "Scheduling", "FCMWire", "JSON",
                "SystemIO", "Text", "Time", crypto,
                cryptoExtras, grdb,
            ]
        ),
        tests(
            "EmulatorTests",
            [
                "TestSupport", "DeliveryModel", "EmulatorAuth", "EmulatorAPI", "EmulatorWeb",
                "EmulatorServer", "EmulatorXMPP", "PhoneKeys", "Simulation", "Presentation",
                "JSON", "Time", crypto, nioCore, nioPosix,
            ]
        ),
        tests(
            "FrontTests",
            [
                "TestSupport", "HeraldCommands", "CampaignModel", "HTTPTransport", "JSON",
                "Presentation", "RegistrationLists", "SystemIO", "Time",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Only `make bench` sets this variable. It adds the peer of the emulator's benchmark and the load
// generators for the ledger, the memberships, lists in PostgreSQL and the delivery model.
if Context.environment["HERALD_BENCH"] != nil {
    package.targets += [
        .executableTarget(
            name: "LedgerLoad",
            dependencies: [
                "CampaignModel", "State", "JSON", "SQLiteStore", "StoreTables", "Time",
            ],
            path: "Benchmarks/ledger/LedgerLoad",
            swiftSettings: house
        ),
        .executableTarget(
            name: "MembershipLoad",
            dependencies: [
                "CampaignModel", "RegistrationLists", "State", "SQLiteStore", "StoreTables", "Time",
            ],
            path: "Benchmarks/memberships/MembershipLoad",
            swiftSettings: house
        ),
        .executableTarget(
            name: "ListLoad",
            dependencies: [
                "CampaignModel", "PostgresClient", "PostgresStore", "RegistrationLists", "State",
                "StoreTables",
            ],
            path: "Benchmarks/postgres/ListLoad",
            swiftSettings: house
        ),
        .executableTarget(
            name: "CapLoad",
            dependencies: [
                "CampaignModel", "JSON", "Planning", "SQLiteStore", "StoreTables", "State", "Time",
            ],
            path: "Benchmarks/caps/CapLoad",
            swiftSettings: house
        ),
        .executableTarget(
            name: "DeliveryLoad",
            dependencies: ["DeliveryModel", "JSON"],
            path: "Benchmarks/delivery/DeliveryLoad",
            swiftSettings: house
        ),
        .executableTarget(
            name: "BareServer",
            dependencies: [nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioPosix, nioSSL],
            path: "Benchmarks/emulator/BareServer",
            swiftSettings: house
        ),
    ]
}

// Only `Scripts/fuzz.sh` sets this variable. Other builds contain no fuzzers.
if Context.environment["HERALD_FUZZ"] != nil {
    func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .target(
            name: name,
            dependencies: ["FuzzChecks"] + dependencies,
            path: "Fuzzing/\(name)",
            swiftSettings: houseOverC
        )
    }
    package.targets += [
        .target(
            name: "FuzzChecks",
            dependencies: [
                "CampaignModel", "Decompression", "Diagnostics", "Presentation",
                "RegistrationLists", "SystemIO",
            ],
            path: "Fuzzing/FuzzChecks",
            swiftSettings: house
        ),
        fuzzer(
            "LoaderFuzzer",
            [
                "Diagnostics", "CampaignLoading", "CampaignModel", "CampaignRules",
                "RegistrationLists", "Scheduling", "Time",
            ]
        ),
        fuzzer(
            "ConditionFuzzer",
            ["Diagnostics", "YAMLSyntax", "CampaignLoading", "CampaignModel", "CampaignRules"]
        ),
        fuzzer("ScheduleFuzzer", ["Scheduling", "Time"]),
        fuzzer("CSVFuzzer", ["CampaignModel"]),
        fuzzer("NDJSONFuzzer", ["CampaignModel"]),
        fuzzer("CompressedListFuzzer", ["CampaignModel", "RegistrationLists"]),
        fuzzer("TemplateFuzzer", ["CampaignModel", "JSON"]),
    ]
    for target in package.targets where target.type == .regular {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
    }
    package.products += [
        "LoaderFuzzer", "ConditionFuzzer", "ScheduleFuzzer", "CSVFuzzer", "NDJSONFuzzer",
        "CompressedListFuzzer", "TemplateFuzzer",
    ].map { name in
        .library(name: name, type: .static, targets: [name])
    }
}
