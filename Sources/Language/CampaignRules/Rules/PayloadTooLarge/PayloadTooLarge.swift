import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let payloadTooLarge = Rule(.payloadTooLarge, over: PayloadSize.maximum) { _, bytes in
        bytes > PayloadSize.maximum
    }
}

extension RuleContext {
    /// The replies of upstream rules that FCM would refuse, because they are too large.
    var tooLargeReplies: [Diagnostic] {
        project.upstream.compactMap { rule in
            guard let size = rule.replyCampaign.flatMap(PayloadSize.init(heaviestOf:)),
                size.bytes > PayloadSize.maximum
            else { return nil }
            let reply = declarations.upstream.first { $0.value.upstream?.value == rule.id }?
                .value.reply
            var place = reply?.span
            if case .message(let path)? = size.weights.first?.field.origin {
                place = reply?.value.span(at: path) ?? place
            }
            return Diagnostic(
                rule: .payloadTooLarge,
                message:
                    "the reply of `\(rule.id)` is too large for \(size.platform): \(size.bytes) of "
                    + "\(PayloadSize.maximum) bytes",
                span: place,
                label: "the largest field",
                help: ["shorten the text, or send an ID and let the app fetch the rest"]
            )
        }
    }
}
