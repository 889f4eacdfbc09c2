import Synchronization
import SystemIO

/// The IANA time zone database as compiled files in a directory.
///
/// Every call reads the files, except for a database from `readingOnce()`.
package struct TimeZoneDatabase: Sendable {
    package let directory: String
    /// Nil if every call reads the files.
    private let known: KnownRules?

    package init(directory: String) {
        self.init(directory: directory, known: nil)
    }

    private init(directory: String, known: KnownRules?) {
        self.directory = directory
        self.known = known
    }

    /// Returns a database that reads the file of each zone once, for one computation.
    ///
    /// All copies share what was read, so that the rules of a zone do not change in between.
    package func readingOnce() -> TimeZoneDatabase {
        TimeZoneDatabase(directory: directory, known: known ?? KnownRules())
    }

    /// Uses the directory in `TZDIR`, or `/usr/share/zoneinfo` if it is absent or empty.
    package static func system(environment: [String: String]) -> TimeZoneDatabase {
        let named = environment["TZDIR"] ?? ""
        return TimeZoneDatabase(directory: named.isEmpty ? "/usr/share/zoneinfo" : named)
    }

    /// Returns the rules of an IANA zone; `UTC` needs no database.
    package func rules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
        if let rules = known?[name] { return rules }
        let rules = try readRules(named: name)
        return known?.keep(rules, of: name) ?? rules
    }

    private func readRules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
        guard Self.isZoneName(name) else { throw .invalidName(name) }
        if name == "UTC" { return .utc }
        // The largest files of tzdata are smaller than 4 kB.
        switch FileContents(of: path(name), limit: 1 << 20) {
        case .bytes(let bytes): return try TimeZoneRules(name: name, tzif: bytes)
        case .unreadable: throw .unreadable(name: name)
        case .absent where Folder.exists(directory): throw .unknown(name: name)
        case .absent: throw .noDatabase(directory: directory)
        }
    }

    /// Returns the sorted names of the zones that have a file.
    ///
    /// It reads the first that exists of the database's tables: `tzdata.zi`, `zone1970.tab`,
    /// `zone.tab`. The result is empty if there is none.
    package func names() -> [String] {
        let names =
            table("tzdata.zi", reading: Self.nameInSource)
            ?? table("zone1970.tab", reading: Self.nameInTable)
            ?? table("zone.tab", reading: Self.nameInTable)
        let readable = (names ?? []).filter {
            Self.isZoneName($0) && FileSystem.isReadable(path($0))
        }
        return Set(readable).sorted()
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    private func table(
        _ file: String,
        reading name: ([Substring]) -> Substring?
    ) -> [String]? {
        guard case .bytes(let bytes) = FileContents(of: path(file), limit: 1 << 24)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n")
            .compactMap { name($0.split { $0 == " " || $0 == "\t" }).map(String.init) }
    }

    /// `Z NAME …` is a zone, `L TARGET NAME` a link.
    private static func nameInSource(_ fields: [Substring]) -> Substring? {
        switch fields.first {
        case "Z" where fields.count > 1: fields[1]
        case "L" where fields.count > 2: fields[2]
        default: nil
        }
    }

    /// The columns are countries, coordinates and name; comments begin with a number sign.
    private static func nameInTable(_ fields: [Substring]) -> Substring? {
        fields.count > 2 && fields[0].first != "#" ? fields[2] : nil
    }
}

extension TimeZoneDatabase: Hashable {
    package static func == (left: TimeZoneDatabase, right: TimeZoneDatabase) -> Bool {
        left.directory == right.directory
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(directory) }
}

/// The rules of the zones that were read.
///
/// It is a class, so that copies of a database share it.
private final class KnownRules: Sendable {
    private let rules = Mutex<[String: TimeZoneRules]>([:])

    subscript(name: String) -> TimeZoneRules? { rules.withLock { $0[name] } }

    /// Keeps the rules of a zone, and returns those that were kept first.
    func keep(_ new: TimeZoneRules, of name: String) -> TimeZoneRules {
        rules.withLock { rules in
            if let first = rules[name] { return first }
            rules[name] = new
            return new
        }
    }
}

extension TimeZoneDatabase {
    /// Accepts `UTC`, or two or more segments of `A-Z a-z 0-9 . _ + -`, none of which begins with a
    /// dot.
    ///
    /// The directories `posix` and `right` contain copies; `right` uses another time scale.
    private static func isZoneName(_ name: String) -> Bool {
        if name == "UTC" { return true }
        let segments = name.utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        return segments.count > 1 && segments.allSatisfy(isSegment)
            && !segments[0].elementsEqual("posix".utf8) && !segments[0].elementsEqual("right".utf8)
    }

    private static func isSegment(_ segment: Substring.UTF8View) -> Bool {
        guard let first = segment.first, first != UInt8(ascii: ".") else { return false }
        return segment.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "+", "-": true
            default: false
            }
        }
    }
}

extension TimeZoneRules {
    /// Reads the bytes of a TZif file.
    package init(name: String, tzif bytes: [UInt8]) throws(TimeZoneError) {
        do throws(TZifFailure) {
            self = try TZifReader.rules(name: name, bytes: bytes)
        } catch {
            switch error {
            case .malformed: throw .malformed(name: name)
            case .countsLeapSeconds: throw .countsLeapSeconds(name: name)
            }
        }
    }
}
