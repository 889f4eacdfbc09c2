import FCMWire
import JSON
import TestSupport
import Testing

struct SendRequestTests {
    private static let messages: [JSONObject] = [
        [:],
        ["data": ["a": "b"]],
        ["notification": ["title": "Flut \"heute\"\n潮🌊", "body": ""], "android": ["ttl": "0s"]],
    ]

    @Test(arguments: messages)
    func `a template has the bytes of its request`(message: JSONObject) {
        let request = SendRequest(message: message)
        for token in ["a", "duarte:APA91b-x_Y", String(repeating: "t", count: 4_096)] {
            #expect(
                SendBodyTemplate(request).body(to: token)
                    == request.body(to: .token(token)).compactBytes
            )
        }
    }

    @Test(
        .covers("A49", "F1.1-body", "F1.3-condition", "F1.3-token", "F1.3-topic"),
        arguments: [
            (SendTarget.token("ana:1"), #"{"message":{"token":"ana:1","data":{"a":"b"}}}"#),
            (.topic("tides"), #"{"message":{"topic":"tides","data":{"a":"b"}}}"#),
            (
                .condition("'a' in topics && 'b' in topics"),
                #"{"message":{"condition":"'a' in topics && 'b' in topics","data":{"a":"b"}}}"#
            ),
        ]
    )
    func `the target comes first in the message`(target: SendTarget, text: String) {
        let request = SendRequest(message: ["data": ["a": "b"]])
        #expect(request.body(to: target).compactText == text)
    }

    @Test func `a message without fields has only its target`() {
        #expect(
            SendBodyTemplate(SendRequest(message: [:])).body(to: "t")
                == Array(#"{"message":{"token":"t"}}"#.utf8)
        )
    }

    @Test func `a row's values are escaped inside their texts`() {
        let request = SendRequest(
            message: [
                "notification": ["title": "For {0}", "body": "{1}{0}"], "data": ["{0}": "plain"],
            ]
        )
        let template = SendBodyTemplate(request, to: .fid) { text in
            switch text {
            case "For {0}": [.literal("For "), .gap(0)]
            case "{1}{0}": [.gap(1), .gap(0)]
            default: [.literal(text)]
            }
        }
        let body = template.body(to: "abc", values: ["\"}, \\ \n{1}", "é"])
        let title = #"For \"}, \\ \n{1}"#
        let expected =
            #"{"message":{"fid":"abc","notification":{"title":""# + title
            + #"","body":"é\"}, \\ \n{1}"},"data":{"{0}":"plain"}}}"#
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test(.covers("A45", "C84")) func `the path names the project`() {
        #expect(SendRequest.path(project: "harbour") == "/v1/projects/harbour/messages:send")
    }
}
