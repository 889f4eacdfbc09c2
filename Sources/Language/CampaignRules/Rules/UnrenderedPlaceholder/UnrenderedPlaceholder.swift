import CampaignLoading
import CampaignModel
import Diagnostics
import JSON

extension Rule {
    static let unrenderedPlaceholder = Rule.ofCampaigns(.unrenderedPlaceholder) { subject, log in
        let content = JSONValue.object(subject.content.fields)
        if !subject.campaign.target.hasColumns, content.hasColumn {
            content.forEachColumn(at: []) { text, place, path in
                let span = subject.message?.span(of: place, in: text, at: path)
                log.report(
                    .columnWithoutList(text.part(place), for: subject.campaign.target, at: span)
                )
            }
        }
        for text in subject.seenTexts {
            guard let place = ForeignPlaceholder.place(in: text.text) else { continue }
            let span = subject.message?.span(of: place, in: text.text, at: text.path)
            log.report(.foreignPlaceholder(text.text.part(place), at: span))
        }
    }
}

extension AudienceTarget {
    fileprivate var hasColumns: Bool {
        switch self {
        case .registrations: true
        case .topic, .condition, .group: false
        }
    }

    fileprivate var kindName: String {
        switch self {
        case .topic: "a topic"
        case .condition: "a condition"
        case .group: "a device group"
        case .registrations: "a list"
        }
    }
}

extension JSONValue {
    /// Whether any text contains `{{`, which most messages do not.
    fileprivate var hasColumn: Bool {
        switch self {
        case .string(let text): text.column != nil
        case .array(let elements): elements.contains(where: \.hasColumn)
        case .object(let object): object.members.contains { $0.value.hasColumn }
        case .null, .bool, .integer, .number: false
        }
    }

    /// Calls `body` with the first `{{…}}` of every text in this value.
    fileprivate func forEachColumn(
        at path: [String],
        body: (_ text: String, _ place: Range<Int>, _ path: [String]) -> Void
    ) {
        switch self {
        case .string(let text):
            if let place = text.column { body(text, place, path) }
        case .array(let elements):
            for (number, element) in elements.enumerated() {
                element.forEachColumn(at: path + [String(number)], body: body)
            }
        case .object(let object):
            for member in object.members {
                member.value.forEachColumn(at: path + [member.key], body: body)
            }
        case .null, .bool, .integer, .number: break
        }
    }
}

extension String {
    /// The range of the first `{{…}}` in UTF-8 bytes, or of the first `{{` if it has no near end.
    fileprivate var column: Range<Int>? {
        var text = self
        return text.withUTF8 { bytes in
            guard let start = Self.pair("{", from: 0, to: bytes.count, in: bytes) else {
                return nil
            }
            let limit = min(bytes.count, start + 100)
            let end = Self.pair("}", from: start + 2, to: limit, in: bytes)
            return start..<(end ?? start) + 2
        }
    }

    /// Returns the index of a doubled character.
    private static func pair(
        _ sign: Unicode.Scalar,
        from start: Int,
        to limit: Int,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        let byte = UInt8(ascii: sign)
        guard start + 1 < limit else { return nil }
        return (start..<limit - 1).first { bytes[$0] == byte && bytes[$0 + 1] == byte }
    }

    fileprivate func part(_ place: Range<Int>) -> String {
        String(decoding: utf8.dropFirst(place.lowerBound).prefix(place.count), as: UTF8.self)
    }
}

extension Diagnostic {
    fileprivate static func columnWithoutList(
        _ placeholder: String,
        for target: AudienceTarget,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .unrenderedPlaceholder,
            message: "`\(placeholder)` is not replaced: \(target.kindName) has no columns",
            span: span,
            label: "would be sent unchanged",
            help: ["write the text itself, or send the message to a list"]
        )
    }

    fileprivate static func foreignPlaceholder(
        _ placeholder: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .unrenderedPlaceholder,
            severity: .warning,
            message: "`\(placeholder)` is not replaced",
            span: span,
            label: "would be visible to recipients",
            help: ["write the text itself: Herald sends it unchanged"]
        )
    }
}
