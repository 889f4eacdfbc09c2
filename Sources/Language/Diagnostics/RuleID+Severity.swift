extension RuleID {
    /// How bad a finding is where the project says nothing else.
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

    /// An error that an author who knows better may lift.
    package var isLiftable: Bool {
        switch self {
        case .payloadOver4000, .payloadOver2048, .unrenderedPlaceholder: true
        default: false
        }
    }

    /// Whether a project may say how much the rule counts, and a comment may silence it.
    package var isConfigurable: Bool { severity != .error || isLiftable }
}
