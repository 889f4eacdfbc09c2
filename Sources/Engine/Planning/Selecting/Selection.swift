package import CampaignModel

/// The campaigns and audiences that a plan covers; it changes no others.
package struct Selection: Hashable, Sendable {
    /// Nil for all of them.
    private let only: Part?
    private let except: Part
    /// The selectors that it was made from; none if it was not made from text.
    package let selectors: Selectors

    /// Campaigns and audiences by name.
    package struct Part: Hashable, Sendable {
        package let campaigns: Set<CampaignID>
        package let audiences: Set<AudienceID>

        package init(campaigns: Set<CampaignID> = [], audiences: Set<AudienceID> = []) {
            self.campaigns = campaigns
            self.audiences = audiences
        }
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
