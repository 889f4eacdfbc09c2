import CampaignModel
import Presentation
import RegistrationLists
import State

/// The members that a device group command names, in the given order.
struct GroupMembers {
    private(set) var members: [Member] = []
    private var seen: Set<Fingerprint> = []
    private let desk: DeviceGroupSession
    /// Short fingerprints whose registrations are searched in lists.
    private var wanted: Set<UInt64> = []

    init(_ options: GroupChangeOptions, in desk: DeviceGroupSession) throws(CommandFailure) {
        self.desk = desk
        for text in options.who {
            for person in try RegistrationArguments.read(text, of: "an argument") {
                switch person {
                case .registration(let registration): add(registration)
                case .fingerprint(let half): wanted.insert(half)
                }
            }
        }
        let list = try options.list.map { name throws(CommandFailure) in
            try NamedList(name, in: desk.state).list
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
            throw CommandFailure(.noRegistrationsOfFingerprints(wanted.count), exit: .usage)
        }
        guard !members.isEmpty else {
            throw CommandFailure(.noRegistrationsNamed, exit: .usage)
        }
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
        let table = ListTable(list, columns: [], directory: desk.state.session.options.directory)
        let (fingerprinter, wanted) = (desk.fingerprinter, self.wanted)
        var found: [Registration] = []
        var number = 0
        _ = try mapListErrors { () throws(RegistrationListError) in
            try table.forEachRow { row in
                number += 1
                let isNamed = rows.contains(number) || everything
                let isWanted =
                    !wanted.isEmpty
                    && wanted.contains(fingerprinter.fingerprint(of: row.registration).high)
                // FCM refuses this many anyway, so the rest need not be read.
                guard isNamed || isWanted, found.count < Self.most else { return }
                found.append(row.registration)
            }
        }
        if let missing = rows.filter({ $0 > number }).min() {
            throw CommandFailure(.noRow(missing, inListOf: number), exit: .usage)
        }
        for registration in found { add(registration) }
    }

    /// More than any group may have.
    private static let most = 1_000
}
