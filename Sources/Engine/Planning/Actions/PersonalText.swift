package import CampaignMessages
import CampaignModel
import RegistrationLists

/// How the text of a message differs from row to row of its list.
package struct PersonalText: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package let name: String
        /// The value of rows that have none; nil if it is not declared.
        package let standard: String?
        /// The number of rows that have no value; 0 if the list was not read.
        package let defaulted: Int
    }

    /// The columns that the message uses, in the order of their first mention.
    package let columns: [Column]
    /// The number of rows; nil if the list is read when the send begins.
    package let count: Int?
    /// The message with default values, or with the names of columns that have none.
    package let sample: MessageTemplate
}

extension Planner {
    /// Returns nil if every recipient gets the same text.
    func personalText(of campaign: Campaign) -> PersonalText? {
        guard case .registrations(let list) = campaign.target,
            let columns = project.columns(of: campaign),
            !columns.names.isEmpty || columns.texts != nil
        else { return nil }
        let survey = list.isReadAtSend ? nil : try? survey(of: list)
        let message = survey?[columns]
        guard list.isReadAtSend || message != nil else { return nil }
        return PersonalText(
            columns: columns.names.map { name in
                PersonalText.Column(
                    name: name,
                    standard: columns.defaults[name],
                    defaulted: message?.defaulted[name] ?? 0
                )
            },
            count: survey?.count,
            sample: DeliveryLowering(project.sample(of: campaign)).template
        )
    }
}
