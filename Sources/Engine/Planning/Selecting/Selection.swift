package import CampaignModel

/// The campaigns and audiences that a plan covers; it changes no others.
package struct Selection: Hashable, Sendable {
    /// Nil for all of them.
    private var only: Part?
    private var except = Part()
    /// The selectors that it was made from; none if it was not made from text.
    package private(set) var selectors = Selectors()

    /// Campaigns and audiences by name.
    package struct Part: Hashable, Sendable {
        package var campaigns: Set<CampaignID> = []
        package var audiences: Set<AudienceID> = []

        package init() {}
    }

    package init(only: Part?, except: Part, selectors: Selectors = Selectors()) {
        self.only = only
        self.except = except
        self.selectors = selectors
    }

    package static let everything = Selection(only: nil, except: Part())

    package func includes(_ campaign: CampaignID) -> Bool {
        only?.campaigns.contains(campaign) ?? true && !except.campaigns.contains(campaign)
    }

    package func includes(_ audience: AudienceID) -> Bool {
        only?.audiences.contains(audience) ?? true && !except.audiences.contains(audience)
    }
}
