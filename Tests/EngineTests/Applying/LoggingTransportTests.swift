import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import RegistrationLists
import Synchronization
import Testing

@testable import Applying

struct WatchedTransportTests {
    private let fingerprinter = Fingerprinter(
        key: FingerprintKey(bytes: Array(repeating: 7, count: 32))
    )

    private func place(_ path: String) -> String {
        RequestPlace("https://fcm.googleapis.com" + path, with: fingerprinter).text
            .replacing("https://fcm.googleapis.com", with: "")
    }

    @Test func `replaces a registration in a path by its fingerprint`() throws {
        let token = "cR7:APA91b-x_y"
        let name = fingerprinter.fingerprint(of: try #require(Registration(token))).description
        #expect(place(InstanceIDInfo(registration: token).path) == "/iid/info/\(name)?…")
        #expect(place("/iid/v1/cR7%3AAPA91b-x_y/rel/topics/a") == "/iid/v1/\(name)/rel/topics/a")
        #expect(
            place("/v1/projects/p/registrations/\(token)/topicSubscriptions?topicName=a")
                == "/v1/projects/p/registrations/\(name)/topicSubscriptions?…"
        )
        let long = String(repeating: "x", count: 140)
        let other = fingerprinter.fingerprint(of: try #require(Registration(long))).description
        #expect(place("/elsewhere/\(long)") == "/elsewhere/\(other)")
        #expect(place("/iid/info/a%2Cb") == "/iid/info/<redacted>")
        #expect(place("/iid/info/a%2") == "/iid/info/<redacted>")
    }

    @Test func `leaves other paths unchanged`() {
        #expect(place("/iid/v1:batchAdd") == "/iid/v1:batchAdd")
        #expect(place("/v1/projects/p/messages:send") == "/v1/projects/p/messages:send")
        #expect(place("/fcm/notification?notification_key_name=a") == "/fcm/notification?…")
    }

    @Test func `reports the end of each request without changing it`() async throws {
        let notes = Mutex<[RequestNote]>([])
        let scripted = ScriptedTransport { call in
            call.number == 1 ? .answer(503, [:], []) : .lost(.perhapsSent)
        }
        let watched = LoggingTransport(scripted, fingerprinter: fingerprinter) { note in
            notes.withLock { $0.append(note) }
        }
        let request = HTTPRequest(
            method: .post,
            url: "http://127.0.0.1:1/v1/projects/p/messages:send",
            headers: [HTTPHeader(name: "Authorization", value: "Bearer secret")]
        )
        #expect(try await watched.send(request).status == 503)
        await #expect(throws: TransportError.self) { _ = try await watched.send(request) }
        let told = notes.withLock { $0 }
        #expect(told.map(\.end) == [.status(503), .failed("connection lost")])
        #expect(told.map(\.method) == ["POST", "POST"])
        #expect(!"\(told)".contains("secret"))
    }
}
