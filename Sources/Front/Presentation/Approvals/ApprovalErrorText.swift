package import SSHSignatures

/// Why a plan is not approved, or cannot be approved.
extension ErrorText {
    /// `text`: the command that approves.
    package static func notApproved(_ found: Int, of need: Int, command: String) -> ErrorText {
        ErrorText(
            "this plan needs the approvals of \(need.counting("signer")) and has \(found), so "
                + "nothing was sent or recorded",
            help: "let signers run `\(command)`, and pass their approvals with --approvals"
        )
    }

    package static func approvalsNeedReview(_ need: Int, command: String) -> ErrorText {
        ErrorText(
            "this plan needs the approvals of \(need.counting("signer")), and they count only with "
                + "--expect, so nothing was sent or recorded",
            help: "run `\(command)` and have its digest approved"
        )
    }

    package static var approvalsNeedSerial: ErrorText {
        ErrorText(
            "this plan needs approvals, and the digest of --expect has no serial",
            help: "use the whole digest that `herald plan` prints: HASH@SERIAL"
        )
    }

    package static var unknownAuthors: ErrorText {
        ErrorText(
            "this plan needs approvals with `not_author`, and the authors of the changes cannot be "
                + "determined: the commits since the last apply are not known to Git, or tracked "
                + "files differ from them",
            help: "fetch the whole history and commit all changes, or name each author with "
                + "--author"
        )
    }

    package static func unreadableSigners(_ path: String, error: SignersFileError) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)), line \(error.line), \(error.wording)",
            help: "correct the file; `ssh-keygen -Y verify` describes its format"
        )
    }

    package static func unreadableRecordedSigners(_ error: SignersFileError) -> ErrorText {
        ErrorText(
            "the signers or revoked keys in force cannot be read: line \(error.line) "
                + error.wording,
            help: "restore the state from a backup: apply records only files that can be read"
        )
    }

    package static func missingSigners(_ path: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) cannot be read as a text file of at most 1 MiB",
            help: "write the file that `guard.approvals` names in herald.yaml"
        )
    }

    package static func unreadableApprovals(_ path: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) cannot be read as approvals of at most 16 MiB",
            help: "pass a file or a directory that contains the output of `herald approve`"
        )
    }

    package static func noApprovalRules(of environment: String) -> ErrorText {
        ErrorText(
            "no approvals are needed in \(TextStyle.safe(environment))",
            help: "declare `guard.approvals` in herald.yaml, and apply it"
        )
    }

    package static var noSigningKey: ErrorText {
        ErrorText(
            "no SSH key was found in ~/.ssh",
            help: "name a private key, or the public key of one in the SSH agent, with --key"
        )
    }

    package static func unknownPrincipal(_ key: String) -> ErrorText {
        ErrorText(
            "the signers list no single principal for the key \(TextStyle.safe(key))",
            help: "name the principal with --as"
        )
    }

    package static func notSigner(_ principal: String, key: String) -> ErrorText {
        ErrorText(
            "the signers do not list the key \(TextStyle.safe(key)) for "
                + TextStyle.safe(principal),
            help: "choose another key with --key, or another principal with --as"
        )
    }

    package static func invalidPrincipal(_ text: String) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(text))` is not a principal",
            help: "use a name of 1 to 250 characters without spaces, such as an e-mail address"
        )
    }

    package static func notSigned(because reason: String) -> ErrorText {
        ErrorText(
            "ssh-keygen did not sign: \(TextStyle.safe(reason))",
            help: "check the key with `ssh-keygen -Y sign -n herald -f KEY`"
        )
    }

    package static var planOfOtherEnvironment: ErrorText {
        ErrorText(
            "the plan is for another environment",
            help: "choose the environment of the plan with -e"
        )
    }
}
