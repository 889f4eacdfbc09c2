import Preflight

/// Errors of `herald doctor`.
extension ErrorText {
    package static func noAddressList(at path: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) is not Google's address list",
            help: "download \(FCMNetwork.addressList)"
        )
    }
}
