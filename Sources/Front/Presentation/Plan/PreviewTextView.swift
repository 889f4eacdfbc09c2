import CampaignMessages
package import CampaignModel
import JSON
import Planning

/// Renders the preview as text, with tables as wide as the output.
package struct PreviewTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    /// `platform`: the platform to show instead of the request and all platforms.
    package func render(_ preview: CampaignPreview, only platform: Platform?) -> String {
        let messages = preview.messages.filter { platform == nil || $0.platform == platform }
        let json =
            platform == nil
            ? ["POST \(TextStyle.safe(preview.path))", preview.body.prettyText]
            : messages.map { JSONValue.object($0.message).prettyText }
        var text = head(of: preview, messages: messages).map(style.folded) + [""] + json
        if let encrypted = preview.encrypted {
            text +=
                ["", "The encrypted content, which only the recipient's app can read:"]
                + [JSONValue.object(encrypted).prettyText]
        }
        for message in messages { text += [""] + section(message, of: preview) }
        return text.joined(separator: "\n") + "\n"
    }

    private func head(of preview: CampaignPreview, messages: [EffectiveMessage]) -> [String] {
        let kinds = messages.map(\.kind).reduce(into: [MessageKind]()) { kinds, kind in
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        let wording = kinds.map { kind in
            let names = messages.filter { $0.kind == kind }.map(\.platform.rawValue)
            let name =
                names.count == Platform.allCases.count
                ? "everywhere" : names.joined(separator: ", ")
            return "\(name): \(kind.rawValue)"
        }
        let campaign = style.paint(preview.campaign.rawValue, in: .strong)
        let audience =
            preview.recipients.map(TextStyle.safe)
            ?? preview.audience.wording + preview.excluded.exclusionWording
        let row = preview.row.map { ", row \($0.grouped)" } ?? ""
        return ["\(campaign) to \(audience)\(row)", wording.joined(separator: "; ")]
            + language(of: preview)
            + (preview.encrypted == nil
                ? [] : ["encrypted for each recipient; shown without the values of a row"])
            + preview.arms.sentences
    }

    private func language(of preview: CampaignPreview) -> [String] {
        if let arm = preview.arms.shown?.wording { return [arm] }
        if !preview.arms.variants.isEmpty, preview.arms.shown == nil {
            let names = preview.arms.variants.map(\.rawValue).joined(separator: ", ")
            return ["the message that the variants change; to see one (\(names)), add --variant"]
        }
        if let locale = preview.locale {
            let text = locale.key.map { "the text of `locales.\($0)`" } ?? "the campaign's own text"
            return ["locale \(locale.requested): \(text)"]
        }
        guard !preview.otherLocales.isEmpty else { return [] }
        let others = preview.otherLocales.map(\.tag).joined(separator: ", ")
        return ["the campaign's own text; for the others (\(others)), add --locale"]
    }

    private func section(_ message: EffectiveMessage, of preview: CampaignPreview) -> [String] {
        let name = style.paint(message.platform.rawValue, in: .strong)
        guard message.kind != .nothing else {
            return ["\(name)  receives nothing"] + table(message, of: preview)
        }
        let bytes = PayloadSize(of: message).bytes
        let size = style.paint(
            "\(bytes.grouped) of \(preview.limit.grouped) bytes",
            in: bytes > preview.limit ? .bad : .plain
        )
        return ["\(name)  \(message.kind.rawValue), \(size)"] + table(message, of: preview)
    }
}

// MARK: - Fields

extension PreviewTextView {
    /// One line per field: its name, its value and, right-aligned, its origin.
    ///
    /// The value is shortened if necessary.
    private func table(_ message: EffectiveMessage, of preview: CampaignPreview) -> [String] {
        let rows = message.fields.map {
            Row($0, on: message.platform, origin: preview.origin(of: $0))
        }
        let names = min(rows.map(\.name.columns).max() ?? 0, 32)
        let gaps = 6
        let widths = rows.map { gaps + names + $0.value.columns + $0.origin.columns }
        let width = min(widths.max() ?? 0, style.width.table)
        return rows.map { row in
            let room = width - gaps - names - row.origin.columns
            let value = row.value.cut(to: max(room, 16)).filled(to: room)
            return
                "  \(row.name.filled(to: names))  \(value)  \(style.paint(row.origin, in: .faint))"
        }
    }

    /// A field as text that is safe to print.
    private struct Row {
        let name: String
        let value: String
        let origin: String

        /// Omits the platform's own block from the path, because the heading shows it.
        init(_ field: EffectiveMessage.Field, on platform: Platform, origin: String) {
            let isOwn = field.path.first == platform.block
            let path = isOwn ? field.path.dropFirst() : field.path[...]
            name = TextStyle.safe(path.joined(separator: "."))
            value = TextStyle.safe(field.value.stringValue ?? field.value.compactText)
            self.origin = TextStyle.safe(origin)
        }
    }
}

extension String {
    fileprivate var columns: Int { TextStyle.columns(of: self) }

    fileprivate func filled(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The beginning of the text, up to the given width.
    fileprivate func cut(to width: Int) -> String {
        guard columns > width else { return self }
        var text = ""
        var used = 1
        for character in self {
            used += String(character).columns
            if used > width { break }
            text.append(character)
        }
        return text + "…"
    }
}

extension PlannedAudience {
    /// The target of the campaign: lists by name, topics with their declared reach.
    fileprivate var wording: String {
        switch self {
        case .topic(let topic, let reach):
            "topic \(topic)" + (reach.map { " (declared reach \($0.grouped))" } ?? "")
        case .condition(let text): "condition \(TextStyle.safe(text))"
        case .group(let name): "device group \(TextStyle.safe(name.text))"
        case .listAtSend(let name):
            "the registrations" + (name.map { " of \(TextStyle.safe($0))" } ?? "")
        case .list(let name, let count, let people):
            (people.map { $0.counting("person", plural: "people") + " with " } ?? "")
                + (count.map { $0.counting("registration") } ?? "the registrations")
                + (name.map { " of \(TextStyle.safe($0))" } ?? " written in the campaign")
        }
    }
}
