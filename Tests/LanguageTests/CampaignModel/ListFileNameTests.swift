import CampaignModel
import Testing

struct ListFileNameTests {
    @Test(arguments: [
        ("l.csv", "csv"), ("a.b/l", ""), ("L.CSV", "csv"), ("l.csv.gz", "csv"),
        ("l.CSV.ZST", "csv"),
        ("l.gz", ""), ("l.csv.gz.gz", "gz"), ("a.tar.gz", "tar"), ("tar.gz", ""), (".csv", "csv"),
        ("l.", ""), ("lists/*.ndjson.gz", "ndjson"), ("", ""),
    ])
    func `the extension does not depend on compression`(path: String, name: String) {
        #expect(ListFileName(path: path).fileExtension == name)
    }

    @Test(arguments: [
        ("l.csv", RegistrationFile.Format.csv), ("l.csv.gz", .csv), ("l.ndjson.zst", .ndjson),
        ("l.txt.gz", .text), ("l.gz", .text), ("l", .text), ("l.CSV.gz", .csv),
    ])
    func `the extension determines the format`(path: String, format: RegistrationFile.Format) {
        #expect(RegistrationFile.Format(path: path) == format)
    }

    @Test(arguments: [
        ("a/l.csv.gz", "a/l.csv"), ("l.ZST", "l"), ("l.csv", "l.csv"), ("gz", "gz"),
    ])
    func `removes the extension of a compression`(path: String, result: String) {
        #expect(ListFileName.withoutCompression(path) == result)
    }
}
