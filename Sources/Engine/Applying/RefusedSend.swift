import CampaignMessages
package import CampaignModel
package import Planning
package import RegistrationLists

/// An occurrence that was not sent, because its list was read when the send began and cannot be used.
///
/// Nothing was recorded for it: it stays due, and the next apply reads the list again.
package struct RefusedSend: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The list could not be read, or has invalid rows.
        case unreadable(ListAtSendError)
        /// The list lacks a column that the message uses.
        case missingColumn(String)
        /// Rows have no value for a column that the message uses.
        case missingValues(MessageSurvey.MissingValues)
        /// No text covers the locale of some rows; `count` is the number of all such rows.
        case uncoveredLocale(RowTexts.Uncovered, count: Int)
        /// The message is too large for a row.
        case tooLarge(MessageSurvey.Longest)
        /// The outcomes of guards, of which at least one refuses.
        case guards([GuardOutcome])
    }

    package let occurrence: OccurrenceID
    /// The list as messages name it; nil for a list in the YAML.
    package let list: String?
    package let reason: Reason

    package init(occurrence: OccurrenceID, list: String?, reason: Reason) {
        self.occurrence = occurrence
        self.list = list
        self.reason = reason
    }

    /// Whether a guard refused it, or the operator did not allow its source.
    package var isRefusedByGuard: Bool {
        switch reason {
        case .guards, .unreadable(.list(.sourceNotRead)): true
        case .unreadable, .missingColumn, .missingValues, .uncoveredLocale, .tooLarge: false
        }
    }
}

extension ListSurvey {
    /// Returns why the message cannot be sent to every row; nil if it can.
    ///
    /// `columns`: those that the message uses; nil if it uses none.
    func fault(for columns: MessageColumns?) -> RefusedSend.Reason? {
        guard let columns else { return nil }
        guard let message = self[columns] else {
            return .missingColumn(columns.readNames.first(where: absent.contains) ?? "")
        }
        if let missing = message.withoutKey ?? message.missing.first {
            return .missingValues(missing)
        }
        if let locales = message.texts, let first = locales.uncovered.first {
            return .uncoveredLocale(first, count: locales.uncoveredCount)
        }
        if let longest = message.longest, longest.bytes > PayloadSize.maximum {
            return .tooLarge(longest)
        }
        return nil
    }
}
