import CampaignModel

/// Columns whose values a reader needs in addition to the registration and the identity.
struct OtherColumns {
    var names: [String] = []
    /// Whether each file must have all of them; a row without one has an empty value otherwise.
    var areRequired = true
    /// Whether the column of locales is read: the one that the list names, or `locale`, which a file
    /// need not have.
    var readsLocales = false
}

extension OtherColumns {
    /// The columns of messages to one list; a row without a value is not an error of the list.
    init(of messages: [MessageColumns]) {
        for name in messages.flatMap(\.readNames) where !names.contains(name) {
            names.append(name)
        }
        areRequired = false
        readsLocales = messages.contains { $0.texts != nil }
    }
}
