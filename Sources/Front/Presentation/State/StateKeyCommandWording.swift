/// Why a command that `herald.yaml` names printed no state key.
package enum StateKeyCommandWording {
    package static let unstarted = "it cannot be started"
    package static let failed = "it failed"

    package static func slow(limit seconds: Int) -> String { "it took longer than \(seconds) s" }
}
