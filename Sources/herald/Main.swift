import ArgumentParser
import HeraldCommands

@main
struct Main {
    static func main() async {
        await Herald.main()
    }
}
