import JSON

extension WebpushBlock {
    /// The valid urgencies (RFC 8030, section 5.3).
    private static let urgencies: Set<String> = ["very-low", "low", "normal", "high"]

    init(_ block: JSONObject) throws(FieldViolation) {
        self.init()
        headers = block.headerFields
        data = try block.dataEntries(at: "message.webpush")
        notification = block["notification"]?.objectValue ?? [:]
        link = block["fcm_options"]?["link"]?.stringValue
        try checkTimeToLive()
        if let urgency = headers["urgency"], !Self.urgencies.contains(urgency) {
            throw .invalid(
                "message.webpush.headers.Urgency",
                because: "Urgency must be very-low, low, normal or high."
            )
        }
        if let topic = headers["topic"], !topic.isWebTopic {
            throw .invalid(
                "message.webpush.headers.Topic",
                because: "Topic must be 1 to 32 characters of the URL-safe base64 alphabet."
            )
        }
        if let link, !link.hasPrefix("https://") || link.utf8.count == "https://".utf8.count {
            throw .invalid(
                "message.webpush.fcm_options.link",
                because: "The link must be an HTTPS URL."
            )
        }
        label = try block["fcm_options"].label(at: "message.webpush")
    }

    private func checkTimeToLive() throws(FieldViolation) {
        guard let text = headers["ttl"] else { return }
        let field = "message.webpush.headers.TTL"
        guard text.utf8.allSatisfy(\.isDigit), let seconds = Int64(text) else {
            throw .invalid(field, because: "TTL must be a non-negative integer.")
        }
        guard seconds <= MessageLife.longestSeconds else {
            throw .invalid(field, because: "TTL must not be above \(MessageLife.longestSeconds).")
        }
    }
}

extension String {
    /// Whether the text is a valid topic (RFC 8030, section 5.4).
    fileprivate var isWebTopic: Bool {
        (1...32).contains(utf8.count)
            && utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x5F }
    }
}
