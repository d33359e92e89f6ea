#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use super::*;

fn masked(text: &str) -> String {
    redact(text, Mask::Shortened).unwrap_or_else(|| text.to_owned())
}

#[test]
fn each_family_is_masked_at_its_least_length_and_not_below() {
    let samples = [
        ("sk-", "abcdefghij"),
        ("ghp_", "abcdefghij"),
        ("github_pat_", "11ABCDE_gh"),
        ("gho_", "abcdefghij"),
        ("ghu_", "abcdefghij"),
        ("ghs_", "abcdefghij"),
        ("ghr_", "abcdefghij"),
        ("xapp-1-", "A0B1C2D3E4"),
        ("xoxb-", "1234567890"),
        ("xoxa-", "1234567890"),
        ("xoxp-", "1234567890"),
        ("xoxr-", "1234567890"),
        ("xoxs-", "1234567890"),
        ("AIza", "SyA1234567890abcdefghijklmnopq"),
        ("pplx-", "abcdefghij"),
        ("fal_", "abcdefghij"),
        ("fc-", "abcdefghij"),
        ("bb_live_", "abcdefghij"),
        ("gAAAA", "Babcdefghijklmnop-_="),
        ("AKIA", "ABCDEFGHIJ234567"),
        ("sk_live_", "abcdefghij"),
        ("sk_test_", "abcdefghij"),
        ("rk_live_", "abcdefghij"),
        ("SG.", "abcdefghij"),
        ("hf_", "abcdefghij"),
        ("r8_", "abcdefghij"),
        ("npm_", "abcdefghij"),
        ("pypi-", "AgEIcHlwaS"),
        ("dop_v1_", "abcdefghij"),
        ("doo_v1_", "abcdefghij"),
        ("am_org_", "abcdefghijklmnopqrst"),
        ("am_", "abcdefghijklmnopqrst"),
        ("tvly-", "abcdefghij"),
        ("exa_", "abcdefghij"),
        ("gsk_", "abcdefghij"),
        ("syt_", "abcdefghij"),
        ("retaindb_", "abcdefghij"),
        ("hsk-", "abcdefghij"),
        ("mem0_", "abcdefghij"),
        ("brv_", "abcdefghij"),
        ("xai-", "abcdefghijklmnopqrstuvwxyz0123"),
        ("ntn_", "abcdefghij"),
        ("fw-", "abcdefghijklmnopqrstuvwxyz0123"),
        ("fw_", "abcdefghijklmnopqrstuvwxyz0123"),
        ("fpk_", "abcdefghijklmnopqrstuvwxyz0123"),
        ("glpat-", "abcdefghij"),
        ("gloas-", "abcdefghij"),
        ("gldt-", "abcdefghij"),
        ("glrt-", "abcdefghij"),
        ("glrtr-", "abcdefghij"),
        ("glcbt-", "abcdefghij"),
        ("glptt-", "abcdefghij"),
        ("glft-", "abcdefghij"),
        ("glimt-", "abcdefghij"),
        ("glagent-", "abcdefghij"),
        ("glsoat-", "abcdefghij"),
        ("glffct-", "abcdefghij"),
        ("glwt-", "abcdefghij"),
        ("GR1348941", "abcdefghij"),
        ("pk-lf-", "abcdefgh"),
        ("AGE-SECRET-KEY-1", "ABCDEFGHIJ"),
        ("sk_", "abcdefghij"),
    ];
    assert_eq!(samples.len(), FAMILIES.len());
    for (prefix, tail) in samples {
        let shown = Mask::Shortened.token("", &format!("{prefix}{tail}"));
        assert_eq!(
            masked(&format!("a {prefix}{tail}, b")),
            format!("a {shown}, b")
        );
        let short = format!("a {prefix}{}, b", &tail[..tail.len() - 1]);
        assert_eq!(masked(&short), short);
    }
}

#[test]
fn the_listed_examples_are_shown_as_listed() {
    assert_eq!(
        masked("sk-proj-abcdefghijklmnopqrstuv\n"),
        "sk-pro...stuv\n"
    );
    assert_eq!(masked("sk-abcdefghij"), "***");
    assert_eq!(masked("ghp_abcdefghijklmnopqrst"), "ghp_ab...qrst");
}

#[test]
fn a_token_character_on_either_side_makes_it_no_token() {
    for text in [
        "xsk-abcdefghijklmnopqrst",
        "my_ghp_abcdefghijklmnopqrst",
        "-hf_abcdefghijklmnopqrst",
        "AKIAABCDEFGHIJ2345678",
        "AKIAABCDEFGHIJ234567x",
        "am_abcdefghijklmnopqrst_more",
        "xapp-A0B1C2D3E4F5",
        "desk-abcdefghijklmnop",
    ] {
        assert_eq!(redact(text, Mask::Shortened), None, "{text}");
    }
}

#[test]
fn quotes_equals_signs_and_letters_beyond_ascii_are_boundaries() {
    assert_eq!(masked("K=ghp_abcdefghijklmnopqrst"), "K=ghp_ab...qrst");
    assert_eq!(masked("\"ghp_abcdefghijklmnopqrst\""), "\"ghp_ab...qrst\"");
    assert_eq!(masked("éghp_abcdefghijklmnopqrsté"), "éghp_ab...qrsté");
    assert_eq!(masked("?key=sk-abcdefghij&x"), "?key=***&x");
}

