package import EmulatorAPI

/// Renders an emulator's addresses and the configuration of senders.
package struct SetupView: Sendable {
    private let addresses: EmulatorAddresses

    package init(_ addresses: EmulatorAddresses) {
        self.addresses = addresses
    }

    /// The emulator's first lines of output.
    package var announcement: String {
        var lines = ["FCM emulator on \(addresses.url)"]
        let query = addresses.token.map { "?token=\($0)" } ?? ""
        lines.append("phones in a browser:  \(addresses.url)/\(query)")
        if let token = addresses.token { lines.append("token of the control API:  \(token)") }
        if let url = addresses.tlsURL { lines.append("with TLS on \(url)") }
        if let url = addresses.proxyURL { lines.append("proxy for Google's hosts on \(url)") }
        if let address = addresses.xmpp { lines.append("XMPP for app servers on \(address)") }
        if let path = addresses.certificateAuthority {
            lines.append("certificates signed by \(path)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The configuration of each official SDK and of curl for the emulator.
    package var text: String {
        [curl, python, go, java, node, dotNet, unchanged].joined(separator: "\n")
    }

    private var curl: String {
        """
        curl
          curl \(addresses.url)/v1/projects/demo/messages:send \\
            -H 'Authorization: Bearer owner' -H 'Content-Type: application/json' \\
            -d '{"message": {"topic": "tides", "notification": {"title": "High water"}}}'

        """
    }

    private var python: String {
        [
            "Python (firebase-admin), before the first call of messaging",
            "  import firebase_admin",
            "  from firebase_admin import messaging",
            "  import google.oauth2.credentials",
            "  service = messaging._MessagingService",
            "  service.FCM_URL = \"\(addresses.url)/v1/projects/{0}/messages:send\"",
            "  service.IID_URL = \"\(addresses.url)\"",
            "  app = firebase_admin.initialize_app(",
            "      google.oauth2.credentials.Credentials(token=\"owner\"), {\"projectId\": \"demo\"})",
            "  messaging._get_messaging_service(app)._fcm_topic_url = (",
            "      \"\(addresses.url)/v1/projects/demo/registrations\")",
            "",
        ].joined(separator: "\n")
    }

    private var go: String {
        """
        Go (firebase.google.com/go), for sends; topics need the proxy or the hosts file below
          app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: "demo"},
              option.WithEndpoint("\(addresses.url)/v1"),
              option.WithTokenSource(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "owner"})))

        """
    }

    private var java: String {
        """
        Java (firebase-admin): the proxy below, or a transport that changes the address
          FirebaseOptions.builder().setProjectId("demo").setHttpTransport(yourTransport)
              .setCredentials(GoogleCredentials.create(new AccessToken("owner", null)))

        """
    }

    private var node: String {
        """
        Node (firebase-admin): the hosts file below; or the proxy below, over HTTP/1.1
          const credential = {getAccessToken: async () => ({access_token: "owner", expires_in: 3600})}
          initializeApp({projectId: "demo", credential, httpAgent: new HttpsProxyAgent(proxy)})
          getMessaging().enableLegacyHttpTransport()

        """
    }

    private var dotNet: String {
        """
        .NET (FirebaseAdmin): the proxy below, or a factory that changes the address
          new AppOptions { HttpClientFactory = yourFactory, ProjectId = "demo",
              Credential = GoogleCredential.FromAccessToken("owner") }

        """
    }

    private var unchanged: String {
        guard let path = addresses.certificateAuthority.map(shellWord) else {
            return """
                Any program, unchanged
                  Start the emulator with --tls-intercept (a proxy) or --tls-port 443 (for the
                  hosts file), and run this command again.

                """
        }
        return """
            Any program, unchanged: let it trust the emulator's certificate authority
              export REQUESTS_CA_BUNDLE=\(path)     # Python
              export SSL_CERT_FILE=\(path)          # Python's httpx, Go, .NET and curl on Linux
              export NODE_EXTRA_CA_CERTS=\(path)    # Node
              keytool -importcert -noprompt -alias herald -keystore herald.jks \\
                -storepass changeit -file \(path)
                # then java -Djavax.net.ssl.trustStore=herald.jks

            \(proxy)
            \(hostsFile)

            """
    }

    private var proxy: String {
        guard let url = addresses.proxyURL else {
            return "with a proxy: start the emulator with --tls-intercept; run this again\n"
        }
        let port = url.split(separator: ":").last ?? ""
        return """
            with a proxy, which answers for Google's hosts and refuses all others
              export HTTPS_PROXY=\(url)      # Python (not send_each_async), Go, .NET, curl
              java -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=\(port)

            """
    }

    private var hostsFile: String {
        guard addresses.tlsURL?.hasSuffix(":443") == true else {
            return "or with a hosts file: start the emulator with --tls-port 443; run this again"
        }
        let lines = GoogleHosts.names.map { "  127.0.0.1 \($0)" }.joined(separator: "\n")
        return "or with these lines in /etc/hosts; remove them afterwards\n\(lines)"
    }

    /// Quotes the text as one shell word.
    private func shellWord(_ text: String) -> String {
        let isPlain = text.allSatisfy { character in
            character.isASCII
                && (character.isLetter || character.isNumber || "/._-".contains(character))
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
