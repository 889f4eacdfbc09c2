/// The name of a rule: what a diagnostic is filed under, and what people look up.
///
/// This is the one registry. A name never changes its meaning and is never used again.
package enum RuleID: String, CaseIterable, Comparable, Sendable {
    // Reading and parsing
    case unreadableFile = "unreadable-file"
    case notUTF8 = "not-utf8"
    case yamlSyntax = "yaml-syntax"
    case yamlNesting = "yaml-nesting"
    case yamlAliases = "yaml-aliases"
    case yamlTag = "yaml-tag"
    case unknownAnchor = "unknown-anchor"
    case duplicateKey = "duplicate-key"
    // Declaring
    case notBuiltYet = "not-built-yet"
    case unknownDocument = "unknown-document"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case deprecatedKey = "deprecated-key"
    case wrongKind = "wrong-kind"
    case conflictingKeys = "conflicting-keys"
    case environmentVariable = "environment-variable"
    case unknownRule = "unknown-rule"
    // Resolving single fields
    case unknownValue = "unknown-value"
    case invalidName = "invalid-name"
    case invalidURL = "invalid-url"
    case invalidColour = "invalid-colour"
    case unsupportedVersion = "unsupported-version"
    case topicName = "topic-name"
    case conditionSyntax = "condition-syntax"
    case conditionTopics = "condition-topics"
    case ttlOutOfRange = "ttl-out-of-range"
    case durationSyntax = "duration-syntax"
    case numberOutOfRange = "number-out-of-range"
    case collapseIDTooLong = "collapse-id-too-long"
    case webTopicSyntax = "web-topic-syntax"
    case invalidHeader = "invalid-header"
    case dataValue = "data-value"
    case reservedDataKey = "reserved-data-key"
    case timeZone = "time-zone"
    case momentSyntax = "moment-syntax"
    case scheduleSyntax = "schedule-syntax"
    case percentage
    case localeTag = "locale-tag"
    case invalidRegistration = "invalid-registration"
    // What needs two fields or two files
    case unknownTopic = "unknown-topic"
    case unknownAudience = "unknown-audience"
    case duplicateName = "duplicate-name"
    case duplicateRegistration = "duplicate-registration"
    case brokenListLine = "broken-list-line"
    case emptyList = "empty-list"
    case payloadTooLarge = "payload-too-large"
    case payloadOver4000 = "payload-over-4000"
    case payloadOver2048 = "payload-over-2048"
    case scheduleBounds = "schedule-bounds"
    case needsList = "needs-list"
    case movedFrom = "moved-from"
    case rolloutStages = "rollout-stages"
    /// What FCM itself says of a message (`validate --online`, `apply --dry-run`).
    case fcmVerdict = "fcm-verdict"
    // Silencing and configuring
    case allowSyntax = "allow-syntax"
    case unusedAllow = "unused-allow"
    case fixedRule = "fixed-rule"
    // What a condition means
    case conditionNeverTrue = "condition-never-true"
    case conditionReachesEverybody = "condition-reaches-everybody"
    case conditionNegationsOnly = "condition-negations-only"
    case conditionMixedOperators = "condition-mixed-operators"
    case conditionUselessTopic = "condition-useless-topic"
    case conditionTooManyMentions = "condition-too-many-mentions"
    case conditionNegation = "condition-negation"
    // What a message says, to whom and how
    case credentialInFile = "credential-in-file"
    case privateContentToTopic = "private-content-to-topic"
    case urgentSendToTopic = "urgent-send-to-topic"
    case platformLeftOut = "platform-left-out"
    case highPriorityShowsNothing = "high-priority-shows-nothing"
    case apnsPriorityBackground = "apns-priority-background"
    case apnsExpirationInPast = "apns-expiration-in-past"
    case lifetimesDisagree = "lifetimes-disagree"
    case tapTargetOneSided = "tap-target-one-sided"
    case datedContentWithoutTTL = "dated-content-without-ttl"
    case reservedDataKeyLegacy = "reserved-data-key-legacy"
    case collapseKeyOnNotification = "collapse-key-on-notification"
    case tooManyTopics = "too-many-topics"
    case topicCase = "topic-case"

    package static func < (left: RuleID, right: RuleID) -> Bool {
        left.rawValue < right.rawValue
    }
}
