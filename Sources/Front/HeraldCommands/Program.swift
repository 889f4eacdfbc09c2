import ArgumentParser

/// The program's entry point, which runs the command that the arguments name.
package enum Program {
    package static func main() async {
        var words = CommandLine.arguments.dropFirst()
        if words.first == "help" { words = words.dropFirst() }
        if let unknown = UnknownCommand.find(in: words, of: Herald.self) {
            unknown.parent.exit(withError: ValidationError(unknown.message))
        }
        await Herald.main()
    }
}
