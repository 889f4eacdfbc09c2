/// The usual next command.
package enum NextCommandWording {
    /// `directory`: the project's directory, as `-C` names it.
    package static func suggestion(_ command: String, in directory: String) -> String {
        let option = directory == "." ? "" : " -C " + TextStyle.safe(directory.quotedForShell)
        return "Next: \(command)\(option)\n"
    }
}
