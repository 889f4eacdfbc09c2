/// The Google host names that SDKs call to send messages, manage topics and request tokens.
package enum GoogleHosts {
    package static let names = [
        "fcm.googleapis.com", "iid.googleapis.com", "oauth2.googleapis.com", "sts.googleapis.com",
        "iamcredentials.googleapis.com", "fcmdata.googleapis.com", "www.googleapis.com",
        "accounts.google.com", "metadata.google.internal",
    ]
}
