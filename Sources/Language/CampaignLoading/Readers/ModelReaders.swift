package import CampaignModel
package import Diagnostics
import Text
package import Time
import YAMLSyntax

extension ValueReader {
    /// Reads a name that a team chose.
    package static func identifier<Entity>() -> ValueReader
    where Value == Identifier<Entity> {
        .scalar(
            ExpectedText(
                "a name",
                rule: .invalidName,
                help:
                    "use 1 to 64 letters, digits, `-`, `_` and `.`, and start with a letter or digit"
            ),
            schema: .text(
                TextForm(
                    pattern: "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}",
                    lookalikes: .unsigned
                )
            ),
            parse: Identifier.init
        )
    }
}

extension ValueReader where Value == Topic {
    /// Reads a topic; a leading `/topics/` is dropped with a note.
    package static let topic = ValueReader(named.schema) { node, log in
        guard let topic = named.read(node, &log) else { return nil }
        if let text = node.scalar?.text, text.hasPrefix(Topic.prefix) {
            let place = node.span(ofText: 0..<Topic.prefix.utf8.count)
            log.report(.topicPrefix(at: place, fix: node.writing(topic, without: place)))
        }
        return topic
    }

    private static let named = ValueReader.scalar(
        ExpectedText(
            "a topic name",
            rule: .topicName,
            help: "use 1 to \(Topic.maximumLength) of the characters a-z A-Z 0-9 - _ . ~ %"
        ),
        schema: .text(
            TextForm(
                pattern: "(/topics/)?[a-zA-Z0-9_.~%-]{1,\(Topic.maximumLength)}",
                lookalikes: .everything
            )
        ),
        parse: { Topic($0) }
    )
}

extension SyntaxNode {
    /// Returns the edit that leaves the bare name; nil if the file's text is not verbatim.
    ///
    /// A name is quoted if it is a YAML null or begins with a special character.
    fileprivate func writing(_ topic: Topic, without prefix: SourceSpan) -> Fix? {
        guard let scalar, scalar.verbatimStart != nil else { return nil }
        let isText =
            topic.name.first.map { $0.isLetter || $0.isNumber || $0 == "_" } == true
            && topic.name.lowercased() != "null"
        return scalar.style != .plain || isText
            ? Fix(span: prefix, replacement: "", applicability: .safe)
            : Fix(span: span, replacement: "\"\(topic.name)\"", applicability: .safe)
    }
}

extension Diagnostic {
    package static func topicPrefix(at span: SourceSpan, fix: Fix?) -> Diagnostic {
        Diagnostic(
            rule: .topicPrefix,
            message: "a topic is written without the prefix `/topics/`",
            span: span,
            label: "has no effect",
            help: ["remove it: `/topics/NAME` and `NAME` are the same topic"],
            fix: fix
        )
    }
}

extension ValueReader where Value == CollapseKey {
    package static let collapseKey = ValueReader.scalar(
        ExpectedText(
            "a collapse key for all platforms",
            rule: .webTopicSyntax,
            help:
                "the web allows 1 to 32 of a-z A-Z 0-9 - _; set longer keys in the platforms' own "
                + "fields"
        ),
        schema: .text(
            TextForm(
                pattern: "[A-Za-z0-9_-]{1,\(CollapseKey.maximumLength)}",
                lookalikes: .whole
            )
        ),
        parse: CollapseKey.init
    )
}

extension ValueReader where Value == Registration {
    /// Reads a registration; it is a secret, so messages never repeat a broken one.
    package static let registration = ValueReader(
        .text(
            TextForm(
                pattern: Registration.pattern,
                lookalikes: .everything
            )
        )
    ) { node, log in
        guard let scalar = node.requireScalar("a registration", reportingTo: &log) else {
            return nil
        }
        guard let registration = Registration(scalar.text) else {
            log.report(
                Diagnostic(
                    rule: .invalidRegistration,
                    message: "this is not a registration",
                    span: node.span,
                    label: "1 to \(Registration.maximumLength) printable ASCII characters"
                )
            )
            return nil
        }
        return registration
    }
}

extension Registration {
    /// The characters of a registration as a pattern of the JSON Schema.
    static let pattern = "[!#-&(-+\\--:<-\\[\\]-~]{1,\(maximumLength)}"
}

extension ValueReader where Value == TimeToLive {
    package static let timeToLive = ValueReader(ValueReader<Int64>.duration.schema) { node, log in
        guard let seconds = ValueReader<Int64>.duration.read(node, &log) else { return nil }
        guard let timeToLive = TimeToLive(seconds: seconds) else {
            let scalar = node.scalar?.written ?? ""
            log.report(.timeToLiveOutOfRange(scalar, at: node.span))
            return nil
        }
        return timeToLive
    }
}

extension ValueReader where Value == Int64 {
    /// Reads a duration in seconds.
    package static let duration = ValueReader.scalar(
        ExpectedText(
            "a duration",
            rule: .durationSyntax,
            help: "write it as `90s`, `30m`, `12h`, `4d`, `1h30m` or `0`"
        ),
        schema: .text(
            TextForm(
                pattern: "0|(?=[0-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?",
                lookalikes: .integers(0...0)
            )
        ),
        respell: Notation.duration,
        parse: DurationText.seconds
    )
}

extension Diagnostic {
    static func timeToLiveOutOfRange(_ text: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .ttlOutOfRange,
            message: "a time to live of \(text) is out of range",
            span: span,
            label: "FCM keeps a message from 0 to 2,419,200 seconds (28 days)",
            help: ["write `28d` or less"]
        )
    }
}

extension ValueReader where Value == CivilDateTime {
    package static let moment = ValueReader.scalar(
        ExpectedText(
            "a local date and time",
            rule: .momentSyntax,
            help: "write it as \"2037-03-20 07:30\"; the zone belongs under `timezone`"
        ),
        schema: .text(
            TextForm(
                pattern: "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
                    + "[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?"
            )
        ),
        parse: { CivilDateTime(parsing: $0) }
    )
}

extension ValueReader where Value == String {
    /// Reads an emulator's base URL such as `http://127.0.0.1:9099`.
    ///
    /// Only loopback is allowed; plan and apply refuse `https`.
    package static let emulatorURL = ValueReader(
        .text(
            TextForm(
                pattern: "https?://(127\\.0\\.0\\.1|localhost|\\[::1\\])"
                    + "(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}"
                    + "|655[0-2][0-9]|6553[0-5]))?/?"
            )
        )
    ) { node, log in
        guard let scalar = node.requireScalar("a URL", reportingTo: &log) else { return nil }
        guard let url = LoopbackURL.normalized(scalar.text) else {
            log.report(
                .unacceptable(
                    scalar.written,
                    expected: ExpectedText(
                        "the address of a local emulator",
                        rule: .invalidURL,
                        help: "write it as `http://127.0.0.1:9099`; only this machine is allowed"
                    ),
                    at: node.span
                )
            )
            return nil
        }
        return url
    }
}

private enum LoopbackURL {
    /// Returns the base URL without a trailing slash; nil if it is not on this machine.
    static func normalized(_ text: String) -> String? {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        var authority = text.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard let host = hosts.first(where: { authority == $0 || authority.hasPrefix($0 + ":") })
        else { return nil }
        let port = authority.dropFirst(host.count + 1)
        let isPort =
            port.isEmpty
            || port.utf8.allSatisfy(\.isASCIIDigit)
                && (Int(port).map { (1...65_535).contains($0) } ?? false)
        guard isPort, authority == host || !port.isEmpty else { return nil }
        return scheme + authority
    }

    private static let hosts = ["127.0.0.1", "localhost", "[::1]"]
}
