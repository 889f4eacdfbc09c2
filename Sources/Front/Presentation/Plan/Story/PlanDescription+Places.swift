import CampaignModel

extension PlanDescription.Group {
    /// The same group with the places of its declarations.
    func placed(
        _ campaigns: [String: SourcePlace],
        audiences: InheritedPlaces?
    ) -> PlanDescription.Group {
        var group = self
        for index in group.entries.indices {
            let name = group.entries[index].name
            group.entries[index].place =
                kind == .memberships
                ? AudienceID(name).flatMap { audiences?.place(of: $0) } : campaigns[name]
        }
        return group
    }
}
