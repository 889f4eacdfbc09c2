import CampaignModel
import JSON
import Time

extension Environment.Endpoint {
    /// Null for an address that is not known.
    var stored: JSONValue {
        switch self {
        case .unresolved: return .null
        case .embeddedEmulator: return ["emulator": [:]]
        case .emulator(let url, let authority, let credentials):
            var emulator: JSONObject = ["url": .string(url)]
            emulator["ca"] = authority.map(JSONValue.string)
            emulator["credentials"] = credentials?.stored
            return ["emulator": .object(emulator)]
        case .fcm(let account):
            var fcm: JSONObject = [
                "project_id": .string(account.projectID),
                "credentials": account.credentials.stored,
            ]
            fcm["sender_id"] = account.senderID.map(JSONValue.string)
            fcm["endpoint"] = account.endpoint.map(JSONValue.string)
            return ["fcm": .object(fcm)]
        }
    }

    init?(stored: JSONValue) {
        if let emulator = stored["emulator"] {
            guard let url = emulator["url"]?.stringValue else {
                self = .embeddedEmulator
                return
            }
            self = .emulator(
                url: url,
                authority: emulator["ca"]?.stringValue,
                credentials: emulator["credentials"].flatMap(FCMAccount.Credentials.init(stored:))
            )
        } else if let fcm = stored["fcm"], let id = fcm["project_id"]?.stringValue,
            let credentials = fcm["credentials"].flatMap(FCMAccount.Credentials.init(stored:))
        {
            self = .fcm(
                FCMAccount(
                    projectID: id,
                    senderID: fcm["sender_id"]?.stringValue,
                    credentials: credentials,
                    endpoint: fcm["endpoint"]?.stringValue
                )
            )
        } else {
            return nil
        }
    }
}

extension FCMAccount.Credentials {
    fileprivate var stored: JSONValue {
        switch self {
        case .applicationDefault: "application-default"
        case .file(let path): ["file": .string(path)]
        case .variable(let name): ["variable": .string(name)]
        }
    }

    fileprivate init?(stored: JSONValue) {
        if stored == "application-default" {
            self = .applicationDefault
        } else if let path = stored["file"]?.stringValue {
            self = .file(path: path)
        } else if let name = stored["variable"]?.stringValue {
            self = .variable(name: name)
        } else {
            return nil
        }
    }
}

extension EnvironmentSettings {
    var stored: JSONValue {
        var stored: JSONObject = [
            "protected": .bool(isProtected),
            "sends": .string(sends.rawValue),
            "guard": guards.stored,
            "max_unknown": .integer(Int64(maximumUnknown)),
            "state": state.stored,
        ]
        stored["pace"] = pace?.stored
        stored["settle"] = settle.map(JSONValue.integer)
        stored["notify"] = notify?.stored
        stored["upstream"] = upstream?.stored
        return .object(stored)
    }

    init?(stored: JSONValue) {
        guard let isProtected = stored["protected"]?.boolValue,
            let sends = stored["sends"]?.stringValue.flatMap(Sends.init),
            let guards = stored["guard"].flatMap(Guards.init(stored:)),
            let maximumUnknown = stored["max_unknown"]?.integerValue,
            let state = stored["state"].flatMap(StateLocation.init(stored:))
        else { return nil }
        self.init(
            state: state,
            isProtected: isProtected,
            sends: sends,
            pace: stored["pace"].flatMap(Pace.init(stored:)),
            guards: guards,
            settle: stored["settle"]?.integerValue,
            maximumUnknown: Int(maximumUnknown),
            notify: stored["notify"].flatMap(NotifySettings.init(stored:)),
            upstream: stored["upstream"].flatMap(UpstreamAccount.init(stored:))
        )
    }
}

extension UpstreamAccount {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["sender_id": .string(sender.text)]
        stored["server_key"] = serverKey.map { ["variable": .string($0.name)] }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let sender = stored["sender_id"]?.stringValue.flatMap({ SenderID($0) }) else {
            return nil
        }
        let key = stored["server_key"]?["variable"]?.stringValue
        self.init(sender: sender, serverKey: key.map { VariableReference(name: $0) })
    }
}

extension NotifySettings {
    /// The names of variables, never their values.
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["webhook": ["variable": .string(webhook.name)]]
        stored["secret"] = secret.map { ["variable": .string($0.name)] }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let webhook = stored["webhook"]?["variable"]?.stringValue else { return nil }
        let secret = stored["secret"]?["variable"]?.stringValue
        self.init(
            webhook: VariableReference(name: webhook),
            secret: secret.map { VariableReference(name: $0) }
        )
    }
}

