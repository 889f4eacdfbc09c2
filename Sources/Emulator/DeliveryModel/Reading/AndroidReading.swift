import JSON

extension AndroidBlock {
    init(_ block: JSONObject) throws(FieldViolation) {
        try self.init(common: block, at: "message.android")
        priority = block["priority"]?.stringValue
        notification = block["notification"]?.objectValue ?? [:]
        try notification.checkAndroidNotification(at: "message.android.notification")
    }

    /// Reads `android_v2`, whose kind of message implies the priority (Firebase documentation,
    /// Migrate to AndroidConfigV2).
    init(version2 block: JSONObject) throws(FieldViolation) {
        let path = "message.android_v2"
        try self.init(common: block, at: path)
        if let remote = block["remote_notification"]?.objectValue {
            kind = .remoteNotification
            priority = "HIGH"
            notification = remote["notification"]?.objectValue ?? [:]
            try notification.checkAndroidNotification(
                at: path + ".remote_notification.notification"
            )
        } else if block["background_sync"] != nil {
            kind = .backgroundSync
            priority = "NORMAL"
        } else {
            throw .invalid(
                path,
                because: "Exactly one of remote_notification or background_sync must be set."
            )
        }
    }

    private init(common block: JSONObject, at path: String) throws(FieldViolation) {
        self.init()
        collapseKey = block["collapse_key"]?.stringValue
        packageName = block["restricted_package_name"]?.stringValue
        data = try block.dataEntries(at: path)
        timeToLive = block["ttl"]?.stringValue.flatMap { DurationText($0) }
        if let timeToLive, !(0...MessageLife.longestSeconds).contains(timeToLive.wholeSeconds) {
            throw .invalid(
                path + ".ttl",
                because:
                    "Invalid time to live: it must be between 0s and \(MessageLife.longestSeconds)s."
            )
        }
        label = try block["fcm_options"].label(at: path)
    }
}

extension JSONObject {
    fileprivate func checkAndroidNotification(at path: String) throws(FieldViolation) {
        if let color = self["color"]?.stringValue, !color.isColor {
            throw .invalid(path + ".color", because: "Invalid color: it must be in #rrggbb format.")
        }
        for (arguments, key) in Self.localized {
            guard let values = self[arguments]?.arrayValue, !values.isEmpty,
                self[key]?.stringValue?.isEmpty ?? true
            else { continue }
            throw .invalid(
                "\(path).\(arguments)",
                because: "\(arguments) cannot be set without \(key)."
            )
        }
        for timing in self["vibrate_timings"]?.arrayValue ?? [] where timing.isNegativeDuration {
            throw .invalid(
                path + ".vibrate_timings",
                because: "A vibrate timing cannot be negative."
            )
        }
        if let lights = self["light_settings"]?.objectValue {
            try lights.checkLights(at: path + ".light_settings")
        }
    }

    private static let localized = [
        (arguments: "title_loc_args", key: "title_loc_key"),
        (arguments: "body_loc_args", key: "body_loc_key"),
    ]

    private func checkLights(at path: String) throws(FieldViolation) {
        guard let color = self["color"]?.objectValue else {
            throw .invalid(path + ".color", because: "The color of light settings is required.")
        }
        for member in color.members where !(0...1).contains(member.value.doubleValue ?? -1) {
            throw .invalid(
                "\(path).color.\(member.key)",
                because: "A part of a color must be between 0 and 1."
            )
        }
        for name in ["light_on_duration", "light_off_duration"] {
            guard let duration = self[name] else {
                throw .invalid("\(path).\(name)", because: "\(name) is required.")
            }
            guard !duration.isNegativeDuration else {
                throw .invalid("\(path).\(name)", because: "\(name) cannot be negative.")
            }
        }
    }
}

extension JSONValue {
    fileprivate var doubleValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    fileprivate var isNegativeDuration: Bool { stringValue?.utf8.first == UInt8(ascii: "-") }
}

extension String {
    /// Whether the text has the form `#rrggbb`.
    fileprivate var isColor: Bool {
        utf8.count == 7 && utf8.first == UInt8(ascii: "#")
            && utf8.dropFirst().allSatisfy(\.isHexadecimal)
    }
}