#[test]
fn an_escape_before_a_token_is_a_boundary() {
    assert_eq!(
        masked(r"'a\nghp_abcdefghijklmnopqrst\n'"),
        r"'a\nghp_ab...qrst\n'"
    );
    assert_eq!(
        masked(r"\xghp_abcdefghijklmnopqrst"),
        r"\xghp_abcdefghijklmnopqrst"
    );
}

#[test]
fn names_of_code_that_begin_like_a_token_stay() {
    for text in [
        "from huggingface_hub import hf_hub_download",
        "npm_config_registry npm_package_version",
        "SG.add_edges_from(x), SG.graph.update(y)",
        "sk_learn_model2",
        "fc-cache-options",
        "exa_search_results, retaindb_connection_pool",
        "fw_update_and_restart_all_devices_now",
        "am_i_the_only_one_who_reads_this",
    ] {
        assert_eq!(redact(text, Mask::Shortened), None, "{text}");
    }
}

#[test]
fn dots_join_a_dotted_token_and_a_full_stop_does_not() {
    assert_eq!(masked("SG.abcDefghijkl.mnopqrstuvwx."), "SG.abc...uvwx.");
    assert_eq!(masked("sk-abcdefghij.klmnopqrst..."), "sk-abc...qrst...");
    assert_eq!(masked("sk-short.. sk-"), "sk-short.. sk-");
}

#[test]
fn invisible_characters_do_not_hide_a_token() {
    for noise in [
        "\0", "\u{7f}", "\u{8}", "\t", "\u{200b}", "\u{200f}", "\u{2028}", "\u{202e}", "\u{2060}",
        "\u{feff}",
    ] {
        let tail = format!("sk-proj-abcde{noise}fghijklmnopqrstuv");
        assert_eq!(masked(&tail), "sk-pro...stuv", "{noise:?}");
    }
    assert_eq!(
        masked("g\0h\u{200b}p_abcdefghijklmnopqrst"),
        "ghp_ab...qrst"
    );
    assert_eq!(
        masked("ghp_\u{200b}\u{200b}abcdefghijklmnopqrst end"),
        "ghp_ab...qrst end"
    );
}

#[test]
fn a_newline_joins_only_what_is_no_token_by_itself() {
    assert_eq!(masked("ghp_abc\ndefghijklmnopqrstuvw"), "ghp_ab...tuvw");
    assert_eq!(
        masked("ghp_abcdefghijklmnopqrst\nnext_line"),
        "ghp_ab...qrst\nnext_line"
    );
    assert_eq!(
        masked("ghp_abcdefghij\r\nABCDEFGHIJKLMNOP"),
        "***\r\nABCDEFGHIJKLMNOP"
    );
}

#[test]
fn a_newline_does_not_join_words() {
    for text in [
        "hf_hub\ntransformers\n",
        "sk-cube\nsk-circle\nsk-grid\n",
        "s\nk-means-clustering",
        "s\tk-means-clustering",
    ] {
        assert_eq!(redact(text, Mask::Shortened), None, "{text}");
    }
}

#[test]
fn a_span_before_an_equals_sign_is_not_joined() {
    assert_eq!(
        redact("ghp_abc\nNEXT_VARIABLE_NAME=1", Mask::Shortened),
        None
    );
    assert_eq!(
        masked("ghp_abcdefghijklmnopqrst\0NAME=1"),
        "ghp_ab...qrst\0NAME=1"
    );
}

#[test]
fn padding_belongs_to_the_token() {
    assert_eq!(masked("gAAAABabcdefghijklmnopqrst== x"), "gAAAAB...st== x");
}

#[test]
fn a_sentinel_names_the_longest_prefix() {
    let sentinel = |text| redact(text, Mask::Sentinel).unwrap();
    assert_eq!(sentinel("ghp_abcdefghijklmnopqrst"), "«redacted:ghp_…»");
    assert_eq!(sentinel("sk_live_abcdefghijklmnop"), "«redacted:sk_live_…»");
    assert_eq!(sentinel("sk_abcdefghijklmnop"), "«redacted:sk_…»");
    assert_eq!(
        sentinel("am_org_abcdefghijklmnopqrst"),
        "«redacted:am_org_…»"
    );
    assert_eq!(sentinel("glrtr-abcdefghijklmnop"), "«redacted:glrtr-…»");
    assert_eq!(sentinel("xapp-1-A0B1C2D3E4F5"), "«redacted:xapp-…»");
}

#[test]
fn no_earlier_prefix_hides_a_longer_one() {
    for (row, family) in FAMILIES.iter().enumerate() {
        for earlier in &FAMILIES[..row] {
            assert!(
                !family.prefix.starts_with(earlier.prefix),
                "{} before {}",
                earlier.prefix,
                family.prefix
            );
        }
    }
}

#[test]
fn hostile_runs_of_prefixes_are_walked_once() {
    // A quadratic walk over these would not end within the patience of any test run.
    for unit in [
        "sk_\n",
        "sk_a\0",
        "fw_a_\u{200b}",
        "s\0",
        "AKIA\0A",
        "sk_a_b_",
    ] {
        let text = unit.repeat(30_000);
        assert_eq!(redact(&text, Mask::Shortened), None, "{unit:?}");
    }
}
