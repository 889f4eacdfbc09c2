/// The weight of a rule's findings in a project that does not configure the rule.
package enum RuleLevel: Sendable {
    /// An error that no setting and no comment changes.
    case fixedError
    /// An error that a setting or a comment may lift.
    case error
    case warning
    case note

    package var severity: Severity {
        switch self {
        case .fixedError, .error: .error
        case .warning: .warning
        case .note: .note
        }
    }
}

extension RuleID {
    package var severity: Severity { level.severity }

    /// Whether `rules:` may change the severity, and a comment may silence a finding.
    package var isConfigurable: Bool { level != .fixedError }

    package var level: RuleLevel {
        switch self {
        case .unreadableFile: .fixedError
        case .notUTF8: .fixedError
        case .yamlSyntax: .fixedError
        case .yamlNesting: .fixedError
        case .yamlAliases: .fixedError
        case .yamlTag: .fixedError
        case .unknownAnchor: .fixedError
        case .duplicateKey: .fixedError
        case .notBuiltYet: .fixedError
        case .unknownDocument: .fixedError
        case .unknownKey: .fixedError
        case .missingKey: .fixedError
        case .deprecatedKey: .warning
        case .wrongKind: .fixedError
        case .conflictingKeys: .fixedError
        case .environmentVariable: .fixedError
        case .unknownRule: .fixedError
        case .unknownValue: .fixedError
        case .invalidName: .fixedError
        case .invalidURL: .fixedError
        case .invalidColour: .fixedError
        case .unsupportedVersion: .fixedError
        case .topicName: .fixedError
        case .topicPrefix: .note
        case .conditionSyntax: .fixedError
        case .conditionTopics: .fixedError
        case .ttlOutOfRange: .fixedError
        case .durationSyntax: .fixedError
        case .numberOutOfRange: .fixedError
        case .collapseIDTooLong: .fixedError
        case .webTopicSyntax: .fixedError
        case .invalidHeader: .fixedError
        case .dataValue: .fixedError
        case .reservedDataKey: .fixedError
        case .timeZone: .fixedError
        case .momentSyntax: .fixedError
        case .scheduleSyntax: .fixedError
        case .percentage: .fixedError
        case .localeTag: .fixedError
        case .invalidRegistration: .fixedError
        case .unknownTopic: .fixedError
        case .unknownAudience: .fixedError
        case .unknownMessage: .fixedError
        case .environmentList: .fixedError
        case .duplicateName: .fixedError
        case .duplicateRegistration: .fixedError
        case .brokenListLine: .fixedError
        case .emptyList: .fixedError
        case .missingColumn: .fixedError
        case .inconsistentPerson: .warning
        case .trackedList: .warning
        case .uncoveredLocale: .fixedError
        case .listSet: .fixedError
        case .payloadTooLarge: .fixedError
        case .payloadOver4000: .error
        case .payloadOver2048: .error
        case .scheduleBounds: .fixedError
        case .needsList: .fixedError
        case .encryptedMessage: .fixedError
        case .movedFrom: .fixedError
        case .rolloutStages: .fixedError
        case .fcmVerdict: .fixedError
        case .allowSyntax: .fixedError
        case .unusedAllow: .warning
        case .fixedRule: .fixedError
        case .conditionNeverTrue: .fixedError
        case .conditionReachesEverybody: .fixedError
        case .conditionNegationsOnly: .fixedError
        case .conditionMixedOperators: .fixedError
        case .conditionUselessTopic: .warning
        case .conditionTooManyMentions: .fixedError
        case .conditionNegation: .warning
        case .credentialInFile: .fixedError
        case .privateContentToTopic: .warning
        case .urgentSendToTopic: .warning
        case .platformLeftOut: .note
        case .highPriorityShowsNothing: .warning
        case .apnsPayload: .fixedError
        case .apnsPriorityBackground: .fixedError
        case .apnsExpirationInPast: .warning
        case .expiresInPast: .warning
        case .expiresBeyondLife: .warning
        case .repeatedDataWithoutCollapse: .note
        case .lifetimesDisagree: .warning
        case .tapTargetOneSided: .note
        case .missingMutableContent: .warning
        case .datedContentWithoutTTL: .note
        case .reservedDataKeyLegacy: .error
        case .collapseKeyOnNotification: .warning
        case .tooManyTopics: .fixedError
        case .topicCase: .warning
        case .emptyTitle: .warning
        case .testWording: .warning
        case .unrenderedPlaceholder: .error
        case .registrationInFile: .fixedError
        case .tooManyCollapseKeys: .warning
        case .notificationReplaced: .note
        case .collapsibleBurst: .warning
        case .deviceRate: .warning
        case .tooManyStored: .warning
        case .fanOutsOverlap: .warning
        case .quarterHour: .note
        case .reachedTwiceAtOnce: .warning
        case .tooManyLabels: .warning
        case .topicBetterAsList: .note
        case .deviceGroupFits: .note
        }
    }
}
