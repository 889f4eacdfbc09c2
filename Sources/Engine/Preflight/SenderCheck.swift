import Text

/// Checks whether the sender ID (the project number) matches that of the registrations.
package enum SenderCheck {
    /// Compares the known sender IDs.
    ///
    /// - Parameters:
    ///   - configured: `sender_id` of the environment.
    ///   - named: The project number in an FCM answer.
    ///   - registered: The sender of the first registration in a list.
    ///   - needsIt: Whether campaigns address device groups.
    /// - Returns: A problem if two sender IDs differ or the needed one is missing.
    package static func finding(
        configured: String?,
        named: String?,
        registered: String?,
        needsIt: Bool
    ) -> CheckupFinding {
        if let configured, !isNumber(configured) {
            return CheckupFinding(
                .sender,
                verdict: .problem,
                seen: "sender_id is `\(configured)`, which is not a number",
                wayOut: "write the project's number: Firebase console, Project settings, Cloud "
                    + "Messaging, Sender ID"
            )
        }
        let number = configured ?? named
        if let configured, let named, configured != named {
            return CheckupFinding(
                .sender,
                verdict: .problem,
                seen:
                    "sender_id is \(configured), but FCM reports that project_id is project \(named)",
                wayOut: "write the project's number, or the right project_id"
            )
        }
        if let number, let registered, isNumber(registered), registered != "0", number != registered
        {
            return CheckupFinding(
                .sender,
                verdict: .problem,
                seen:
                    "the registrations belong to project \(registered), but project \(number) would "
                    + "send to them: FCM refuses this (403 SENDER_ID_MISMATCH)",
                wayOut: "send with the app's own project, or use the list that was collected for "
                    + "this project"
            )
        }
        guard let configured else {
            guard needsIt else { return .ok(.sender, seen: "not set; only device groups need it") }
            return CheckupFinding(
                .sender,
                verdict: .warning,
                seen: "not set, and a campaign sends to a device group",
                wayOut: "write `sender_id`, the project number, next to `project_id`"
            )
        }
        let isProved = named != nil || registered == configured
        return .ok(
            .sender,
            seen: configured
                + (isProved
                    ? ", confirmed by FCM"
                    : "; not confirmed: only a registration or a refusal shows the number")
        )
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
    }
}
