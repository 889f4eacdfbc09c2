package import Planning
package import Time

/// What an apply reports besides its plan and its result.
package enum ApplyNoticeWording {
    package static let rehearsed =
        "Dry run: FCM found no errors. Nothing was sent or recorded.\n"

    /// `count`: of the sends that `apply --wait` follows.
    package static func following(_ count: Int) -> String {
        "Waiting for the service to end \(count.counting("send")). Ctrl-C stops waiting, and the "
            + "service continues.\n"
    }

    package static func compacted(_ occurrences: Int, before limit: Instant) -> String {
        "Compacted \(occurrences.counting("occurrence")) that ended before \(limit.utcText). The "
            + "counts are kept.\n"
    }

    /// `file`: a file of upstream rules.
    package static func appended(_ messages: Int, to file: String) -> String {
        "Appended \(messages.counting("message")) to \(file).\n"
    }

    package static func idleBypass(_ guarding: Guard) -> String {
        "\(guarding.option) was not needed"
    }

    package static func shortTimeLimit(_ limit: String) -> String {
        "a request without an answer after \(limit) is unknown, even if FCM still accepts "
            + "it; Google advises 10s or more"
    }
}
