/// Texts about the frequency cap.
enum CapWording {
    /// For example, `12 of them over the frequency cap`, after counts of requests.
    static func over(_ count: Int) -> String { "\(count.grouped) of them over the frequency cap" }

    /// For example, `12 requests suppressed (cap): their people are over the frequency cap`.
    static func suppressed(_ count: Int) -> String {
        count.counting("request") + " suppressed (cap): "
            + (count == 1 ? "its person is" : "their people are") + " over the frequency cap"
    }
}
