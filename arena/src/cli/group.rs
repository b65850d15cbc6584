//! Macros that declare commands. A command is a module with `Arguments` and `main`, and belongs to
//! a group.

/// Declares a group of commands: their modules, the enum `Command` of the group, and its method
/// `run`. The help text of a command is the first paragraph of the documentation of its
/// `Arguments`.
macro_rules! commands {
    ($($(#[$about:meta])* $module:ident),+ $(,)?) => {
        $(mod $module;)+

        #[derive(clap::Subcommand, Debug)]
        #[expect(non_camel_case_types, reason = "a command has the name of its module")]
        enum Command {
            $($(#[$about])* $module($module::Arguments),)+
        }

        impl Command {
            /// Runs the command.
            fn run(&self) -> hattari_study::CommandResult {
                match self {
                    $(Command::$module(arguments) => $module::main(arguments),)+
                }
            }
        }
    };
}

/// Declares the commands of the program, and `GROUPS` with the headings of the help text and the
/// commands under them.
macro_rules! grouped_commands {
    ($($heading:literal { $($module:ident),+ })+ hidden { $hidden:ident }) => {
        $crate::cli::group::commands! {
            $($($module,)+)+
            #[command(hide = true)]
            $hidden
        }

        /// The commands by heading, in the order of `hattari --help`.
        const GROUPS: &[(&str, &[&str])] = &[$(($heading, &[$(stringify!($module)),+])),+];
    };
}

/// Declares a command that is a group of other commands.
macro_rules! group {
    ($(#[$about:meta])* { $($commands:tt)+ }) => {
        $crate::cli::group::commands! { $($commands)+ }

        $(#[$about])*
        #[derive(clap::Args, Debug)]
        pub(super) struct Arguments {
            #[command(subcommand)]
            command: Command,
        }

        /// Runs the command.
        pub(super) fn main(arguments: &Arguments) -> hattari_study::CommandResult {
            arguments.command.run()
        }
    };
}

pub(super) use {commands, group, grouped_commands};
