import CampaignModel
import RegistrationLists
import Sending
import State

/// The fingerprints of a work unit's registrations, if it has any and they are still stored.
struct RegistrationNames {
    private var window: ListWindow?
    private let fingerprinter: Fingerprinter

    init(
        of unit: WorkUnitRecord,
        in reader: any StateReader,
        with fingerprinter: Fingerprinter
    ) async throws(StateStoreError) {
        self.fingerprinter = fingerprinter
        guard case .registrations(let list) = unit.target else { return }
        if try await reader.hasList(list) { window = ListWindow(reader: reader, list: list) }
    }

    mutating func fingerprint(_ number: Int) async throws(StateStoreError) -> Fingerprint? {
        guard let registration = try await window?.registration(number) else { return nil }
        return fingerprinter.fingerprint(of: registration)
    }
}
