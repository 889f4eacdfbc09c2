import FoundationEssentials
import TestSupport
import Testing
import Time

struct TimeZoneDatabaseTests {
    @Test(arguments: [
        "", "/", "+01:00", "-1", "CET", "EST5EDT", "GMT", "Europe", "posixrules", "localtime",
        "Europe/", "/Europe/Berlin", "Europe//Berlin", "Europe/../Europe/Berlin", "Europe/./Berlin",
        "../zoneinfo/Europe/Berlin", "posix/Europe/Berlin", "right/Europe/Berlin",
        "Europe/Ber lin", "Europe/Berlin\0", "Europe/Bérlin", "Europe\\Berlin", "<+01>-1", "utc",
    ])
    func `refuses other texts than zone names`(name: String) {
        #expect(throws: TimeZoneError.invalidName(name)) { try systemZones.rules(named: name) }
    }

    @Test(arguments: ["Europe/Atlantis", "America/Argentina", "Europe/Berlin/Mitte"])
    func `refuses zones without a file`(name: String) {
        #expect(throws: TimeZoneError.unknown(name: name)) { try systemZones.rules(named: name) }
    }

    @Test(arguments: ["America/Argentina/Buenos_Aires", "Etc/GMT+5", "America/Port-au-Prince"])
    func `finds zones of every form`(name: String) throws {
        #expect(try systemZones.rules(named: name).name == name)
    }

    @Test func `names its directory if it is missing`() throws {
        let database = TimeZoneDatabase(directory: "/nonexistent/zoneinfo")
        #expect(throws: TimeZoneError.noDatabase(directory: "/nonexistent/zoneinfo")) {
            try database.rules(named: "Europe/Berlin")
        }
        #expect(database.names().isEmpty)
        #expect(try database.rules(named: "UTC") == .utc)
    }

    @Test func `TZDIR replaces the system's directory unless it is empty`() {
        let standard = "/usr/share/zoneinfo"
        #expect(TimeZoneDatabase.system(environment: [:]).directory == standard)
        #expect(TimeZoneDatabase.system(environment: ["TZDIR": ""]).directory == standard)
        #expect(TimeZoneDatabase.system(environment: ["TZDIR": "/zones"]).directory == "/zones")
    }

    @Test func `every listed name has rules`() throws {
        let names = systemZones.names()
        #expect(names.contains("Atlantic/Azores") && names.contains("UTC"))
        #expect(names == Set(names).sorted())
        for name in names {
            #expect(throws: Never.self, "\(name)") { try systemZones.rules(named: name) }
        }
    }

    @Test(arguments: [
        (
            "tzdata.zi",
            "# version\nZ Test/A 1 - A\nL Test/A Test/B\nL Test/A B\nZ Test/Gone 0 - G\n"
        ),
        ("zone1970.tab", "#country\nXX\t+00+00\tTest/A\tcomment\nXY\t+00+00\tTest/B\n"),
        ("zone.tab", "XX\t+00+00\tTest/B\nXX\t+00+00\tTest/A\n"),
    ])
    func `lists the zones of its table that have a file`(table: String, text: String) throws {
        try withDirectory(files: [table: Array(text.utf8), "Test/A": [], "Test/B": []]) {
            #expect(TimeZoneDatabase(directory: $0).names() == ["Test/A", "Test/B"])
        }
    }

    @Test func `refuses files that are not TZif or larger than 1 MiB`() throws {
        let large = [UInt8](repeating: 0, count: 1 << 20 + 1)
        try withDirectory(files: ["Test/Text": Array("hello".utf8), "Test/Large": large]) {
            let database = TimeZoneDatabase(directory: $0)
            #expect(throws: TimeZoneError.malformed(name: "Test/Text")) {
                try database.rules(named: "Test/Text")
            }
            #expect(throws: TimeZoneError.unreadable(name: "Test/Large")) {
                try database.rules(named: "Test/Large")
            }
        }
    }

    @Test func `does not crash on a part of a real file`() throws {
        let bytes = try zoneFile("Europe/Berlin")
        for count in 0..<bytes.count {
            #expect(throws: TimeZoneError.malformed(name: "Test/Zone")) {
                try TimeZoneRules(name: "Test/Zone", tzif: Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `reads each zone once if requested`() throws {
        let berlin = try zoneFile("Europe/Berlin")
        let tokyo = try zoneFile("Asia/Tokyo")
        try withDirectory(files: ["Test/Zone": berlin]) { directory in
            let once = TimeZoneDatabase(directory: directory).readingOnce()
            let copy = once.readingOnce()
            let winter = Instant(secondsSince1970: 1_768_000_000)
            #expect(try once.rules(named: "Test/Zone").offset(at: winter).seconds == 3600)
            try Data(tokyo).write(to: URL(filePath: "\(directory)/Test/Zone"))
            #expect(try once.rules(named: "Test/Zone").offset(at: winter).seconds == 3600)
            #expect(try copy.rules(named: "Test/Zone").offset(at: winter).seconds == 3600)
            let other = TimeZoneDatabase(directory: directory)
            #expect(try other.rules(named: "Test/Zone").offset(at: winter).seconds == 9 * 3600)
            let later = other.readingOnce()
            #expect(try later.rules(named: "Test/Zone").offset(at: winter).seconds == 9 * 3600)
        }
    }

    @Test func `looks again for a zone that was missing`() throws {
        let berlin = try zoneFile("Europe/Berlin")
        try withDirectory(files: ["Test/Other": berlin]) { directory in
            let once = TimeZoneDatabase(directory: directory).readingOnce()
            #expect(throws: TimeZoneError.unknown(name: "Test/Zone")) {
                try once.rules(named: "Test/Zone")
            }
            try Data(berlin).write(to: URL(filePath: "\(directory)/Test/Zone"))
            #expect(try once.rules(named: "Test/Zone").name == "Test/Zone")
        }
    }

    private func zoneFile(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(systemZones.directory)/\(name)")))
    }

    private func withDirectory(
        files: [String: [UInt8]],
        _ body: (String) throws -> Void
    ) throws {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: root) }
        for (path, bytes) in files {
            let file = root.appending(path: path)
            try manager.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(bytes).write(to: file)
        }
        try body(root.path)
    }
}
