import HeraldCommands
import StropheLink

@main
struct Main {
    @MainActor static func main() async {
        await Program.main(connecting: StropheConnector())
    }
}
