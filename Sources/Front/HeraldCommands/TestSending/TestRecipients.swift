import CampaignModel
import Envelopes
import Presentation
import RegistrationLists
import Sending

/// The registrations that may receive test messages: any in an emulator environment, otherwise
/// those in an audience with `test: true`.
struct TestRecipients {
    private let target: PlanningTarget

    /// The maximum number of recipients: enough for a test, and a protection against sending to a
    /// whole list by mistake.
    private static let limit = 100

    init(target: PlanningTarget) {
        self.target = target
    }

    /// The named registrations without duplicates, in the given order.
    func recipients(
        _ named: [RegistrationArguments.Person]
    ) throws(CommandFailure) -> [TestRecipient] {
        guard named.count <= Self.limit else {
            throw CommandFailure(.tooManyRecipients(named.count, limit: Self.limit), exit: .usage)
        }
        // An emulator sends to any registration; lists show only its kind.
        let isKindUnknown =
            isEmulator && !named.contains(where: \.isFingerprint)
            && !lists.contains(where: \.hasPublicKeys)
        let known = try Known(
            lists: isKindUnknown ? lists.filter { $0.kind == .fid } : lists,
            with: target.checked.fingerprinter,
            wanted: named,
            in: target.checked.lists
        )
        var found: [TestRecipient] = []
        for person in named {
            let recipient = try recipient(person, in: known)
            if !found.contains(where: { $0.registration == recipient.registration }) {
                found.append(recipient)
            }
        }
        return found
    }

    private var isEmulator: Bool {
        switch target.environment.endpoint {
        case .embeddedEmulator, .emulator: true
        case .fcm, .unresolved: false
        }
    }

    private var lists: [RegistrationList] {
        let tests = target.project.audiences.filter(\.isTest).map(\.list)
        guard isEmulator else { return tests }
        let phones = target.project.devices.map(\.registration)
        return target.project.lists + (phones.isEmpty ? [] : [.inline(phones)])
    }

    /// A registration that no list contains is a token.
    private func recipient(
        _ person: RegistrationArguments.Person,
        in known: Known
    ) throws(CommandFailure) -> TestRecipient {
        switch person {
        case .registration(let registration):
            let fingerprint = target.checked.fingerprinter.fingerprint(of: registration)
            let found = known[fingerprint.high]
            guard isEmulator || found != nil else { throw notTest(fingerprint) }
            return found ?? TestRecipient(registration)
        case .fingerprint(let short):
            guard let recipient = known[short] else {
                throw notTest(Fingerprint(high: short, low: 0))
            }
            return recipient
        }
    }

    private func notTest(_ fingerprint: Fingerprint) -> CommandFailure {
        guard isEmulator else {
            return CommandFailure(.notTestRecipient(fingerprint), exit: .refusedByGuard)
        }
        return CommandFailure(
            .unknownRecipient(fingerprint, in: target.environment.id),
            exit: .usage
        )
    }
}

/// Registrations from lists, by short fingerprint.
private struct Known {
    private var found: [UInt64: TestRecipient] = [:]

    init(
        lists: [RegistrationList],
        with fingerprinter: Fingerprinter,
        wanted named: [RegistrationArguments.Person],
        in places: ProjectLists
    ) throws(CommandFailure) {
        let wanted = Set(named.map { $0.short(fingerprinter) })
        var found: [UInt64: TestRecipient] = [:]
        for list in lists where found.count < wanted.count && places.contains(list) {
            let table = ListTable(list, columns: [], directory: places)
            _ = try mapListErrors { () throws(RegistrationListError) in
                try table.forEachRow { row in
                    let short = fingerprinter.fingerprint(of: row.registration).high
                    guard wanted.contains(short), found[short] == nil else { return }
                    found[short] = TestRecipient(
                        row.registration,
                        kind: list.kind,
                        publicKey: row.publicKey.flatMap { try? EnvelopeKey(parsing: $0) }
                    )
                }
            }
        }
        self.found = found
    }

    subscript(short: UInt64) -> TestRecipient? { found[short] }
}

extension RegistrationArguments.Person {
    fileprivate var isFingerprint: Bool {
        if case .fingerprint = self { true } else { false }
    }

    fileprivate func short(_ fingerprinter: Fingerprinter) -> UInt64 {
        switch self {
        case .registration(let registration): fingerprinter.fingerprint(of: registration).high
        case .fingerprint(let short): short
        }
    }
}
