import DeliveryModel
import EmulatorAuth

/// The fingerprint of a registration: the first 16 hexadecimal digits of its SHA-256.
///
/// A registration in the emulator is test data, so the fingerprint needs no key.
struct Fingerprint: Hashable, Sendable {
    private let bits: UInt64

    init(of registration: String) {
        bits = Array(registration.utf8).sha256.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Parses the form that `text` produces.
    init?(_ text: String) {
        guard text.utf8.count == 16, let bits = UInt64(text, radix: 16) else { return nil }
        self.bits = bits
    }

    var text: String { bits.hexadecimal }
}

/// The fingerprints of known registrations, which are computed once.
struct FingerprintTable: Sendable {
    private var known: [DeviceRegistration: Fingerprint] = [:]

    /// Returns the places of the devices whose registration has the fingerprint.
    mutating func places(of fingerprint: Fingerprint, in model: DeliveryBackend) -> [Int] {
        if known.count > 2 * max(1_000, model.deviceCount) { known = [:] }
        var places: [Int] = []
        model.forEachRegistration { place, registration in
            let own: Fingerprint
            if let before = known[registration] {
                own = before
            } else {
                own = Fingerprint(of: registration.text)
                known[registration] = own
            }
            if own == fingerprint { places.append(place) }
        }
        return places
    }
}
