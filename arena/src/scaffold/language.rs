//! Programming languages of new bots.

/// The programming language of a new bot.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(crate) enum Language {
    /// A script, which needs no build
    Lua,
    /// A package without unsafe code, built with cargo
    Rust,
    /// One file, built by any C compiler
    C,
    /// A Python program that needs only the standard library
    Python,
    /// A Node.js program without packages
    Node,
    /// A Go program that needs only the standard library
    Go,
    /// A Java program (17 or newer) that needs only the standard library
    Java,
}

impl Language {
    /// Returns `true` if the bots of the language are programs, which must be trusted.
    #[must_use]
    pub(crate) fn is_program(self) -> bool {
        matches!(
            self,
            Language::Python | Language::Node | Language::Go | Language::Java
        )
    }

    /// Returns the display name of the language.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::Lua => "Lua",
            Language::Rust => "Rust",
            Language::C => "C",
            Language::Python => "Python",
            Language::Node => "JavaScript",
            Language::Go => "Go",
            Language::Java => "Java",
        }
    }
}
