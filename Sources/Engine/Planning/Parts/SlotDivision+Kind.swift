import CampaignModel

extension SlotDivision {
    /// Which recipients share an occurrence, without the names of zones and times.
    enum Kind: Hashable {
        case shared
        case zone
        case time

        init(_ division: SlotDivision) {
            switch division {
            case .shared: self = .shared
            case .perZone, .zone: self = .zone
            case .perValue, .value: self = .time
            }
        }
    }
}

extension Slot {
    /// Who shares a slot of a campaign without a rule; nil for the slot of a rule.
    var divisionOnce: SlotDivision.Kind? {
        if isOnly { return zone == nil ? .shared : .zone }
        return isOfOwnTime ? .time : nil
    }
}
