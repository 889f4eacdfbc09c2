import Testing

@testable import HTML

struct HTMLNodeTests {
    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a & b &amp; c", "a &amp; b &amp;amp; c"),
        ("\"quoted\" 'too'", "&quot;quoted&quot; &#39;too&#39;"),
        ("<!-- --> ]]>", "&lt;!-- --&gt; ]]&gt;"), ("`x` {{y}} ${z}", "`x` {{y}} ${z}"),
        ("\u{1B}[31m\u{7}\0", "\\u{1B}[31m\\u{7}\\u{0}"),
        ("a\u{202E}b\u{2066}", "a\\u{202E}b\\u{2066}"),
        ("two\nlines\r\n", "two\nlines\\u{D}\n"), ("<\u{301}b>", "&lt;\u{301}b&gt;"),
    ])
    func `text cannot create elements`(text: String, written: String) {
        let paragraph = HTMLNode(.p, text: text)
        #expect(Array(paragraph.markup.utf8) == Array("<p>\(written)</p>\n".utf8))
    }

    @Test func `an attribute's value cannot end the attribute`() {
        let node = HTMLNode(.span, .label("\" onclick=\"x\" '<>&"), .class("a", "b")) { "t" }
        #expect(
            node.markup
                == "<span aria-label=\"&quot; onclick=&quot;x&quot; &#39;&lt;&gt;&amp;\" "
                + "class=\"a b\">t</span>"
        )
    }

    @Test func `parts keep their order, and absent parts leave nothing`() {
        let absent: HTMLNode? = nil
        let node = HTMLNode(.ul, .id("list")) {
            for number in 1...2 { HTMLNode(.li, text: "\(number)") }
            absent
            if absent == nil { HTMLNode(.li) { HTMLNode(.br) { "never" } } }
        }
        #expect(
            node.markup == "<ul id=\"list\"><li>1</li>\n<li>2</li>\n<li><br></li>\n</ul>\n"
        )
    }

    @Test func `an attribute without a value is only its name`() {
        let node = HTMLNode(.details, .open, .link(toPart: "a b")) {}
        #expect(node.markup == "<details open href=\"#a b\"></details>\n")
    }

    @Test func `a link to a file or a page has no other scheme`() throws {
        #expect(
            HTMLNode(.a, .link(to: HTMLLink(file: "javascript:a b/c.yaml"))) {}.markup
                == "<a href=\"./javascript%3Aa%20b/c.yaml\"></a>"
        )
        let page = try #require(HTMLLink(page: "https://git.example/blob/1/a.yaml#L3"))
        #expect(
            HTMLNode(.a, .link(to: page)) {}.markup
                == "<a href=\"https://git.example/blob/1/a.yaml#L3\"></a>"
        )
        for address in ["javascript:alert(1)", "//git.example", "https://a b", "data:,x", ""] {
            #expect(HTMLLink(page: address) == nil, "\(address)")
        }
    }

    @Test func `no element runs, loads or sends anything`() {
        let names = Set(HTMLTag.allCases.map(\.rawValue))
        let dangerous: Set = [
            "script", "style", "iframe", "frame", "object", "embed", "img", "image", "math",
            "foreignObject", "use", "animate", "animateMotion", "animateTransform", "set",
            "feImage",
            // Controls send nothing without a form.
            "link", "meta", "base", "form", "textarea", "video", "audio", "source", "track",
            "template", "noscript", "plaintext", "xmp",
        ]
        #expect(names.isDisjoint(with: dangerous))
    }
}

struct HTMLDocumentTests {
    @Test func `a page allows only its own styles and states its language`() {
        let page = HTMLDocument(title: "a</title><b>", styles: ["p { color: red; }"]) {
            HTMLNode(.p, text: "hello")
        }
        #expect(
            page.markup == """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; \
                style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta name="referrer" content="no-referrer">
                <title>a&lt;/title&gt;&lt;b&gt;</title>
                <style>
                p { color: red; }
                </style>
                </head>
                <body>
                <p>hello</p>
                </body>
                </html>

                """
        )
    }

    @Test func `a page allows only its own script, by its hash`() {
        let page = HTMLDocument(title: "t", styles: [], script: HTMLScript("go();")) {}
        // printf 'go();' | openssl dgst -sha256 -binary | base64
        let hash = "bYOqbsii8BMz1hC57p5sZG4K4cMuk6QQDiwupM2aRMM="
        #expect(page.markup.contains("script-src &#39;sha256-\(hash)&#39;; base-uri"))
        #expect(page.markup.contains("<script>go();</script>\n</body>"))
        #expect(page.markup.split(separator: "<script").count == 2)
    }
}
