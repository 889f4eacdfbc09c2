/// Texts about the frequency cap.
enum CapWording {
    /// For example, `12 requests suppressed (cap): their people are over the frequency cap`.
    static func suppressed(_ count: Int) -> String {
        count.counting("request") + " suppressed (cap): "
            + (count == 1 ? "its person is" : "their people are") + " over the frequency cap"
    }
}
