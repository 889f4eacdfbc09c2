import FCMWire
import Testing

@Suite struct DeliveryDataTests {
    @Test func `a question escapes the app and the page`() {
        let question = DeliveryDataQuestion(app: "1:2:android:a/b", pageToken: "x&y")
        #expect(
            question.path(project: "shop")
                == "/v1beta1/projects/shop/androidApps/1:2:android:a%2Fb/deliveryData?pageSize=1000"
                + "&pageToken=x%26y"
        )
    }

    @Test func `an answer has the counts of each day and label`() {
        let body = """
            {"androidDeliveryData": [
              {"appId": "1:2:android:a", "date": {"year": 2037, "month": 3, "day": 20},
               "analyticsLabel": "sale", "data": {"countMessagesAccepted": "1200",
               "messageOutcomePercents": {"delivered": 97.5, "pending": 2.5}}},
              {"date": {"year": 2037, "month": 12, "day": 1},
               "data": {"countMessagesAccepted": "7"}},
              {"date": {"year": 2037, "month": 13, "day": 1},
               "data": {"countMessagesAccepted": "7"}}
            ], "nextPageToken": "2"}
            """
        #expect(
            DeliveryDataAnswer(status: 200, body: Array(body.utf8))
                == .page(
                    [
                        DeliveryDataDay(
                            date: "2037-03-20",
                            label: "sale",
                            accepted: 1_200,
                            delivered: 0.975
                        ),
                        DeliveryDataDay(date: "2037-12-01", label: "", accepted: 7, delivered: nil),
                    ],
                    next: "2"
                )
        )
        #expect(DeliveryDataAnswer(status: 200, body: Array("{}".utf8)) == .page([], next: nil))
    }

    @Test func `a refusal has Google's message`() {
        let body =
            #"{"error": {"code": 403, "message": "API disabled", "status": "PERMISSION_DENIED"}}"#
        let answer = DeliveryDataAnswer(status: 403, body: Array(body.utf8))
        guard case .refused(let reason) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reason.contains("API disabled"))
    }
}
