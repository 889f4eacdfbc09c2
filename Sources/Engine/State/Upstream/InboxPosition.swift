/// The place of a message in the order in which messages were stored.
package struct InboxPosition: Hashable, Sendable {
    /// Identifies the inbox: 32 hexadecimal digits.
    ///
    /// An inbox that replaces another one starts with position 1.
    package let inbox: String
    package let number: Int64

    package init(inbox: String, number: Int64) {
        self.inbox = inbox
        self.number = number
    }
}
