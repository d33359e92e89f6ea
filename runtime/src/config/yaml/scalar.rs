//! What a scalar means: YAML 1.1 as Python's reader has it, in which a bare `off` is a boolean.

use super::value::Value;

/// Returns the value of a plain scalar, one without quotes.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Value::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => {
            Value::Bool(false)
        }
        _ => number(text).unwrap_or_else(|| Value::Text(text.to_owned())),
    }
}

fn number(text: &str) -> Option<Value> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if let ".inf" | ".Inf" | ".INF" = digits {
        let infinity = f64::INFINITY;
        return Some(Value::Float(if negative { -infinity } else { infinity }));
    }
    if let ".nan" | ".NaN" | ".NAN" = text {
        return Some(Value::Float(f64::NAN));
    }
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let plain = digits.replace('_', "");
    if let Some(magnitude) = whole(&plain) {
        let signed = if negative { -magnitude } else { magnitude };
        let fitting = signed.clamp(i64::MIN.into(), i64::MAX.into());
        return i64::try_from(fitting).ok().map(Value::Integer);
    }
    // Only what has a point is a float there: `1e3` and `1.2.3` are texts.
    let (before, after) = plain.split_once('.')?;
    let is_fraction = after
        .chars()
        .all(|letter| letter.is_ascii_digit() || matches!(letter, 'e' | 'E' | '+' | '-'));
    let is_number = before.chars().all(|letter| letter.is_ascii_digit()) && is_fraction;
    let magnitude: f64 = plain.parse().ok().filter(|_| is_number)?;
    Some(Value::Float(if negative { -magnitude } else { magnitude }))
}

/// Reads a whole number without a sign; one that is too large is the largest.
fn whole(digits: &str) -> Option<i128> {
    let (radix, digits) = if let Some(rest) = digits.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = digits.strip_prefix("0b") {
        (2, rest)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (8, digits)
    } else {
        (10, digits)
    };
    let is_whole = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    is_whole.then(|| i128::from_str_radix(digits, radix).unwrap_or(i128::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_have_the_types_that_python_gives_them() {
        let rows = [
            ("", Value::Null),
            ("~", Value::Null),
            ("yes", Value::Bool(true)),
            ("Off", Value::Bool(false)),
            ("oFF", Value::Text("oFF".to_owned())),
            ("300", Value::Integer(300)),
            ("-5", Value::Integer(-5)),
            ("+7", Value::Integer(7)),
            ("1_000", Value::Integer(1_000)),
            ("0x1F", Value::Integer(31)),
            ("0b101", Value::Integer(5)),
            ("017", Value::Integer(15)),
            ("09", Value::Text("09".to_owned())),
            ("0", Value::Integer(0)),
            ("99999999999999999999", Value::Integer(i64::MAX)),
            ("-99999999999999999999", Value::Integer(i64::MIN)),
            ("2.5", Value::Float(2.5)),
            (".5", Value::Float(0.5)),
            ("1.5e+3", Value::Float(1500.0)),
            ("-.inf", Value::Float(f64::NEG_INFINITY)),
            ("1e3", Value::Text("1e3".to_owned())),
            ("1.2.3", Value::Text("1.2.3".to_owned())),
            (".", Value::Text(".".to_owned())),
            ("-", Value::Text("-".to_owned())),
            ("0x", Value::Text("0x".to_owned())),
            ("12:30", Value::Text("12:30".to_owned())),
            ("local", Value::Text("local".to_owned())),
        ];
        for (text, expected) in rows {
            assert_eq!(resolve(text), expected, "{text}");
        }
    }

    #[test]
    fn not_a_number_is_a_float() {
        assert!(matches!(resolve(".nan"), Value::Float(float) if float.is_nan()));
    }
}
