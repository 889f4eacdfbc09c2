import CampaignModel
import RegistrationLists
import State

/// The fingerprints of a work unit's registrations, if it has any and they are still stored.
struct RegistrationNames {
    private var window: ListWindow?
    private let fingerprinter: Fingerprinter

    init(
        of unit: WorkUnitRecord,
        _ store: any StateStore,
        _ fingerprinter: Fingerprinter
    ) throws(StateStoreError) {
        self.fingerprinter = fingerprinter
        guard case .registrations(let list) = unit.target else { return }
        if try store.hasList(list) { window = ListWindow(store: store, list: list) }
    }

    mutating func fingerprint(_ number: Int) throws(StateStoreError) -> Fingerprint? {
        guard let registration = try window?.registration(number) else { return nil }
        return fingerprinter.fingerprint(of: registration)
    }
}
