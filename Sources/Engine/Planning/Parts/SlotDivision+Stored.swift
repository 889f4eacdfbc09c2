import CampaignModel
import JSON

extension SlotDivision {
    /// Reads that of a stored campaign.
    init(stored: JSONValue) {
        if let column = stored["at_column"]?["column"]?.stringValue,
            let zone = stored["at_column"]?["zone"]?.stringValue
        {
            self = .perValue(column: column, zone: zone)
        } else {
            self = stored["per_zone"]?.boolValue ?? false ? .perZone : .shared
        }
    }

    /// Adds what `init(stored:)` reads.
    func store(in campaign: inout JSONObject) {
        switch self {
        case .perZone: campaign["per_zone"] = true
        case .perValue(let column, let zone):
            campaign["at_column"] = ["column": .string(column), "zone": .string(zone)]
        case .shared, .zone, .value: break
        }
    }
}
