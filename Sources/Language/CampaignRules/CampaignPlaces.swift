import CampaignLoading
import CampaignModel
import Synchronization

/// The indices of campaign documents by name, computed on first use.
///
/// It is a class, because all threads share the result.
final class CampaignPlaces: Sendable {
    private let places = Mutex<[CampaignID: Int]?>(nil)

    func place(of campaign: CampaignID, in documents: [CampaignDocument]) -> Int? {
        places.withLock { known in
            let places = known ?? Self.places(of: documents)
            known = places
            return places[campaign]
        }
    }

    /// If several campaigns have the same name, the first counts.
    private static func places(of documents: [CampaignDocument]) -> [CampaignID: Int] {
        var places: [CampaignID: Int] = Dictionary(minimumCapacity: documents.count)
        for (place, document) in documents.enumerated() {
            guard let id = document.value.campaign?.value, places[id] == nil else { continue }
            places[id] = place
        }
        return places
    }
}
