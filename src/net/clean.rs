//! Making untrusted text fit for a terminal and for a line of a log.

/// Most bytes of a service's message.
const BRIEF: usize = 1_000;
const CUT: &str = " …";

/// A text without characters that could begin a line, move a terminal's cursor, hide text or reverse it.
pub fn clean(text: &str) -> String {
    text.chars().map(harmless).collect()
}

/// As [`clean`], and cut to 1,000 bytes; a cut text ends in an ellipsis.
pub fn brief(text: &str) -> String {
    let mut brief = String::new();
    for c in text.chars() {
        let c = harmless(c);
        if brief.len() + c.len_utf8() > BRIEF {
            let end = brief.floor_char_boundary(BRIEF - CUT.len());
            brief.truncate(end);
            brief.push_str(CUT);
            break;
        }
        brief.push(c);
    }
    brief
}

/// Equal JSON, with escapes for what [`clean`] removes.
pub fn clean_json(json: &str) -> String {
    let mut clean = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '\n' | '\r' | '\t') || harmless(c) == c {
            clean.push(c);
        } else {
            // All of them are one unit of UTF-16.
            clean.push_str(&format!("\\u{:04x}", u32::from(c)));
        }
    }
    clean
}

/// Replaces control characters, line and paragraph separators, text direction marks, and invisible characters
/// that make one name look like another. Joiners stay, which words and emoji need.
fn harmless(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' => ' ',
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2060}'..='\u{2064}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' => char::REPLACEMENT_CHARACTER,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::{BRIEF, brief, clean, clean_json};

    #[test]
    fn what_is_printable_is_left_as_it_is() {
        for text in ["", "Invalid tx: \"ü\" 日本 🎉 (amount=-1, expected=2)", "a  b", &"x".repeat(BRIEF)]
        {
            assert_eq!(clean(text), text);
            assert_eq!(brief(text), text);
        }
    }

    #[test]
    fn what_could_play_tricks_is_replaced() {
        assert_eq!(clean("a\nb\r\x1b[31mc\u{9b}\u{202e}d\u{2066}\u{2028}e\0\u{7f}"), "a b �[31mc��d��e��");
        assert_eq!(brief("a\nb\u{200f}"), "a b�");
        assert_eq!(clean("HTR\u{200b}\u{2060}\u{feff}\u{ad}"), "HTR����");
        assert_eq!(clean("👩\u{200d}🚀 می\u{200c}خواهم"), "👩\u{200d}🚀 می\u{200c}خواهم");
    }

    #[test]
    fn json_says_the_same_in_escapes() {
        let json = "{\n\t\"a\u{9b}1K\": \"b\u{202e}c\u{7f} ü 🎉 \u{fffd}\"}\r\n";
        let clean = "{\n\t\"a\\u009b1K\": \"b\\u202ec\\u007f ü 🎉 \u{fffd}\"}\r\n";
        assert_eq!(clean_json(json), clean);
    }

    #[test]
    fn what_is_long_is_cut_once() {
        for text in ["x".repeat(BRIEF + 1), "é".repeat(BRIEF), "\x1b".repeat(BRIEF), "🎉".repeat(BRIEF)] {
            let cut = brief(&text);
            assert!(cut.len() <= BRIEF && cut.len() > BRIEF - 10, "{}", cut.len());
            assert!(cut.ends_with(" …"));
            assert_eq!(brief(&cut), cut);
        }
    }
}
