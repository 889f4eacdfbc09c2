import CampaignMessages
package import CampaignModel
import Envelopes
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import Memberships
package import RegistrationLists
package import RunControl
import Sending
import Time

/// Validates a project's messages with FCM (`validate_only`), without sending or recording
/// anything.
///
/// Equal requests are made once. The first registration represents a list.
package struct MessageValidation: Sendable {
    private let lists: any ListPlaces
    private let settings: RunSettings
    private let now: Instant

    package init(of lists: any ListPlaces, settings: RunSettings) {
        self.lists = lists
        self.settings = settings.renewing
        now = settings.clock.now()
    }

    /// Returns a verdict for every text of a campaign that FCM rejects, in the order of the campaigns.
    ///
    /// A campaign to a source that was not read is omitted.
    ///
    /// - Throws: `.unreachable`; `.refused` if the answer is about the caller instead of a message;
    ///   `.list` if a list cannot be read.
    package func verdicts(on campaigns: [Campaign]) async throws(ApplyError) -> [MessageVerdict] {
        var known: [[UInt8]: MessageVerdict.Finding?] = [:]
        var verdicts: [MessageVerdict] = []
        for campaign in campaigns {
            guard let target = try await target(of: campaign) else { continue }
            for text in campaign.texts {
                let body = message(of: text.campaign).body(to: target, validateOnly: true)
                    .compactBytes
                let finding: MessageVerdict.Finding?
                if let answered = known[body] {
                    finding = answered
                } else {
                    finding = try await ask(body, hiding: text.campaign.secrets + target.secrets)
                }
                known[body] = .some(finding)
                guard let finding else { continue }
                verdicts.append(
                    MessageVerdict(campaign: campaign.id, locale: text.locale, finding: finding)
                )
                if case .registration = finding { break }
            }
        }
        return verdicts
    }

    /// Returns the message as it would be sent now; of an encrypted one, with an envelope that no device
    /// can open.
    private func message(of campaign: Campaign) -> SendRequest {
        let template = DeliveryLowering(campaign).template
        let message = template.message(sentAt: now)
        guard let sealed = template.sealed else { return message }
        do throws(EnvelopeKey.Fault) {
            return try sealed.sealing(message, for: .random())
        } catch {
            preconditionFailure("a random key is of small order")
        }
    }

    /// Nil for an empty list, for a source that was not read, and for a list that is missing until
    /// its send begins.
    private func target(of campaign: Campaign) async throws(ApplyError) -> SendTarget? {
        switch campaign.target {
        case .topic(let topic): return .topic(topic.name)
        case .condition(let condition): return .condition(condition.onWire)
        case .group(let name):
            return .token(try await DeviceGroupLookup(settings).key(of: name))
        case .registrations(let list):
            do throws(RegistrationListError) {
                var reader = try RegistrationReader(list, directory: lists)
                while let entry = try reader.next() {
                    if case .registration(let first) = entry {
                        return SendTarget(first, kind: list.kind)
                    }
                }
                return nil
            } catch {
                switch error {
                case .sourceNotRead: return nil
                case .unreadable(_, let reason) where list.isReadAtSend && reason.isMissing:
                    return nil
                case .unreadable, .empty, .brokenLines, .repeated, .missingColumn, .changed:
                    throw .list(error)
                }
            }
        }
    }

    private func ask(
        _ body: [UInt8],
        hiding secrets: [String]
    ) async throws(ApplyError) -> MessageVerdict.Finding? {
        let answer: HTTPAnswer
        do {
            answer = try await settings.transport.send(settings.endpoint.send(body: body))
        } catch {
            throw .unreachable(reason: error.detail)
        }
        switch Judgement(of: answer) {
        case .accepted: return nil
        case .rejected(let rejection):
            return finding(rejection.reason, in: answer).hiding(secrets)
        case .refusedUs(let reason), .unauthorized(let reason): throw .refused(reason: reason)
        case .slowed: return .registration(reason: Rejection.apnsTooManyRequests.reason)
        case .throttled(let reason, _), .failed(let reason, _), .unwritten(let reason),
            .unknown(let reason):
            throw .unanswered(reason: reason)
        }
    }

    private func finding(_ reason: String, in answer: HTTPAnswer) -> MessageVerdict.Finding {
        guard case .refused(let error) = SendAnswer(status: answer.status, body: answer.body),
            error.httpStatus == 400, error.apnsStatus == nil, !error.refusesRegistration
        else { return .registration(reason: reason) }
        let violation = error.fieldViolations?.first
        let path = violation?.field.split(separator: ".").dropFirst().map(String.init) ?? []
        return .message(words: violation?.description ?? error.message, path: path)
    }
}

/// FCM's objection to a campaign's message.
package struct MessageVerdict: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// FCM's text, and the path of the field in the message; an empty path means the whole
        /// message.
        case message(words: String, path: [String])
        /// FCM rejected the registration that represents the list, not the message.
        case registration(reason: String)
    }

    package let campaign: CampaignID
    /// The key of `locales`; nil for the campaign's own text.
    package let locale: Locale?
    package let finding: Finding
}

extension MessageVerdict.Finding {
    /// Hides secrets and shortens the text, because a server may quote the request at any length.
    fileprivate func hiding(_ secrets: [String]) -> MessageVerdict.Finding {
        guard case .message(let words, let path) = self else { return self }
        let hidden = secrets.reduce(words) { text, secret in
            secret.isEmpty ? text : text.replacing(secret, with: "<redacted>")
        }
        return .message(words: String(hidden.prefix(300)), path: path)
    }
}

extension SendTarget {
    fileprivate var secrets: [String] {
        switch self {
        case .token(let registration), .fid(let registration): [registration]
        case .topic, .condition: []
        }
    }
}

extension Campaign {
    /// The campaign with each of its texts as its own.
    fileprivate var texts: [(locale: Locale?, campaign: Campaign)] {
        [(nil, self)] + localizations.map { ($0.locale, saying($0.content)) }
    }

    fileprivate var secrets: [String] {
        content.value(at: ["apns", "live_activity_token"])?.stringValue.map { [$0] } ?? []
    }
}
