import Presentation
import RunControl
import StoreConformance
import Testing

struct ProgressViewTests {
    private let screen = Screen()

    private func view(columns: Int? = nil, useColor: Bool = false) -> ProgressView {
        let screen = screen
        return ProgressView(
            style: TextStyle(useColor: useColor),
            place: columns.map { columns in .terminal(columns: { columns }) } ?? .stream,
            now: { screen.now },
            write: { screen.write($0) }
        )
    }

    private func bar(_ label: String, _ filled: Int, _ figures: String) -> String {
        "\r\u{1B}[K" + label + String(repeating: " ", count: 30 - label.count) + " "
            + String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
            + " " + figures
    }

    private func sending(_ name: String = "sale") throws -> ApplyPhase {
        .sending(try StoreFixtures.occurrence(name))
    }

    @Test func `draws a bar on a terminal, at most ten times per second`() throws {
        let view = view(columns: 120)
        view.show(.began(try sending(), total: 2_400))
        #expect(screen.take() == [bar("sale", 0, "0/2,400")])
        view.show(.progressed(by: 100))
        screen.wait(0.09)
        view.show(.progressed(by: 100))
        #expect(screen.take() == [])
        screen.wait(0.02)
        view.show(.progressed(by: 100, .refused))
        #expect(screen.take() == [bar("sale", 2, "300/2,400 200 accepted 100 rejected")])
        screen.wait(1.89)
        view.show(.progressed(by: 900))
        let half = "1,200/2,400 600/s 2 s left 1,100 accepted 100 rejected"
        #expect(screen.take() == [bar("sale", 10, half)])
        screen.wait(1)
        view.show(.progressed(by: 1_200, .unknown))
        _ = screen.take()
        view.show(.ended(try sending()))
        let last = "2,400/2,400 800/s 1,100 accepted 100 rejected 1,200 unknown"
        #expect(screen.take() == [bar("sale", 20, last) + "\n"])
    }

    @Test func `estimates from recent progress, not from the start`() throws {
        let view = view(columns: 120)
        view.show(.began(try sending(), total: 10_000))
        for _ in 0..<60 {
            screen.wait(1)
            view.show(.progressed(by: 10))
        }
        for _ in 0..<20 {
            screen.wait(1)
            view.show(.progressed(by: 100))
        }
        #expect(screen.take().last == bar("sale", 5, "2,600/10,000 100/s 74 s left 2,600 accepted"))
    }

    @Test(arguments: [10, 20, 40, 60, 80])
    func `never exceeds the terminal's width, with or without colours`(columns: Int) throws {
        for useColor in [false, true] {
            let view = view(columns: columns, useColor: useColor)
            view.show(.began(try sending("a-name-that-is-long-enough-to-be-cut"), total: 100_000))
            screen.wait(2)
            view.show(.progressed(by: 50_000))
            view.show(.progressed(by: 1_000, .refused))
            screen.wait(2)
            view.show(.progressed(by: 10, .unknown))
            for text in screen.take() {
                var shown = text.replacing("\r\u{1B}[K", with: "")
                for code in ["0", "31", "32", "33"] {
                    shown = shown.replacing("\u{1B}[\(code)m", with: "")
                }
                #expect(shown.count < columns, "\(shown)")
                #expect(!shown.contains("\u{1B}"))
            }
        }
    }

    @Test func `writes a line every ten seconds without a terminal, and one at the end`() throws {
        let view = view()
        let phase = ApplyPhase.joining(try StoreFixtures.scope("everyone", "news"))
        view.show(.began(phase, total: 5_000))
        screen.wait(9)
        view.show(.progressed(by: 1_000))
        #expect(screen.take() == [])
        screen.wait(1)
        view.show(.progressed(by: 1_000))
        let first = "everyone joins news: 2,000 of 5,000, 200/s, 15 s left; 2,000 joined\n"
        #expect(screen.take() == [first])
        view.show(.progressed(by: 990))
        view.show(.progressed(by: 10, .refused))
        screen.wait(5)
        view.show(.ended(phase))
        let last = "everyone joins news: 3,000 of 5,000 in 15 s, 200/s; 2,990 joined, 10 refused\n"
        #expect(screen.take() == [last])
    }

    @Test func `shows the passing time if nothing else happens`() throws {
        let view = view()
        view.show(.began(try sending(), total: 10))
        screen.wait(11)
        view.tick()
        #expect(screen.take() == ["sale: 0 of 10, 0.0/s\n"])
        view.tick()
        #expect(screen.take() == [])
    }

