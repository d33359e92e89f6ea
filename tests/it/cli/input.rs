//! Scripts that are odd: bytes that are no text, sizes, letters that are no letters.

use hermes_tests::Cli;

#[test]
fn bytes_that_are_no_text_are_a_usage_error() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("latin.py");
    std::fs::write(&path, b"print('caf\xe9')").unwrap();
    Cli::new(["run".as_ref(), path.as_os_str()])
        .run()
        .exits(2)
        .prints("")
        .reports(&format!(
            "error: `{}` is not UTF-8 from byte 10 on\nhint: save it as UTF-8\n",
            path.display()
        ));
    Cli::new(["run"])
        .stdin(b"\xff\xfe".to_vec())
        .run()
        .exits(2)
        .reports("error: stdin is not UTF-8 from byte 0 on\nhint: save it as UTF-8\n");
}

#[test]
fn a_nul_in_the_script_is_a_syntax_error_of_python() {
    Cli::new(["run"])
        .stdin("x = 1\0\n")
        .run()
        .exits(1)
        .prints("")
        .reports("SyntaxError: source code string cannot contain null bytes\n");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    Cli::new(["run"])
        .stdin("\u{feff}print('x')")
        .run()
        .exits(0)
        .prints("x\n");
}

#[test]
fn a_script_of_ten_megabytes_runs() {
    let mut script = "# comment\n".repeat(1_000_000);
    script.push_str("print('end')\n");
    Cli::new(["run"])
        .stdin(script)
        .run()
        .exits(0)
        .prints("end\n");
}

#[test]
fn a_script_of_more_than_64_mib_is_a_usage_error() {
    Cli::new(["run"])
        .stdin("#".repeat((64 << 20) + 1))
        .run()
        .exits(2)
        .prints("")
        .reports("error: stdin is longer than 67108864 bytes\n");
}

#[test]
fn lone_surrogates_in_output_are_escapes() {
    Cli::new(["run", "-c", r"print('\ud800')"])
        .run()
        .exits(0)
        .prints("\\ud800\n");
}

#[test]
fn nul_and_other_controls_in_output_arrive() {
    Cli::new(["run", "-c", r"print('a\0b\x07')"])
        .run()
        .exits(0)
        .prints("a\0b\u{7}\n");
}

#[test]
fn code_may_begin_with_a_hyphen() {
    Cli::new(["run", "-c", "-1"]).run().exits(0).prints("");
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut started = Cli::new(["run", "-c", "print('x' * 40_000)"]).start();
    started.close_stdout();
    let ended = started.end();
    ended.exits(0).reports("");
}

#[test]
fn a_file_without_end_is_cut_off_at_its_limit() {
    Cli::new(["run", "/dev/zero"])
        .run()
        .exits(2)
        .reports("error: `/dev/zero` is longer than 67108864 bytes\n");
}
