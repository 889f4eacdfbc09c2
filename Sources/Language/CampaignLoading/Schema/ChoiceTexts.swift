/// The descriptions of the values of a choice, which editors show next to them.
enum ChoiceTexts {
    /// Returns one sentence per value; nil for values that are no choice of a file.
    static func texts(of values: [String]) -> [String]? { all[values] }

    private static let all: [[String]: [String]] = campaigns.merging(messages) { $1 }

    private static let campaigns: [[String]: [String]] = [
        ["ids", "counts"]: [
            "Store the message ID of each accepted request.",
            "Store only the number of accepted requests.",
        ],
        ["stop", "skip", "retry"]: [
            "Stop the occurrence until a person resolves it.",
            "Leave the request unknown and continue.",
            "Send the request again. Some devices may receive the message twice.",
        ],
        ["token", "fid"]: ["FCM registration tokens.", "Firebase installation IDs."],
        ["at_apply", "at_send"]: [
            "Read and store the list at the apply.", "Read the list when the send is due.",
        ],
        ["normal", "high"]: [
            "Deliver when the device is awake or the battery allows.",
            "Deliver at once and wake a sleeping device.",
        ],
        ["skip", "send", "fail"]: [
            "Do not send it. The exit code stays 0.", "Send it late.",
            "Do not send it, and exit with 3.",
        ],
        ["send"]: ["Send during quiet hours, too."],
        ["exempt"]: ["Send to people who are over the cap, too."],
        ["auto", "batch", "per_registration"]: [
            "Use batches for tokens until the endpoint refuses them.",
            "Send up to 1,000 registrations per request.", "Send one registration per request.",
        ],
        ["android", "apple", "web"]: ["An Android device.", "An Apple device.", "A browser."],
        ["unsubscribe", "forget"]: [
            "Unsubscribe the members from the topics.",
            "Keep the members subscribed, but no longer manage them.",
        ],
        ["off", "warn", "error"]: [
            "Do not report findings.", "Report findings as warnings.",
            "Report findings as errors.",
        ],
        ["text", "csv", "ndjson"]: [
            "One registration per line.", "A header line, and one row per record.",
            "One JSON object per line.",
        ],
        ["apply", "run"]: ["`herald apply` sends.", "`herald run` sends."],
    ]

    private static let messages: [[String]: [String]] = [
        ["normal", "high", "NORMAL", "HIGH"]: [
            "Deliver when the device is awake.", "Deliver at once and wake a sleeping device.",
            "Same as `normal`.", "Same as `high`.",
        ],
        [
            "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
            "PRIORITY_HIGH", "PRIORITY_MAX",
        ]: [
            "Same as `PRIORITY_DEFAULT`.", "Lowest priority.", "Low priority.",
            "Default priority.", "High priority.", "Highest priority.",
        ],
        ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]: [
            "Same as `PRIVATE`.", "Show it without its private content.", "Show all of it.",
            "Do not show it.",
        ],
        ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]: [
            "Same as `IF_PRIORITY_LOWERED`.", "Google Play services may show it.",
            "Only the app shows it.",
            "Google Play services may show it if its high priority was lowered.",
        ],
        [
            "alert", "background", "complication", "controls", "fileprovider", "liveactivity",
            "location", "mdm", "pushtotalk", "voip", "widgets",
        ]: [
            "Shows an alert, plays a sound or sets the badge.",
            "Wakes the app without showing anything.", "Updates a watchOS complication.",
            "Reloads controls.", "Signals changes to a File Provider extension.",
            "Updates a Live Activity.", "Requests the location.",
            "Contacts a mobile device management server.", "Starts a push-to-talk service.",
            "Announces an incoming call.", "Reloads widgets.",
        ],
        ["1", "5", "10"]: [
            "Never wakes the device.", "Delivers when the battery allows.", "Delivers at once.",
        ],
        ["passive", "active", "time-sensitive", "critical"]: [
            "Adds it to the list without light or sound.", "Lights the screen and plays a sound.",
            "Also breaks through Focus and scheduled summaries.",
            "Also plays a sound if the device is muted.",
        ],
        ["start", "update", "end"]: [
            "Starts the Live Activity.", "Updates the Live Activity.", "Ends the Live Activity.",
        ],
        ["very-low", "low", "normal", "high"]: [
            "Delivered only with power and Wi-Fi.", "Delivered with power or Wi-Fi.",
            "Delivered without power and Wi-Fi, too.", "Delivered with a low battery, too.",
        ],
        ["auto", "ltr", "rtl"]: [
            "The direction of the text decides.", "Left to right.", "Right to left.",
        ],
    ]
}
