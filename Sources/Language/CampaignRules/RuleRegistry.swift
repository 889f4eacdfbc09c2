import Diagnostics

/// All checks.
package let allRules: [Rule] = RuleID.allCases.compactMap(\.rule)

extension RuleID {
    /// The check of this rule, or nil if another stage reports its findings.
    fileprivate var rule: Rule? {
        switch self {
        case .topicPrefix: .topicPrefix
        case .emptyList: .emptyList
        case .missingColumn: .missingColumn
        case .inconsistentPerson: .inconsistentPerson
        case .trackedList: .trackedList
        case .uncoveredLocale: .uncoveredLocale
        case .encryptedMessage: .encryptedMessage
        case .payloadTooLarge: .payloadTooLarge
        case .payloadOver4000: .payloadOver4000
        case .payloadOver2048: .payloadOver2048
        case .conditionNeverTrue: .conditionNeverTrue
        case .conditionReachesEverybody: .conditionReachesEverybody
        case .conditionNegationsOnly: .conditionNegationsOnly
        case .conditionMixedOperators: .conditionMixedOperators
        case .conditionUselessTopic: .conditionUselessTopic
        case .conditionTooManyMentions: .conditionTooManyMentions
        case .conditionNegation: .conditionNegation
        case .privateContentToTopic: .privateContentToTopic
        case .urgentSendToTopic: .urgentSendToTopic
        case .platformLeftOut: .platformLeftOut
        case .highPriorityShowsNothing: .highPriorityShowsNothing
        case .apnsPriorityBackground: .apnsPriorityBackground
        case .apnsExpirationInPast: .apnsExpirationInPast
        case .expiresInPast: .expiresInPast
        case .expiresBeyondLife: .expiresBeyondLife
        case .repeatedDataWithoutCollapse: .repeatedDataWithoutCollapse
        case .lifetimesDisagree: .lifetimesDisagree
        case .tapTargetOneSided: .tapTargetOneSided
        case .missingMutableContent: .missingMutableContent
        case .datedContentWithoutTTL: .datedContentWithoutTTL
        case .reservedDataKeyLegacy: .reservedDataKeyLegacy
        case .collapseKeyOnNotification: .collapseKeyOnNotification
        case .tooManyTopics: .tooManyTopics
        case .topicCase: .topicCase
        case .emptyTitle: .emptyTitle
        case .testWording: .testWording
        case .unrenderedPlaceholder: .unrenderedPlaceholder
        case .tooManyCollapseKeys: .tooManyCollapseKeys
        case .notificationReplaced: .notificationReplaced
        case .collapsibleBurst: .collapsibleBurst
        case .deviceRate: .deviceRate
        case .tooManyStored: .tooManyStored
        case .fanOutsOverlap: .fanOutsOverlap
        case .quarterHour: .quarterHour
        case .reachedTwiceAtOnce: .reachedTwiceAtOnce
        case .tooManyLabels: .tooManyLabels
        case .topicBetterAsList: .topicBetterAsList
        case .deviceGroupFits: .deviceGroupFits
        // Reported by the check of `empty-list`, which reads the lists.
        case .brokenListLine, .duplicateRegistration:
            nil
        // Reported when files are read and values are resolved.
        case .unreadableFile, .notUTF8, .yamlSyntax, .yamlNesting, .yamlAliases, .yamlTag,
            .unknownAnchor, .duplicateKey, .notBuiltYet, .unknownDocument, .unknownKey,
            .missingKey, .deprecatedKey, .wrongKind, .conflictingKeys, .environmentVariable,
            .unknownRule, .unknownValue, .invalidName, .invalidURL, .invalidColour,
            .unsupportedVersion, .topicName, .conditionSyntax, .conditionTopics, .ttlOutOfRange,
            .durationSyntax, .numberOutOfRange, .collapseIDTooLong, .webTopicSyntax,
            .invalidHeader, .dataValue, .reservedDataKey, .timeZone, .momentSyntax,
            .scheduleSyntax, .percentage, .localeTag, .invalidRegistration, .unknownTopic,
            .unknownAudience, .unknownMessage, .environmentList, .duplicateName, .listSet,
            .scheduleBounds, .needsList, .movedFrom, .rolloutStages, .apnsPayload, .allowSyntax,
            .unusedAllow, .fixedRule, .credentialInFile, .registrationInFile:
            nil
        // Reported by `validate --online` and `apply --dry-run`.
        case .fcmVerdict:
            nil
        }
    }
}
