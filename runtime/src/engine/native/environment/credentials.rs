//! The variables that hold credentials of providers that are known here. No setting lets one of them through.

/// Names, in capitals.
const NAMES: [&str; 75] = [
    "AI21_API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_TOKEN",
    "ANYSCALE_API_KEY",
    "ARCEEAI_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "BRAVE_API_KEY",
    "BRAVE_SEARCH_API_KEY",
    "BROWSERBASE_API_KEY",
    "BROWSER_USE_API_KEY",
    "CEREBRAS_API_KEY",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "COHERE_API_KEY",
    "COPILOT_GITHUB_TOKEN",
    "DASHSCOPE_API_KEY",
    "DAYTONA_API_KEY",
    "DEEPGRAM_API_KEY",
    "DEEPSEEK_API_KEY",
    "DISCORD_BOT_TOKEN",
    "ELEVENLABS_API_KEY",
    "EXA_API_KEY",
    "FAL_KEY",
    "FIRECRAWL_API_KEY",
    "FIREWORKS_API_KEY",
    "GEMINI_API_KEY",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GLM_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GROQ_API_KEY",
    "HF_TOKEN",
    "HONCHO_API_KEY",
    "HUGGINGFACE_API_KEY",
    "HUGGING_FACE_HUB_TOKEN",
    "KILOCODE_API_KEY",
    "KIMI_API_KEY",
    "LINEAR_API_KEY",
    "MATRIX_ACCESS_TOKEN",
    "MEM0_API_KEY",
    "MINIMAX_API_KEY",
    "MISTRAL_API_KEY",
    "MODAL_TOKEN_ID",
    "MODAL_TOKEN_SECRET",
    "MOONSHOT_API_KEY",
    "NOUS_API_KEY",
    "NOVITA_API_KEY",
    "NVIDIA_API_KEY",
    "OLLAMA_API_KEY",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_ORG_ID",
    "OPENCODE_GO_API_KEY",
    "OPENCODE_ZEN_API_KEY",
    "OPENROUTER_API_KEY",
    "PARALLEL_API_KEY",
    "PERPLEXITY_API_KEY",
    "REPLICATE_API_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_BOT_TOKEN",
    "STEPFUN_API_KEY",
    "SUDO_PASSWORD",
    "TAVILY_API_KEY",
    "TELEGRAM_BOT_TOKEN",
    "TOGETHER_API_KEY",
    "VERCEL_TOKEN",
    "XAI_API_KEY",
    "ZAI_API_KEY",
];

/// Beginnings and ends of further names.
const PATTERNS: [(&str, &str); 5] = [
    ("AUXILIARY_", "_API_KEY"),
    ("AUXILIARY_", "_BASE_URL"),
    ("GATEWAY_RELAY_", "SECRET"),
    ("GATEWAY_RELAY_", "KEY"),
    ("GATEWAY_RELAY_", "TOKEN"),
];

/// Returns whether a variable, its name in capitals, belongs to a known provider.
pub(super) fn is_known(name: &str) -> bool {
    let fits = |(start, end): &(&str, &str)| {
        name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
    };
    NAMES.binary_search(&name).is_ok() || PATTERNS.iter().any(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_so_that_they_can_be_searched() {
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn names_and_patterns_are_known_and_other_names_are_not() {
        for name in [
            "OPENAI_API_KEY",
            "AUXILIARY_VISION_API_KEY",
            "AUXILIARY_WEB_BASE_URL",
            "GATEWAY_RELAY_X_TOKEN",
            "GATEWAY_RELAY_TOKEN",
            "BRAVE_SEARCH_API_KEY",
        ] {
            assert!(is_known(name), "{name}");
        }
        for name in ["MY_API_KEY", "AUXILIARY_API_KEY", "GATEWAY_RELAY_X", "PATH"] {
            assert!(!is_known(name), "{name}");
        }
    }
}
