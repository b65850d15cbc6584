//! The config of a bot in a league: merging with the bot's preset, checks, and a JSON Schema.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// The requirements for a bot's config type: a default, and conversion from and to JSON, so that
/// the keys of a league can be merged into a preset. Every type that meets these requirements
/// implements the trait:
///
/// ```
/// #[derive(Default, serde::Serialize, serde::Deserialize)]
/// #[serde(rename_all = "snake_case")]
/// enum Lock { #[default] None, Weakest }
///
/// #[derive(Default, serde::Serialize, serde::Deserialize)]
/// struct MyConfig { boldness: u32, lock: Lock }
///
/// fn is_config<C: hattari_plugin::Config>() {}
/// is_config::<MyConfig>();
/// ```
pub trait Config: Default + Serialize + DeserializeOwned + 'static {}

impl<T: Default + Serialize + DeserializeOwned + 'static> Config for T {}

/// The config of a bot without settings. All keys are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoConfig {}

/// Merges the league's JSON into `preset`. Mappings are merged key by key; other values are
/// replaced.
///
/// # Errors
/// Returns an error that names the unknown key and the valid keys, or the key with the wrong value.
pub(crate) fn merge_config<C: Config>(preset: C, league: &str) -> Result<C, String> {
    // An instance is created for every block, so the common case of no settings must be fast.
    if league.trim().is_empty() {
        return Ok(preset);
    }
    let league = parse(league)?;
    if league.is_empty() {
        return Ok(preset);
    }
    let preset = serde_json::to_value(preset)
        .map_err(|e| format!("the bot's preset cannot be written as JSON: {e}"))?;
    read_strictly(&merge(preset, Value::Object(league)))
}

/// Parses the options of the rules from the host's JSON. Ignores keys that this library does not
/// know.
pub(crate) fn read_options<O: Default + Serialize + DeserializeOwned>(
    host: &str,
) -> Result<O, String> {
    let mut sent = parse(host).map_err(|e| format!("the host's options: {e}"))?;
    let known = serde_json::to_value(O::default()).map_err(|e| format!("default options: {e}"))?;
    if let Value::Object(known) = &known {
        sent.retain(|key, _| known.contains_key(key));
    }
    serde_json::from_value(merge(known, Value::Object(sent)))
        .map_err(|e| format!("the host's options: {e}"))
}

/// Returns a JSON Schema of the config, derived from the preset's values: types and defaults, but
/// no ranges. Returns `None` if there are no keys.
pub(crate) fn schema<C: Config>(preset: &C) -> Option<String> {
    match serde_json::to_value(preset).ok()? {
        Value::Object(keys) if keys.is_empty() => None,
        preset @ Value::Object(_) => Some(schema_of(&preset).to_string()),
        _ => None,
    }
}

fn parse(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text).map_err(|e| format!("not JSON ({e})"))? {
        Value::Object(keys) => Ok(keys),
        Value::Null => Ok(Map::new()),
        other => Err(format!("expected keys with values, got `{other}`")),
    }
}

fn merge(base: Value, over: Value) -> Value {
    match (base, over) {
        (Value::Object(mut base), Value::Object(over)) if !is_other_variant(&base, &over) => {
            for (key, value) in over {
                let merged = match base.remove(&key) {
                    Some(old) => merge(old, value),
                    None => value,
                };
                base.insert(key, merged);
            }
            Value::Object(base)
        }
        (_, over) => over,
    }
}

/// Returns `true` if both look like enum variants with contents, and the variants differ, as in
/// `{"a": …}` and `{"b": …}`. The second then replaces the first.
fn is_other_variant(base: &Map<String, Value>, over: &Map<String, Value>) -> bool {
    base.len() == 1 && over.len() == 1 && base.keys().ne(over.keys())
}

fn read_strictly<C: DeserializeOwned>(merged: &Value) -> Result<C, String> {
    let mut unknown = None;
    let mut track = serde_path_to_error::Track::new();
    let located = serde_path_to_error::Deserializer::new(merged, &mut track);
    let read = serde_ignored::deserialize(located, |path| {
        unknown.get_or_insert_with(|| path.to_string());
    });
    let config = read.map_err(|e| match track.path().to_string().as_str() {
        "." => e.to_string(),
        path => format!("`{path}`: {e}"),
    })?;
    match unknown {
        None => Ok(config),
        Some(path) => Err(unknown_key(merged, &path)),
    }
}

fn unknown_key(merged: &Value, path: &str) -> String {
    let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
    let parent = parent
        .split('.')
        .filter(|step| !step.is_empty())
        .try_fold(merged, |value, step| value.get(step));
    let keys = parent
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys);
    let valid: Vec<&str> = keys
        .map(String::as_str)
        .filter(|&known| known != key)
        .collect();
    match valid.as_slice() {
        [] => format!("unknown key `{path}`; there are no settings"),
        valid => format!("unknown key `{path}`; keys are {}", valid.join(", ")),
    }
}

