/// How an apply finds out whether it is wanted.
package enum ApplyConfirmation: Hashable, Sendable {
    case given
    /// Somebody types `yes`.
    case asksYes
    /// Somebody types the environment's name.
    case asksName
    /// It is needed, and nobody is there to give it.
    case impossible

    /// A reviewed plan stands for the answer; in a protected environment `saysYes` alone is none.
    ///
    /// - Parameters:
    ///   - isProtected: The environment is, and nobody switched that off.
    ///   - isReviewed: The apply says which plan it expects.
    ///   - saysYes: It is told not to ask.
    ///   - canAsk: Somebody is there.
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
