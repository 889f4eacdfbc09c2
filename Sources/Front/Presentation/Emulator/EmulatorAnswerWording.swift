/// What is wrong with an emulator's answer.
package enum EmulatorAnswerWording {
    package static let unexpected = "unexpected answer"

    /// Warns that other machines can connect.
    package static func reachable(at host: String) -> String {
        "warning: other machines can connect to \(TextStyle.safe(host)) and send to the virtual "
            + "devices with any token. The control API and the page require the token below.\n"
    }
}
