import FCMEmulator

/// Where an emulator is, and how senders are pointed at it.
struct SetupView {
    private let addresses: EmulatorAddresses

    init(_ addresses: EmulatorAddresses) {
        self.addresses = addresses
    }

    /// The lines with which the emulator begins.
    var announcement: String {
        var lines = ["FCM emulator on \(addresses.url)"]
        if let url = addresses.tlsURL { lines.append("with TLS on \(url)") }
        if let url = addresses.proxyURL { lines.append("as proxy for Google's hosts on \(url)") }
        if let path = addresses.certificateAuthority {
            lines.append("certificates signed by \(path)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    var text: String { "" }
}
