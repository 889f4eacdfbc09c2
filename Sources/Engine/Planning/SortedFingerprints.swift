import CampaignModel

extension [Fingerprint] {
    /// Whether a sorted array contains the fingerprint.
    func containsSorted(_ fingerprint: Fingerprint) -> Bool {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if self[middle] == fingerprint { return true }
            range =
                self[middle] < fingerprint
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}
