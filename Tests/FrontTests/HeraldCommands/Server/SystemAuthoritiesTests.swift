import Testing

@testable import HeraldCommands

struct SystemAuthoritiesTests {
    private let fedora = "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"

    @Test func `leaves the file to libcurl if Debian's exists`() {
        #expect(SystemAuthorities.file { _ in true } == nil)
    }

    @Test func `finds the file of another system`() {
        #expect(SystemAuthorities.file { $0 == fedora } == fedora)
        #expect(
            SystemAuthorities.file { $0 == "/etc/ssl/ca-bundle.pem" } == "/etc/ssl/ca-bundle.pem"
        )
    }

    @Test func `trusts libcurl's default if no file is known`() {
        #expect(SystemAuthorities.file { _ in false } == nil)
    }
}
