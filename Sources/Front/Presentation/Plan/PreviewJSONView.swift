import CampaignMessages
package import CampaignModel
import JSON

/// Renders the preview as JSON.
package struct PreviewJSONView: Sendable {
    package init() {}

    /// `platform`: the platform to show; nil for all.
    package func render(_ preview: CampaignPreview, only platform: Platform?) -> String {
        let messages = preview.messages.filter { platform == nil || $0.platform == platform }
        let platforms = messages.map { message in
            JSONObject.Member(
                key: message.platform.rawValue,
                value: json(message, of: preview)
            )
        }
        var object: JSONObject = ["campaign": .string(preview.campaign.rawValue)]
        if let row = preview.row { object["row"] = .integer(Int64(row)) }
        object["request"] = .object(
            ShownRequest.shape.json(of: ShownRequest(body: preview.body, path: preview.path))
        )
        object["encrypted"] = preview.encrypted.map(JSONValue.object)
        object["platforms"] = .object(JSONObject(platforms))
        if let arm = preview.arms.shown {
            object["variant"] = arm.variant.map { .string($0.rawValue) }
            if arm.arm.isHeldOut { object["held_out"] = true }
        }
        object["arms"] = preview.arms.json
        object["locale"] = preview.locale.map { locale in
            .object([
                "requested": .string(locale.requested.tag),
                "key": locale.key.map { .string($0.tag) } ?? .null,
            ])
        }
        return JSONValue.object(object).prettyText + "\n"
    }

    private func json(_ message: EffectiveMessage, of preview: CampaignPreview) -> JSONValue {
        .object([
            "kind": .string(message.kind.rawValue),
            "bytes": .integer(Int64(PayloadSize(of: message).bytes)),
            "limit": .integer(Int64(preview.limit)),
            "message": .object(message.message),
            "fields": .array(message.fields.map { json($0, of: preview) }),
        ])
    }

    private func json(_ field: EffectiveMessage.Field, of preview: CampaignPreview) -> JSONValue {
        .object([
            "field": .string(field.path.joined(separator: ".")),
            "value": field.value,
            "origin": .string(preview.origin(of: field)),
        ])
    }
}
