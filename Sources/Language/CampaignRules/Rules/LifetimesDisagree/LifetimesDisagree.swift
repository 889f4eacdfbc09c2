import CampaignModel
import Diagnostics

extension Rule {
    static let lifetimesDisagree = Rule.ofCampaigns(.lifetimesDisagree) { subject, log in
        let lives = subject.comparableLives
        guard let first = lives.first,
            let other = lives.dropFirst().first(where: { !$0.agrees(with: first) })
        else { return }
        log.report(.lifetimesDisagree(first, other, of: subject))
    }
}

extension CampaignSubject {
    fileprivate var comparableLives: [PlatformLifetime] {
        lives.filter { life in
            guard life.isHandwritten else { return false }
            if life.platform != .apple || life.seconds == 0 { return true }
            guard case .at = campaign.schedule else { return false }
            return true
        }
    }
}

extension PlatformLifetime {
    fileprivate func agrees(with other: PlatformLifetime) -> Bool {
        let isToTheMinute = [self, other].contains { $0.platform == .apple && $0.seconds != 0 }
        return abs(seconds - other.seconds) <= (isToTheMinute ? 60 : 0)
    }

    fileprivate var words: String {
        let length = seconds == 0 ? "0s" : DurationText.text(seconds: seconds)
        return "\(length) on \(platform.properName)"
    }
}

extension Diagnostic {
    fileprivate static func lifetimesDisagree(
        _ first: PlatformLifetime,
        _ other: PlatformLifetime,
        of subject: CampaignSubject
    ) -> Diagnostic {
        Diagnostic(
            rule: .lifetimesDisagree,
            message: "the message has different lifetimes: \(first.words) and \(other.words)",
            span: subject.place(of: other),
            label: other.words,
            related: subject.place(of: first).map {
                [RelatedPlace(span: $0, message: first.words)]
            } ?? [],
            help: ["write one `delivery: { ttl: … }` for all platforms"]
        )
    }
}
