extension RuleID {
    /// The severity of findings unless the project sets another.
    package var severity: Severity {
        switch self {
        case .conditionNegation, .conditionUselessTopic, .unusedAllow, .privateContentToTopic,
            .urgentSendToTopic, .highPriorityShowsNothing, .apnsExpirationInPast,
            .expiresInPast, .lifetimesDisagree, .expiresBeyondLife, .reservedDataKeyLegacy,
            .collapseKeyOnNotification,
            .topicCase, .testWording, .emptyTitle,
            .tooManyCollapseKeys, .collapsibleBurst, .deviceRate, .tooManyStored,
            .fanOutsOverlap, .tooManyLabels, .reachedTwiceAtOnce,
            .deprecatedKey:
            .warning
        case .platformLeftOut, .tapTargetOneSided, .repeatedDataWithoutCollapse, .topicPrefix,
            .datedContentWithoutTTL, .notificationReplaced, .quarterHour, .topicBetterAsList:
            .note
        default: .error
        }
    }

    /// Whether the rule is an error that an author may override.
    package var isLiftable: Bool {
        switch self {
        case .payloadOver4000, .payloadOver2048, .unrenderedPlaceholder: true
        default: false
        }
    }

    /// Whether a project may change the rule's severity and a comment may silence it.
    package var isConfigurable: Bool { severity != .error || isLiftable }
}
