import CampaignModel

/// Finds repeated fingerprints, with 8 to 16 bytes per fingerprint.
///
/// Without the key, an attacker cannot choose fingerprints, so any of their bits are a good hash.
struct FingerprintTable {
    /// One more than the index of the fingerprint in this place; 0 if the place is free.
    private var places: [UInt32]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        places = Array(repeating: 0, count: size)
    }

    /// Returns the index of an earlier equal fingerprint; nil if there is none.
    mutating func insert(_ index: Int, of fingerprints: [Fingerprint]) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: fingerprints[index].low) & mask
        while places[place] != 0 {
            let other = Int(places[place]) - 1
            if fingerprints[other] == fingerprints[index] { return other }
            place = (place + 1) & mask
        }
        places[place] = UInt32(index + 1)
        return nil
    }
}
