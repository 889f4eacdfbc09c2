import CampaignModel
import Planning
import Testing
import Time

/// Quiet hours from 22:00 to 07:00 with a spread of ten minutes, of which the sends of `sale` in the
/// project `shop` wait 266 s, as Python computes it.
enum QuietScene {
    /// The end of the quiet hours and the spread after `PlanScene.now`.
    static let end = "2027-01-16T07:04:26Z"

    static func hours() throws -> QuietHours {
        QuietHours(
            from: try #require(CivilTime(hour: 22, minute: 0)),
            to: try #require(CivilTime(hour: 7, minute: 0))
        )
    }

    static func guards() throws -> GuardBasis { GuardBasis(limits: try limits()) }

    /// An environment with the quiet hours.
    static func environment() throws -> CampaignModel.Environment {
        let standard = EnvironmentSettings.standard
        return CampaignModel.Environment(
            id: try #require(EnvironmentID("dev")),
            endpoint: .embeddedEmulator,
            settings: EnvironmentSettings(
                state: standard.state,
                isProtected: standard.isProtected,
                sends: standard.sends,
                pace: standard.pace,
                guards: try limits(),
                settle: standard.settle
            )
        )
    }

    private static func limits() throws -> Guards {
        let standard = EnvironmentSettings.standard.guards
        return Guards(
            maximumRecipients: standard.maximumRecipients,
            maximumChange: standard.maximumChange,
            quietHours: try hours(),
            cap: standard.cap,
            requiresReviewedPlan: standard.requiresReviewedPlan,
            maximumSends: standard.maximumSends,
            allowsTest: standard.allowsTest
        )
    }

    static func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }
}
