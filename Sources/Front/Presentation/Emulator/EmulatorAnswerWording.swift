/// What is wrong with an emulator's answer.
package enum EmulatorAnswerWording {
    package static let unexpected = "unexpected answer"
}