    @Test func `starts over with each phase`() throws {
        let view = view(columns: 120)
        let scope = try StoreFixtures.scope("all", "news")
        view.show(.began(.leaving(scope), total: 1))
        view.show(.progressed(by: 1))
        view.show(.ended(.leaving(scope)))
        view.show(.began(.joining(scope), total: 0))
        #expect(
            screen.take() == [
                bar("all leaves news", 0, "0/1"),
                bar("all leaves news", 20, "1/1 1 left") + "\n",
                bar("all joins news", 20, "0/0"),
            ]
        )
    }

    @Test func `numbers many sends, without a line for each short one`() throws {
        let view = view(columns: 120)
        view.show(.sendings(4))
        for number in 1...4 {
            let phase = try sending("c\(number)")
            view.show(.began(phase, total: 1))
            view.show(.progressed(by: 1))
            view.show(.ended(phase))
        }
        let texts = screen.take()
        #expect(texts.last == bar("c4 (4 of 4)", 20, "1/1 1 accepted") + "\n")
        #expect(texts.count { $0.hasSuffix("\n") } == 1)
    }

    @Test func `shows the sum of sends that overlap`() throws {
        let view = view(columns: 120)
        let sale = try StoreFixtures.occurrence("sale")
        let tide = try StoreFixtures.occurrence("tide")
        view.show(.began(.sending(sale), total: 60))
        #expect(screen.take() == [bar("sale", 0, "0/60")])
        screen.wait(0.2)
        view.show(.began(.sending(tide), total: 40))
        #expect(screen.take() == [bar("sending 2 campaigns", 0, "0/100")])
        screen.wait(0.8)
        view.show(.progressed(by: 30, of: sale))
        #expect(
            screen.take() == [bar("sending 2 campaigns", 6, "30/100 30/s 3 s left 30 accepted")]
        )
        view.show(.progressed(by: 40, .refused, of: tide))
        view.show(.ended(.sending(tide)))
        #expect(
            screen.take() == [
                bar("tide", 20, "40/40 50/s 40 rejected") + "\n",
                bar("sending 2 campaigns", 14, "70/100 70/s 1 s left 30 accepted 40 rejected"),
            ]
        )
        view.show(.progressed(by: 30, of: sale))
        view.show(.ended(.sending(sale)))
        #expect(screen.take() == [bar("sale", 20, "60/60 60/s 60 accepted") + "\n"])
    }

    @Test func `the last of many short sends leaves a line, whichever began last`() throws {
        let view = view()
        view.show(.sendings(4))
        let names = ["c1", "c2", "c3", "c4"]
        for name in names { view.show(.began(try sending(name), total: 1)) }
        for name in names.reversed() {
            view.show(.progressed(by: 1, of: try StoreFixtures.occurrence(name)))
            view.show(.ended(try sending(name)))
        }
        #expect(screen.take() == ["c1 (1 of 4): 1 of 1 in less than 1 s; 1 accepted\n"])
    }

    @Test func `shows the reason and length of a pause`() throws {
        let terminal = view(columns: 120)
        terminal.show(.began(try sending(), total: 10))
        _ = screen.take()
        terminal.show(.pausing(.quota, for: .seconds(60)))
        let waits = "because the FCM quota is used up"
        #expect(screen.take() == [bar("sale", 0, "0/10 waiting 60 s \(waits)")])
        screen.wait(58.5)
        terminal.tick()
        #expect(screen.take() == [bar("sale", 0, "0/10 0.0/s waiting 2 s \(waits)")])
        terminal.show(.progressed(by: 5))
        screen.wait(1.5)
        terminal.tick()
        #expect(screen.take() == [bar("sale", 10, "5/10 3.3/s 2 s left 5 accepted")])
        let stream = view()
        stream.show(.settles(seconds: 42))
        stream.show(.settles(seconds: 41))
        #expect(screen.take() == ["waiting 42 s for joins to settle\n"])
    }

    @Test func `writes other lines above the bar, and ends its own line`() throws {
        let view = view(columns: 120)
        view.show(.began(try sending(), total: 10))
        _ = screen.take()
        view.say("GET /x 200 1 ms")
        #expect(screen.take() == ["\r\u{1B}[KGET /x 200 1 ms\n", bar("sale", 0, "0/10")])
        view.end()
        view.end()
        #expect(screen.take() == ["\n"])
    }
}
