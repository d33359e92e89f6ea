#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use proptest::prelude::*;

use super::*;

const LIMIT: usize = 1 << 20;

fn document(html: &str) -> Document {
    let base = Url::parse("https://example.com/dir/page").unwrap();
    convert(html, &base, LIMIT, &|| false).unwrap()
}

fn text(html: &str) -> String {
    document(html).text
}

#[test]
fn a_page_becomes_markdown() {
    let html = r#"<!doctype html><html><head><title> A  page </title><style>p{}</style></head><body>
        <nav><a href="/">Home</a></nav>
        <h1>Head &amp; line</h1>
        <p>Some <b>bold</b>, <em>soft</em> and <code>x = 1</code> text<br>with a <a href="../other#part">link</a>.</p>
        <ul><li>one<li>two <ol start=3><li>three</ol></ul>
        <blockquote><p>said<p>again</blockquote>
        <pre class="x"><code class="hljs language-rust">fn a() {
    b &lt; c
}
</code></pre>
        <table><caption>Sizes</caption><thead><tr><th>a<th>b</thead><tr><td>1<td><i>2|3</i></tr></table>
        <img src="i.png" alt="an image"><img src="DATA:image/png;base64,AAAA" alt="dots"><img src="data:image/png;base64,AAAA">
        <hr><script>alert("<p>no")</script><footer>imprint</footer></body></html>"#;
    let page = document(html);
    assert_eq!(page.title, "A page");
    let expected = "# Head & line\n\n\
        Some **bold**, *soft* and `x = 1` text\nwith a [link](https://example.com/other#part).\n\n\
        - one\n- two\n  3. three\n\n\
        > said\n>\n> again\n\n\
        ```rust\nfn a() {\n    b < c\n}\n```\n\n\
        Sizes\n\n| a | b |\n| --- | --- |\n| 1 | *2\\|3* |\n\n\
        ![an image](https://example.com/dir/i.png)[IMAGE: dots][IMAGE]\n\n---";
    assert_eq!(page.text, expected);
}

#[test]
fn the_main_part_is_taken_where_there_is_one() {
    assert_eq!(
        text("<div>menu</div><main><p>one</p></main><div>more</div>"),
        "one"
    );
    assert_eq!(text("<div>all</div><main></main>"), "all");
    assert_eq!(text("<p>x<main>one"), "one");
}

#[test]
fn a_frame_that_never_ends_does_not_take_the_page_along() {
    assert_eq!(text("<nav>menu <p>content"), "menu\n\ncontent");
    assert_eq!(text("<nav>menu</nav><p>content"), "content");
    assert_eq!(text("<nav><nav>x</nav>y</nav><p>content"), "content");
}

#[test]
fn the_title_is_the_best_there_is() {
    let rows = [
        (
            "<title>a</title><meta property=og:title content=b><h1>c</h1>",
            "a",
        ),
        (
            "<title> </title><meta property=og:title content=b><h1>c</h1>",
            "b",
        ),
        ("<h1>c <b>d</b></h1><h1>e</h1>", "c **d**"),
        ("<title>a</title><svg><title>icon</title></svg>", "a"),
        ("text", ""),
    ];
    for (html, expected) in rows {
        assert_eq!(document(html).title, expected, "{html}");
    }
    assert_eq!(
        document(&format!("<title>{}", "ü".repeat(600))).title,
        "ü".repeat(500)
    );
}

