import CampaignModel
import CampaignReporting
import CampaignState
import FoundationEssentials
import Registrations

/// Whom a command for a device group is about, in the order in which they were named.
struct GroupMembers {
    private(set) var members: [Member] = []
    private var seen: Set<Fingerprint> = []
    private let desk: GroupDesk
    /// First halves of fingerprints, whose registrations are looked for in lists.
    private var wanted: Set<UInt64> = []

    init(_ options: GroupChangeOptions, _ desk: GroupDesk) throws(CommandFailure) {
        self.desk = desk
        for text in options.who {
            if let half = Self.fingerprint(text) {
                wanted.insert(half)
            } else {
                try read(text)
            }
        }
        let list = try options.list.map { name throws(CommandFailure) in
            try NamedList(name, desk.state.pipeline).list
        }
        if let list {
            let isWhole = options.rows.isEmpty && options.who.isEmpty
            try choose(Set(options.rows), everything: isWhole, from: list)
        } else if !wanted.isEmpty {
            for audience in desk.project.audiences where !wanted.isEmpty {
                try choose([], everything: false, from: audience.list)
            }
        }
        guard wanted.isEmpty else {
            throw CommandFailure(
                wanted.count == 1
                    ? "no list has a registration with that fingerprint"
                    : "no list has registrations with \(wanted.count) of the fingerprints",
                help: "name the list with --list, or give registrations as @FILE",
                exit: .usage
            )
        }
        guard !members.isEmpty else { throw CommandFailure("that names nobody", exit: .usage) }
    }

    private mutating func add(_ registration: Registration) {
        let fingerprint = desk.fingerprinter.fingerprint(of: registration)
        wanted.remove(fingerprint.high)
        guard seen.insert(fingerprint).inserted else { return }
        members.append(Member(fingerprint: fingerprint, registration: registration))
    }

    private mutating func choose(
        _ rows: Set<Int>,
        everything: Bool,
        from list: RegistrationList
    ) throws(CommandFailure) {
        let table = ListTable(list, columns: [], directory: desk.state.pipeline.options.directory)
        let (fingerprinter, wanted) = (desk.fingerprinter, self.wanted)
        var found: [Registration] = []
        var number = 0
        _ = try listing { () throws(RegistrationListError) in
            try table.forEachRow { row in
                number += 1
                let isNamed = rows.contains(number) || everything
                let isWanted =
                    !wanted.isEmpty
                    && wanted.contains(fingerprinter.fingerprint(of: row.registration).high)
                // One too many is enough to refuse them.
                guard isNamed || isWanted, found.count < Self.most else { return }
                found.append(row.registration)
            }
        }
        if let missing = rows.filter({ $0 > number }).min() {
            throw CommandFailure(
                "the list has \(number.counting("registration")), and no row \(missing)",
                exit: .usage
            )
        }
        for registration in found { add(registration) }
    }

    /// More than any group takes.
    private static let most = 1_000

    /// `@FILE` or `-`: registrations or fingerprints, one a line.
    private mutating func read(_ argument: String) throws(CommandFailure) {
        let name = argument == "-" ? "standard input" : TextStyle.safe(String(argument.dropFirst()))
        for (number, line) in try lines(argument).enumerated() {
            let text = String(line.filter { !" \t\r\u{FEFF}".contains($0) })
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            if let half = Self.fingerprint(text) {
                wanted.insert(half)
            } else if let registration = Registration(text) {
                add(registration)
            } else {
                throw CommandFailure(
                    "line \(number + 1) of \(name) is neither a registration nor a fingerprint",
                    help: "nothing was changed; write one a line",
                    exit: .usage
                )
            }
        }
    }

    private func lines(_ argument: String) throws(CommandFailure) -> [Substring] {
        guard argument != "-" else {
            var lines: [Substring] = []
            while let line = readLine() { lines.append(line[...]) }
            return lines
        }
        let path = String(argument.dropFirst())
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandFailure("\(TextStyle.safe(path)) can't be read", exit: .usage)
        }
        return String(decoding: data, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The short form, as everything shows it.
    static func fingerprint(_ text: String) -> UInt64? {
        let isShort =
            text.utf8.count == 16
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isShort ? UInt64(text, radix: 16) : nil
    }
}