extension Pace {
    fileprivate var stored: JSONValue {
        [
            "sends_per_minute": .integer(Int64(sendsPerMinute)),
            "subscriptions_per_second": .integer(Int64(subscriptionsPerSecond)),
            "fan_outs": .integer(Int64(fanOuts)),
            "fan_out_rate": .integer(Int64(fanOutRate)),
        ]
    }

    fileprivate init?(stored: JSONValue) {
        guard let sends = stored["sends_per_minute"]?.integerValue,
            let subscriptions = stored["subscriptions_per_second"]?.integerValue,
            let fanOuts = stored["fan_outs"]?.integerValue,
            let rate = stored["fan_out_rate"]?.integerValue
        else { return nil }
        self.init(
            sendsPerMinute: Int(sends),
            subscriptionsPerSecond: Int(subscriptions),
            fanOuts: Int(fanOuts),
            fanOutRate: Int(rate)
        )
    }
}

extension Guards {
    /// Only the guards, the quiet hours and the cap of a send.
    ///
    /// The others were checked at the apply. The guards of lists also concern those that are read
    /// when their sends begin.
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["require_reviewed_plan": .bool(requiresReviewedPlan)]
        stored["max_recipients"] = maximumRecipients.map { .integer(Int64($0)) }
        stored["max_change"] = maximumChange.map { .string($0.description) }
        stored["max_sends_per_run"] = maximumSends.map { .integer(Int64($0)) }
        stored["quiet_hours"] = quietHours?.stored
        stored["per_recipient"] = cap?.stored
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let isRequired = stored["require_reviewed_plan"]?.boolValue else { return nil }
        let quietHours = stored["quiet_hours"].map(QuietHours.init(stored:))
        if case .some(nil) = quietHours { return nil }
        let cap = stored["per_recipient"].map(FrequencyCap.init(stored:))
        if case .some(nil) = cap { return nil }
        self.init(
            maximumRecipients: stored["max_recipients"]?.integerValue.map { Int($0) },
            maximumChange: stored["max_change"]?.stringValue.flatMap { Percentage($0) },
            quietHours: quietHours ?? nil,
            cap: cap ?? nil,
            requiresReviewedPlan: isRequired,
            maximumSends: stored["max_sends_per_run"]?.integerValue.map { Int($0) },
            allowsTest: true
        )
    }
}

extension FrequencyCap {
    fileprivate var stored: JSONValue {
        var stored = JSONObject()
        stored["day"] = day.map { .integer(Int64($0)) }
        stored["week"] = week.map { .integer(Int64($0)) }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        self.init(
            day: stored["day"]?.integerValue.map { Int($0) },
            week: stored["week"]?.integerValue.map { Int($0) }
        )
    }
}

extension QuietHours {
    fileprivate var stored: JSONValue {
        [
            "from": .string(from.description), "to": .string(to.description),
            "spread": .integer(spread),
        ]
    }

    fileprivate init?(stored: JSONValue) {
        guard let from = stored["from"]?.stringValue.flatMap({ CivilTime(parsing: $0) }),
            let to = stored["to"]?.stringValue.flatMap({ CivilTime(parsing: $0) }),
            let spread = stored["spread"]?.integerValue
        else { return nil }
        self.init(from: from, to: to, spread: spread)
    }
}

extension StateLocation {
    fileprivate var stored: JSONValue {
        var stored = JSONObject()
        stored["lineage"] = lineage.map(JSONValue.string)
        stored["encryption"] = encryption?.stored
        stored["retain"] = retain.map(JSONValue.integer)
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        self.init(
            store: .sqlite,
            lineage: stored["lineage"]?.stringValue,
            encryption: stored["encryption"].map(StateEncryption.init(stored:)),
            retain: stored["retain"]?.integerValue
        )
    }
}

extension StateEncryption {
    fileprivate var stored: JSONValue {
        var stored = JSONObject()
        stored["key"] = key?.stored
        stored["previous"] = previous?.stored
        return .object(stored)
    }

    fileprivate init(stored: JSONValue) {
        self.init(
            key: stored["key"].flatMap(StateKeyReference.init(stored:)),
            previous: stored["previous"].flatMap(StateKeyReference.init(stored:))
        )
    }
}

extension StateKeyReference {
    fileprivate var stored: JSONValue {
        switch self {
        case .variable(let name): ["variable": .string(name)]
        case .file(let path): ["file": .string(path)]
        case .command(let text): ["command": .string(text)]
        }
    }

    fileprivate init?(stored: JSONValue) {
        if let name = stored["variable"]?.stringValue {
            self = .variable(name: name)
        } else if let path = stored["file"]?.stringValue {
            self = .file(path: path)
        } else if let text = stored["command"]?.stringValue {
            self = .command(text)
        } else {
            return nil
        }
    }
}
