/// Texts about plans that were made without the state.
enum WithoutStateWording {
    static let remark =
        "Planned without the state: what was sent, subscribed and paused is unknown, so all campaigns "
        + "and memberships appear as new. This plan can't be applied."
    static let noDigest = "No digest: planned without the state."
}
