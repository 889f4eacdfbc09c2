/// How an apply is confirmed.
package enum ApplyConfirmation: Hashable, Sendable {
    case given
    /// The user types `yes`.
    case asksYes
    /// The user types the environment's name.
    case asksName
    /// Confirmation is required but not possible.
    case impossible

    /// Chooses the confirmation.
    ///
    /// A reviewed plan replaces it. In a protected environment, `saysYes` alone does not.
    ///
    /// - Parameters:
    ///   - isProtected: The environment is protected, and the guard is not switched off.
    ///   - isReviewed: The apply names the plan that it expects.
    ///   - saysYes: The apply must not ask.
    ///   - canAsk: A user is at the terminal.
    package init(isProtected: Bool, isReviewed: Bool, saysYes: Bool, canAsk: Bool) {
        self =
            switch (isProtected, canAsk) {
            case _ where isReviewed: .given
            case (true, true): .asksName
            case (true, false): .impossible
            case (false, _) where saysYes: .given
            case (false, true): .asksYes
            case (false, false): .impossible
            }
    }
}
