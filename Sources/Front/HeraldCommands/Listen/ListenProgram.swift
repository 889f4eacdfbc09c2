import Presentation
import SystemIO
package import Upstream

/// The program that has libstrophe.
enum ListenProgram {
    private static let name = "herald-listen"

    /// Continues as `herald-listen`, which is next to this program, with the same arguments.
    static func replaceThisProcess() throws(CommandFailure) {
        let own = RealPath.of("/proc/self/exe") ?? ""
        let folder = own.split(separator: "/").dropLast().joined(separator: "/")
        let path = "/\(folder)/\(name)"
        let arguments = CurrentProcess.arguments.dropFirst()
        let error = CurrentProcess.replace(with: path, arguments: Array(arguments))
        throw CommandFailure(.noListenProgram(path, because: error.reason))
    }
}

extension Program {
    /// Runs `herald listen` with a way to open XMPP connections.
    @MainActor
    package static func main(connecting connector: any UpstreamConnector) async {
        await ListenCommand.$connector.withValue(connector) { await main(listening: true) }
    }
}