fn schema_of(value: &Value) -> Value {
    let kind = match value {
        Value::Null => return json!({ "default": null }),
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(keys) => {
            let properties: Map<String, Value> = keys
                .iter()
                .map(|(key, v)| (key.clone(), schema_of(v)))
                .collect();
            return json!({ "type": "object", "properties": properties, "additionalProperties": false });
        }
    };
    json!({ "type": kind, "default": value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Inner {
        depth: u32,
        width: u32,
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        #[default]
        Plain,
        Sampled {
            samples: u32,
        },
        Fixed {
            value: u32,
        },
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Demo {
        bold: bool,
        share: f64,
        inner: Inner,
        mode: Mode,
        cap: Option<u32>,
    }

    fn preset() -> Demo {
        let inner = Inner { depth: 3, width: 4 };
        Demo {
            bold: true,
            share: 0.5,
            inner,
            mode: Mode::Sampled { samples: 10 },
            cap: None,
        }
    }

    fn check_refused(league: &str, expected: &str) {
        assert_eq!(
            merge_config(preset(), league).unwrap_err(),
            expected,
            "{league}"
        );
    }

    #[test]
    fn an_empty_config_leaves_the_preset_unchanged() {
        for league in ["", "  ", "{}", "null"] {
            assert_eq!(merge_config(preset(), league), Ok(preset()), "{league:?}");
        }
    }

    #[test]
    fn league_keys_override_the_preset() {
        let set = merge_config(
            preset(),
            r#"{"bold": false, "inner": {"width": 9}, "cap": 7}"#,
        )
        .unwrap();
        assert_eq!(
            set,
            Demo {
                bold: false,
                inner: Inner { depth: 3, width: 9 },
                cap: Some(7),
                ..preset()
            }
        );
        let variant = merge_config(preset(), r#"{"mode": {"fixed": {"value": 1}}}"#).unwrap();
        assert_eq!(variant.mode, Mode::Fixed { value: 1 });
        let plain = merge_config(preset(), r#"{"mode": "plain"}"#).unwrap();
        assert_eq!(plain.mode, Mode::Plain);
    }

    #[test]
    fn errors_name_the_invalid_key_and_the_valid_values() {
        check_refused(
            r#"{"bald": 1}"#,
            "unknown key `bald`; keys are bold, cap, inner, mode, share",
        );
        check_refused(
            r#"{"inner": {"hight": 1}}"#,
            "unknown key `inner.hight`; keys are depth, width",
        );
        check_refused(
            r#"{"inner": {"width": -1}}"#,
            "`inner.width`: invalid value: integer `-1`, expected u32",
        );
        check_refused(
            r#"{"bold": "yes"}"#,
            "`bold`: invalid type: string \"yes\", expected a boolean",
        );
        check_refused("[1]", "expected keys with values, got `[1]`");
        assert!(
            merge_config(preset(), "{")
                .unwrap_err()
                .starts_with("not JSON (")
        );
        let mode = merge_config(preset(), r#"{"mode": "fast"}"#).unwrap_err();
        assert_eq!(
            mode,
            "`mode`: unknown variant `fast`, expected one of `plain`, `sampled`, `fixed`"
        );
    }

    #[test]
    fn a_bot_without_settings_refuses_every_key() {
        assert_eq!(merge_config(NoConfig {}, "{}"), Ok(NoConfig {}));
        assert_eq!(
            merge_config(NoConfig {}, r#"{"a": 1}"#).unwrap_err(),
            "unknown key `a`; there are no settings"
        );
        assert_eq!(schema(&NoConfig {}), None);
    }

    #[test]
    fn the_schema_contains_types_and_defaults() {
        let schema: Value = serde_json::from_str(&schema(&preset()).unwrap()).unwrap();
        assert_eq!(
            schema["properties"]["bold"],
            json!({ "type": "boolean", "default": true })
        );
        assert_eq!(
            schema["properties"]["inner"]["properties"]["depth"],
            json!({ "type": "integer", "default": 3 })
        );
        assert_eq!(schema["properties"]["share"]["type"], "number");
        assert_eq!(schema["additionalProperties"], false);
    }

    #[test]
    fn unknown_options_of_a_newer_host_are_ignored() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Options {
            lock: bool,
            reset: u32,
        }
        impl Default for Options {
            fn default() -> Self {
                Options {
                    lock: true,
                    reset: 100,
                }
            }
        }
        let read = read_options::<Options>(r#"{"lock": false, "later": 1}"#);
        assert_eq!(
            read,
            Ok(Options {
                lock: false,
                reset: 100
            })
        );
        assert!(
            read_options::<Options>("{")
                .unwrap_err()
                .starts_with("the host's options: not JSON")
        );
        assert!(read_options::<Options>(r#"{"reset": -1}"#).is_err());
    }
}
