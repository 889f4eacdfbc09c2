import CampaignModel

extension PlanDescription.Group {
    /// The same group with the places of its declarations.
    func placed(by places: InheritedPlaces) -> PlanDescription.Group {
        var group = self
        for index in group.entries.indices {
            let name = group.entries[index].name
            group.entries[index].place =
                kind == .memberships
                ? AudienceID(name).flatMap(places.place) : CampaignID(name).flatMap(places.place)
        }
        return group
    }
}
