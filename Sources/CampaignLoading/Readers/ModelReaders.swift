package import CampaignModel
import Diagnostics
package import Scheduling
import YAMLSyntax

extension ValueReader {
    /// A name as teams give them.
    package static func identifier<Entity>() -> ValueReader
    where Value == Identifier<Entity> {
        .scalar(
            "a name",
            rule: .invalidName,
            help: "a name is 1 to 64 letters, digits, `-`, `_` and `.`, a letter or digit first",
            parse: Identifier.init
        )
    }
}

extension ValueReader where Value == Topic {
    package static let topic = ValueReader.scalar(
        "a topic name",
        rule: .topicName,
        help: "a topic is 1 to \(Topic.maximumLength) of the characters a-z A-Z 0-9 - _ . ~ %",
        parse: { Topic($0) }
    )
}

extension ValueReader where Value == CollapseKey {
    package static let collapseKey = ValueReader.scalar(
        "a collapse key for all platforms",
        rule: .webTopicSyntax,
        help: "the web allows 1 to 32 of a-z A-Z 0-9 - _; "
            + "write longer ones into the platforms' own fields",
        parse: CollapseKey.init
    )
}

extension ValueReader where Value == Registration {
    /// A registration is a secret: a broken one is not repeated in the message.
    package static let registration = ValueReader { node, log in
        guard let scalar = node.requireScalar("a registration", &log) else { return nil }
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

extension ValueReader where Value == TimeToLive {
    package static let timeToLive = ValueReader { node, log in
        guard let scalar = node.requireScalar("a duration", &log) else { return nil }
        guard let seconds = DurationText.seconds(scalar.text) else {
            log.report(
                .unacceptable(
                    .durationSyntax,
                    scalar.text,
                    expected: "a duration",
                    at: node.span,
                    help: "write it as `90s`, `30m`, `12h`, `4d`, `1h30m` or `0`"
                )
            )
            return nil
        }
        guard let timeToLive = TimeToLive(seconds: seconds) else {
            log.report(.timeToLiveOutOfRange(scalar.text, at: node.span))
            return nil
        }
        return timeToLive
    }
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
        "a local date and time",
        rule: .momentSyntax,
        help: "write it as \"2037-03-20 07:30\"; the zone stands under `timezone`",
        parse: { CivilDateTime(parsing: $0) }
    )
}

extension ValueReader where Value == String {
    /// `http://127.0.0.1:9099`: an emulator's base URL.
    ///
    /// Only loopback is allowed.
    package static let emulatorURL = ValueReader { node, log in
        guard let scalar = node.requireScalar("a URL", &log) else { return nil }
        guard let url = LoopbackURL.normalized(scalar.text) else {
            log.report(
                .unacceptable(
                    .invalidURL,
                    scalar.text,
                    expected: "the address of a local emulator",
                    at: node.span,
                    help: "write it as `http://127.0.0.1:9099`; only this machine is allowed"
                )
            )
            return nil
        }
        return url
    }
}

private enum LoopbackURL {
    /// The base URL without a slash at its end; nil where it is not http on this machine.
    static func normalized(_ text: String) -> String? {
        guard text.hasPrefix("http://") else { return nil }
        var authority = text.dropFirst("http://".count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard let host = hosts.first(where: { authority == $0 || authority.hasPrefix($0 + ":") })
        else { return nil }
        let port = authority.dropFirst(host.count + 1)
        let isPort =
            port.isEmpty
            || port.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                && (Int(port).map { (1...65_535).contains($0) } ?? false)
        guard isPort, authority == host || !port.isEmpty else { return nil }
        return "http://" + authority
    }

    private static let hosts = ["127.0.0.1", "localhost", "[::1]"]
}
