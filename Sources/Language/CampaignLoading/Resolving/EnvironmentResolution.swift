import CampaignModel

extension ProjectResolver {
    /// Returns the environments; `local` comes first if it is not declared.
    func resolveEnvironments(_ declared: ProjectDeclaration) -> [Environment] {
        var environments: [Environment] = []
        for entry in declared.environments?.value ?? [] {
            guard let content = entry.content, let endpoint = content.endpoint else { continue }
            // An environment whose variables are not resolved is known only by name.
            environments.append(
                Environment(id: entry.name.value, endpoint: endpoint, settings: content.settings)
            )
        }
        if let local = EnvironmentID("local"), !environments.contains(where: { $0.id == local }) {
            environments.insert(Environment(id: local, endpoint: .embeddedEmulator), at: 0)
        }
        return environments
    }
}

extension EnvironmentDeclaration {
    fileprivate var endpoint: Environment.Endpoint? {
        if let emulator = emulator?.value {
            guard let url = emulator.url else {
                return emulator.isOpen ? .unresolved : .embeddedEmulator
            }
            return .emulator(
                url: url.value,
                authority: emulator.authority?.value,
                credentials: emulator.credentials?.value
            )
        }
        guard let fcm = fcm?.value else { return nil }
        guard let projectID = fcm.projectID?.value, !fcm.isOpen else { return .unresolved }
        return .fcm(
            FCMAccount(
                projectID: projectID,
                senderID: fcm.senderID?.value,
                credentials: fcm.credentials?.value ?? .applicationDefault,
                endpoint: fcm.endpoint?.value
            )
        )
    }

    fileprivate var settings: EnvironmentSettings {
        let standard = EnvironmentSettings.standard
        return EnvironmentSettings(
            state: state?.value.location ?? standard.state,
            isProtected: protected?.value ?? standard.isProtected,
            sends: sends?.value ?? standard.sends,
            pace: pace?.value.pace,
            guards: guards?.value.guards ?? standard.guards,
            settle: settle?.value,
            maximumUnknown: maximumUnknown.map { Int($0.value) } ?? standard.maximumUnknown,
            notify: notify?.value.settings,
            upstream: upstream?.value.account
        )
    }
}

extension UpstreamAccountDeclaration {
    fileprivate var account: UpstreamAccount? {
        (senderID?.value).flatMap { SenderID($0) }
            .map { UpstreamAccount(sender: $0, serverKey: serverKey?.value) }
    }
}

extension NotifyDeclaration {
    fileprivate var settings: NotifySettings? {
        webhook.map { NotifySettings(webhook: $0.value, secret: secret?.value) }
    }
}

extension StateDeclaration {
    fileprivate var location: StateLocation {
        StateLocation(
            store: isInPostgres ? .postgres(postgres?.value) : .sqlite,
            lineage: lineage?.value,
            encryption: encryption.map {
                StateEncryption(key: $0.value.key?.value, previous: $0.value.previous?.value)
            },
            retain: retain?.value
        )
    }
}

extension PaceDeclaration {
    fileprivate var pace: Pace {
        let standard = Pace.standard
        return Pace(
            sendsPerMinute: sendsPerMinute.map { Int($0.value) } ?? standard.sendsPerMinute,
            subscriptionsPerSecond: subscriptionsPerSecond.map { Int($0.value) }
                ?? standard.subscriptionsPerSecond,
            fanOuts: fanOuts.map { Int($0.value) } ?? standard.fanOuts,
            fanOutRate: fanOutRate.map { Int($0.value) } ?? standard.fanOutRate
        )
    }
}

extension GuardDeclaration {
    fileprivate var guards: Guards {
        Guards(
            maximumRecipients: maximumRecipients.map { Int($0.value) },
            maximumChange: maximumChange?.value,
            quietHours: quietHours?.value.quietHours,
            cap: perRecipient?.value.cap,
            requiresReviewedPlan: requiresReviewedPlan?.value ?? false,
            maximumSends: maximumSends.map { Int($0.value) },
            allowsTest: allowsTest?.value ?? false,
            approvals: approvals?.value.rules
        )
    }
}

extension CapDeclaration {
    fileprivate var cap: FrequencyCap? {
        FrequencyCap(day: day.map { Int($0.value) }, week: week.map { Int($0.value) })
    }
}

extension QuietHoursDeclaration {
    fileprivate var quietHours: QuietHours? {
        guard let from = from?.value, let to = to?.value else { return nil }
        return QuietHours(
            from: from,
            to: to,
            spread: spread?.value ?? QuietHours.standardSpread
        )
    }
}
