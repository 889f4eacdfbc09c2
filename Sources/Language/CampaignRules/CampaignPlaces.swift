import CampaignLoading
import CampaignModel
import Synchronization

/// Where the documents of campaigns stand, by name; worked out when the first is looked for.
///
/// A class, because all threads share what one of them has worked out.
final class CampaignPlaces: Sendable {
    private let places = Mutex<[CampaignID: Int]?>(nil)

    func place(of campaign: CampaignID, in documents: [CampaignDocument]) -> Int? {
        places.withLock { known in
            let places = known ?? Self.places(of: documents)
            known = places
            return places[campaign]
        }
    }

    /// Of several with one name the first counts.
    private static func places(of documents: [CampaignDocument]) -> [CampaignID: Int] {
        var places: [CampaignID: Int] = Dictionary(minimumCapacity: documents.count)
        for (place, document) in documents.enumerated() {
            guard let id = document.value.campaign?.value, places[id] == nil else { continue }
            places[id] = place
        }
        return places
    }
}
