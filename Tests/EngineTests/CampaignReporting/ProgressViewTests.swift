import CampaignExecution
import CampaignReporting
import Synchronization
import Testing

struct ProgressViewTests {
    /// A clock that is set and a stream that is kept; a class, because the view writes to it.
    private final class Screen: Sendable {
        private let beginning = ContinuousClock.now
        private let passed = Mutex(Duration.zero)
        private let written = Mutex<[String]>([])

        var now: ContinuousClock.Instant { beginning + passed.withLock { $0 } }

        func wait(_ seconds: Double) { passed.withLock { $0 += .seconds(seconds) } }

        func write(_ text: String) { written.withLock { $0.append(text) } }

        func take() -> [String] {
            written.withLock { written in
                defer { written = [] }
                return written
            }
        }
    }

    private let screen = Screen()

    private func view(isTerminal: Bool) -> ProgressView {
        let screen = screen
        return ProgressView(
            style: TextStyle(useColor: false),
            isTerminal: isTerminal,
            now: { screen.now },
            write: { screen.write($0) }
        )
    }

    private func bar(_ label: String, _ filled: Int, _ figures: String) -> String {
        "\r\u{1B}[K" + label + String(repeating: " ", count: 30 - label.count) + " "
            + String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
            + " " + figures
    }

    @Test func `draws a bar on a terminal, at most ten times a second`() throws {
        let view = view(isTerminal: true)
        let phase = ApplyPhase.sending(try StoreFixtures.occurrence("sale"))
        view.show(.began(phase, total: 2_400))
        #expect(screen.take() == [bar("sale", 0, "0/2,400")])
        view.show(.progressed(by: 100))
        screen.wait(0.09)
        view.show(.progressed(by: 100))
        #expect(screen.take() == [])
        screen.wait(0.02)
        view.show(.progressed(by: 100))
        #expect(screen.take() == [bar("sale", 2, "300/2,400")])
        screen.wait(1.89)
        view.show(.progressed(by: 2_100))
        #expect(screen.take() == [bar("sale", 20, "2,400/2,400, 1,200/s")])
        view.show(.ended(phase))
        #expect(screen.take() == [bar("sale", 20, "2,400/2,400, 1,200/s") + "\n"])
    }

    @Test func `writes a line every ten seconds elsewhere`() throws {
        let view = view(isTerminal: false)
        let phase = ApplyPhase.joining(try StoreFixtures.scope("everyone", "news"))
        view.show(.began(phase, total: 5_000))
        screen.wait(9)
        view.show(.progressed(by: 1_000))
        #expect(screen.take() == [])
        screen.wait(1)
        view.show(.progressed(by: 1_000))
        #expect(screen.take() == ["everyone joins news: 2,000 of 5,000\n"])
        view.show(.progressed(by: 1_000))
        view.show(.ended(phase))
        #expect(screen.take() == [])
    }

    @Test func `begins anew with each phase`() throws {
        let view = view(isTerminal: true)
        let scope = try StoreFixtures.scope("all", "news")
        view.show(.began(.leaving(scope), total: 1))
        view.show(.progressed(by: 1))
        view.show(.ended(.leaving(scope)))
        view.show(.began(.joining(scope), total: 0))
        #expect(
            screen.take() == [
                bar("all leaves news", 0, "0/1"), bar("all leaves news", 20, "1/1") + "\n",
                bar("all joins news", 20, "0/0"),
            ]
        )
    }
}