#[test]
fn links_are_absolute_and_lead_to_places() {
    let rows = [
        ("<a href=/a>x</a>", "[x](https://example.com/a)"),
        (
            "<base href=https://other.example/b/><a href=c>x</a>",
            "[x](https://other.example/b/c)",
        ),
        ("<a href=\"javascript:alert(1)\">x</a>", "x"),
        ("<a href=\"data:text/html,y\">x</a>", "x"),
        ("<a href=#part>x</a>", "x"),
        ("<a name=y>x</a>", "x"),
        ("<a href=/a> </a>y", "y"),
        (
            "<a href=/a>x<a href=/b>y</a>",
            "[x](https://example.com/a)[y](https://example.com/b)",
        ),
        (
            "<a href='/a'><p>x</p><p>y</p></a>",
            "[x](https://example.com/a)\n\ny",
        ),
        ("<a href=mailto:a@b.c>x</a>", "[x](mailto:a@b.c)"),
    ];
    for (html, expected) in rows {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn a_table_that_lays_out_is_read_as_blocks() {
    let html =
        "<table><tr><td><ul><li>menu</ul><td><table><tr><td>a<td>b</table><p>text</table>after";
    assert_eq!(
        text(html),
        "- menu\n\n| a | b |\n| --- | --- |\n\ntext\n\nafter"
    );
}

#[test]
fn text_that_holds_fences_gets_a_longer_one() {
    assert_eq!(text("<pre>```\nx\n```</pre>"), "````\n```\nx\n```\n````");
    assert_eq!(text("<pre>a<br>b</pre>"), "```\na\nb\n```");
    assert_eq!(text("<pre> \n </pre>x"), "x");
}

#[test]
fn an_answer_that_nobody_wants_is_given_up() {
    let base = Url::parse("https://example.com/").unwrap();
    assert_eq!(convert("<p>x", &base, LIMIT, &|| true), None);
}

/// Hostile pages: what they nest, repeat or leave open must cost no more than their length.
#[test]
fn hostile_pages_take_linear_room() {
    let rows = [
        "<div>".repeat(100_000),
        "<b>".repeat(100_000),
        "<ul><li>x".repeat(100_000),
        "<blockquote>x".repeat(100_000),
        "<table><tr><td>x".repeat(100_000),
        "<table>".repeat(100_000) + "x",
        "<a href=/x>y<p>".repeat(100_000),
        "<b>x</b>".repeat(100_000),
        "<p>x".repeat(100_000),
        "</div>".repeat(100_000) + "x",
        "<!--".repeat(100_000),
        "&amp".repeat(100_000),
        "<".repeat(400_000),
        "</".repeat(200_000),
        format!("<p {}>x", "a ".repeat(200_000)),
        format!("<p {}>x", "a=\"".repeat(200_000)),
        "<script></".repeat(100_000),
        "<title>".repeat(100_000),
        "<nav>".repeat(100_000),
        "<pre>`".repeat(100_000),
        format!(
            "<base href=/{}>{}",
            "d/".repeat(4_000),
            "<a href=x>y</a>".repeat(100_000)
        ),
        format!(
            "<base href=/{}>{}",
            "d/".repeat(400),
            "<a href=x>y</a>".repeat(100_000)
        ),
        format!(
            "<tr>{}{}",
            "<td>x".repeat(50_000),
            "<tr><td>y".repeat(50_000)
        ),
        format!("{}{}", "<blockquote>".repeat(30), "<br>x".repeat(100_000)),
    ];
    for html in rows {
        let page = document(&html);
        let start: String = html.chars().take(20).collect();
        assert!(
            page.text.len() <= LIMIT + html.len() * 12,
            "{start}: {}",
            page.text.len()
        );
    }
}

proptest! {
    #[test]
    fn no_page_breaks_the_reader(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "<p>", "</p>", "<ul>", "</ul>", "<ol>", "<li>", "</li>", "<table>", "<tr>", "<td>", "</td>", "</table>", "<pre>", "</pre>", "<code>", "</code>",
                "<a href=x>", "</a>", "<b>", "</b>", "<main>", "</main>", "<nav>", "</nav>", "<h1>", "</h1>", "<br>", "<img src=x>", "x", " ", "&lt;", "\u{e9}", "<", ">",
                "\"", "<!--", "-->", "<script>", "</script>", "<blockquote>", "</blockquote>", "<title>", "</title>", "|", "`",
            ]),
            0..60,
        )
    ) {
        let page = document(&pieces.concat());
        prop_assert_eq!(page.text.trim(), page.text.as_str());
    }
}
