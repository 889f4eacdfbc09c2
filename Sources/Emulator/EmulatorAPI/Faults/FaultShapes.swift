import DeliveryModel

/// The fields of a fault script, in both JSON spellings.
extension MessageShape {
    static let faultScript = MessageShape(
        "herald.FaultScript",
        fields: [("seed", .number), ("rules", .list(.object(faultRule)))]
    )

    private static let faultRule = MessageShape(
        "herald.FaultRule",
        fields: [
            ("id", .string),
            ("match", .object(faultMatcher)),
            ("when", .object(faultOccasion)),
            ("accepted duplicate", .bool),
            ("answer", .object(faultAnswer)),
            ("delivery", .object(faultDelivery)),
        ]
    )

    static let faultMatcher = MessageShape(
        "herald.FaultMatcher",
        fields: [
            ("service", names("FaultService", names: FaultService.allCases.map(\.rawValue))),
            ("method topic condition registration", .string),
            ("registration_share", .number),
            ("platform", names("Platform", names: ["ANDROID", "APPLE", "WEB"])),
        ]
    )

    static let faultOccasion = MessageShape(
        "herald.FaultOccasion",
        fields: [
            ("nth every from until times from_seconds until_seconds", .int32),
            ("share", .number),
            ("from_time until_time", .string),
            ("over_quota", .object(faultQuota)),
        ]
    )

    private static let faultQuota = MessageShape(
        "herald.FaultQuota",
        fields: [
            ("limit", .int32),
            ("per", names("FaultQuota.Window", names: FaultQuota.Window.allCases.map(\.rawValue))),
        ]
    )

    static let faultAnswer = MessageShape(
        "herald.FaultAnswer",
        union: ("content", ["error", "status"]),
        fields: [
            ("error", names("FaultError", names: FaultError.allCases.map(\.rawValue))),
            ("status", .int32),
            ("json", .freeObject),
            ("text content_type", .string),
            ("headers", .map),
            ("retry_after_seconds retry_after_date_seconds", .int32),
        ]
    )

    static let faultDelivery = MessageShape(
        "herald.FaultDelivery",
        union: (
            "delivery",
            [
                "delay_milliseconds", "bytes_per_second", "truncate_after_bytes", "never",
                "half_open", "reset_connection", "reset_stream", "go_away",
            ]
        ),
        fields: [
            ("delay_milliseconds bytes_per_second truncate_after_bytes", .int32),
            ("never half_open reset_connection", .bool),
            ("reset_stream", http2ErrorCode),
            (
                "go_away",
                .object(
                    MessageShape(
                        "herald.GoAway",
                        fields: [
                            ("error_code", http2ErrorCode),
                            ("last_stream", names("GoAwayMark", names: ["THIS", "BEFORE_THIS"])),
                        ]
                    )
                )
            ),
        ]
    )

    private static let http2ErrorCode = names(
        "HTTP2ErrorCode",
        names: HTTP2ErrorName.allCases.map(\.rawValue)
    )

    private static func names(_ typeName: String, names: [String]) -> FieldKind {
        .enumeration(typeName: "herald.\(typeName)", Set(names))
    }
}

/// The HTTP/2 error codes (RFC 9113, section 7), in numeric order.
enum HTTP2ErrorName: String, CaseIterable {
    case noError = "NO_ERROR"
    case protocolError = "PROTOCOL_ERROR"
    case internalError = "INTERNAL_ERROR"
    case flowControlError = "FLOW_CONTROL_ERROR"
    case settingsTimeout = "SETTINGS_TIMEOUT"
    case streamClosed = "STREAM_CLOSED"
    case frameSizeError = "FRAME_SIZE_ERROR"
    case refusedStream = "REFUSED_STREAM"
    case cancel = "CANCEL"
    case compressionError = "COMPRESSION_ERROR"
    case connectError = "CONNECT_ERROR"
    case enhanceYourCalm = "ENHANCE_YOUR_CALM"
    case inadequateSecurity = "INADEQUATE_SECURITY"
    case http11Required = "HTTP_1_1_REQUIRED"

    var number: UInt32 {
        UInt32(Self.allCases.firstIndex(of: self) ?? 0)
    }

    init?(number: UInt32) {
        guard let name = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = name
    }
}
