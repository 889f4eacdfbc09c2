import ArgumentParser

/// The whole program: reads the process's arguments and runs the command that they name.
package enum Program {
    package static func main() async {
        await Herald.main()
    }
}
