/// Texts about plans that were made without the state.
enum WithoutStateWording {
    static let remark =
        "Planned without the state: what was sent, subscribed and paused is unknown, so this plan shows "
        + "every campaign and membership as if it had never been applied. A campaign whose time has "
        + "passed appears as not sent, and a former name as unknown, even if the state contains them. "
        + "This plan cannot be applied."
    static let noDigest = "No digest: planned without the state."
}
