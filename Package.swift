// swift-tools-version: 6.2
import PackageDescription

/// What every Swift module of Herald is compiled with.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Modules that touch C: every unsafe construct is marked as such.
let houseOverC: [SwiftSetting] = house + [.strictMemorySafety()]

func module(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    settings: [SwiftSetting] = house
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: resources,
        swiftSettings: settings
    )
}

/// The emulator's page of the phones, as it lies in the program.
let pageFiles: [Resource] = [
    "page.html", "page.css", "page.js", "control.js", "dom.js", "grid.js", "happenings.js",
    "keys.js", "phone.js", "words.js",
].map { .embedInCode("WebPage/Files/\($0)") }

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: house)
}

/// The commit that `make` builds from; a plain `swift build` does not know it.
///
/// A C module carries it, so that another commit compiles that one file and no Swift.
let commitSetting: [CSetting] =
    if let commit = Context.environment["HERALD_BUILD_COMMIT"], !commit.isEmpty {
        [.define("HERALD_BUILD_COMMIT", to: commit)]
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
    platforms: [.macOS(.v15)],
    products: [.executable(name: "herald", targets: ["herald"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // The order is that of the program: imports point up this list, never down.
        .systemLibrary(
            name: "CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]
        ),
        .systemLibrary(
            name: "CLibCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(name: "CLibSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CLibNGHTTP2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"])]
        ),
        .systemLibrary(name: "CLibPrctl"),
        .target(name: "CBuild", cSettings: commitSetting),
        module("Diagnostics"),
        module("HTML", ["Diagnostics"]),
        module("YAMLSyntax", ["Diagnostics", "CLibYAML"], settings: houseOverC),
        module("Scheduling"),
        module("FCMWire"),
        module("CampaignModel", ["Scheduling", "FCMWire"]),
        module(
            "CampaignLoading",
            ["Diagnostics", "YAMLSyntax", "Scheduling", "FCMWire", "CampaignModel"]
        ),
        module("CampaignMessages", ["CampaignModel", "Scheduling", "FCMWire", crypto]),
        module("Registrations", ["Diagnostics", "FCMWire", "CampaignModel", crypto]),
        module(
            "CampaignRules",
            [
                "Diagnostics", "CampaignLoading", "CampaignModel", "CampaignMessages",
                "Registrations", "Scheduling", "FCMWire",
            ]
        ),
        module("CampaignState", ["CampaignModel", "Scheduling", "FCMWire"]),
        module(
            "CampaignPlanning",
            [
                "CampaignModel", "CampaignState", "CampaignMessages", "Registrations",
                "Scheduling", "FCMWire", crypto,
            ]
        ),
        module("HTTPTransport"),
        module("GoogleAuth", ["FCMWire", "HTTPTransport", jwt]),
        module(
            "CampaignExecution",
            [
                "CampaignModel", "CampaignPlanning", "CampaignMessages", "CampaignState",
                "Registrations", "Scheduling", "FCMWire", "HTTPTransport",
            ]
        ),
        module(
            "CampaignReporting",
            [
                "CampaignModel", "CampaignMessages", "CampaignPlanning", "CampaignState",
                "CampaignExecution", "Diagnostics", "HTML", "Registrations", "Scheduling",
                "FCMWire",
            ]
        ),
        module(
            "CurlTransport",
            ["HTTPTransport", "CLibCurl", "CLibSSL", "CLibNGHTTP2"],
            settings: houseOverC
        ),
        module(
            "SQLiteStore",
            ["CampaignState", "CampaignModel", "Scheduling", "FCMWire", crypto, grdb]
        ),
        module("FCMDelivery", ["FCMWire"]),
        module(
            "FCMEmulator",
            [
                "FCMDelivery", "FCMWire", asn1, certificates, crypto, cryptoExtras, jwt, logging,
                nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioPosix, nioSSL,
            ],
            resources: pageFiles
        ),
        module(
            "CampaignSimulation",
            [
                "CampaignModel", "CampaignLoading", "CampaignMessages", "CampaignPlanning",
                "CampaignReporting", "Diagnostics", "HTML", "Scheduling", "FCMWire",
                "FCMDelivery", "FCMEmulator",
            ]
        ),
        module(
            "HeraldCommands",
            [
                "Diagnostics", "YAMLSyntax", "Scheduling", "FCMWire", "CampaignModel",
                "CampaignLoading", "CampaignRules", "Registrations",
                "CampaignState", "CampaignPlanning", "HTTPTransport", "CampaignExecution",
                "CampaignReporting", "CurlTransport", "GoogleAuth", "SQLiteStore", "FCMDelivery",
                "FCMEmulator", "CampaignSimulation", "CBuild", "CLibPrctl", argumentParser, logging,
            ]
        ),
        .executableTarget(
            name: "herald",
            dependencies: ["HeraldCommands"],
            swiftSettings: house,
            // Gives out memory in place of the C library, also to libyaml (decision 13).
            linkerSettings: [.linkedLibrary("mimalloc", .when(platforms: [.linux]))]
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Diagnostics", "YAMLSyntax", "CampaignLoading", "CampaignModel"],
            path: "Tests/TestSupport",
            swiftSettings: house
        ),
        tests("ArchitectureTests", []),
        tests(
            "LanguageTests",
            [
                "TestSupport", "CLibYAML", "Diagnostics", "YAMLSyntax", "Scheduling", "FCMWire",
                "CampaignModel", "CampaignLoading", "CampaignMessages", "CampaignRules",
                "Registrations",
            ],
            exclude: [
                "Registrations/csv-cases.ndjson", "Registrations/make-csv-cases.py",
                "Scheduling/make-zone-table.py", "Scheduling/zoneinfo",
                "YAMLSyntax/yaml-test-suite",
            ]
        ),
        tests(
            "EngineTests",
            [
                "TestSupport", "Diagnostics", "HTML", "CampaignModel", "CampaignState",
                "SQLiteStore",
                "CampaignMessages", "CampaignPlanning", "CampaignExecution", "CampaignReporting",
                "HTTPTransport", "CurlTransport", "GoogleAuth", "Registrations", "Scheduling",
                "FCMWire", crypto, cryptoExtras, grdb,
            ]
        ),
        tests(
            "EmulatorTests",
            [
                "TestSupport", "CampaignSimulation", "FCMDelivery", "FCMEmulator", "FCMWire",
                "Scheduling", nioCore, nioPosix,
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `make bench` alone sets it: the peer of the emulator's benchmark, and the loads on the
// ledger and on the model of delivery.
if Context.environment["HERALD_BENCH"] != nil {
    package.targets += [
        .executableTarget(
            name: "LedgerLoad",
            dependencies: [
                "CampaignModel", "CampaignState", "FCMWire", "SQLiteStore", "Scheduling",
            ],
            path: "Benchmarks/ledger/LedgerLoad",
            swiftSettings: house
        ),
        .executableTarget(
            name: "DeliveryLoad",
            dependencies: ["FCMDelivery", "FCMWire"],
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

// `Scripts/fuzz.sh` alone sets it: other builds know nothing of fuzzers.
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
            dependencies: ["Diagnostics"],
            path: "Fuzzing/FuzzChecks",
            swiftSettings: house
        ),
        fuzzer(
            "LoaderFuzzer",
            [
                "Diagnostics", "CampaignLoading", "CampaignModel", "CampaignRules",
                "Registrations", "Scheduling",
            ]
        ),
        fuzzer(
            "ConditionFuzzer",
            ["Diagnostics", "YAMLSyntax", "CampaignLoading", "CampaignModel", "CampaignRules"]
        ),
        fuzzer("ScheduleFuzzer", ["Scheduling"]),
    ]
    for target in package.targets where target.type == .regular {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
    }
    package.products += ["LoaderFuzzer", "ConditionFuzzer", "ScheduleFuzzer"].map { name in
        .library(name: name, type: .static, targets: [name])
    }
}
