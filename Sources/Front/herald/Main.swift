import HeraldCommands

@main
struct Main {
    @MainActor static func main() async {
        await Program.main()
    }
}
