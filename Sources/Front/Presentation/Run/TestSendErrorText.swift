package import CampaignModel

/// Errors of `herald send`.
extension ErrorText {
    package static func expiredTestMessage(of campaign: CampaignID) -> ErrorText {
        ErrorText("the message of \(campaign) has expired", help: "change its `expires` or `ttl`")
    }

    package static var notSent: ErrorText {
        ErrorText("not sent")
    }

    package static func tooManyRecipients(_ count: Int, limit: Int) -> ErrorText {
        ErrorText(
            "a test send has at most \(limit) recipients, not \(count.grouped)",
            help: "use a campaign and `herald apply` to send to a list"
        )
    }

    package static func notTestRecipient(_ fingerprint: Fingerprint) -> ErrorText {
        ErrorText(
            "\(fingerprint) is not in an audience with `test: true`",
            help: "add it to such an audience, or use an environment with an emulator"
        )
    }

    package static func unknownRecipient(
        _ fingerprint: Fingerprint,
        in environment: EnvironmentID
    ) -> ErrorText {
        ErrorText(
            "no list or device of this project has \(fingerprint)",
            help: "use a fingerprint of this environment, as shown by "
                + "`herald registrations fingerprint LIST -e \(environment)`"
        )
    }
}
