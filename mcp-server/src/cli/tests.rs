//! The command line, read.

use clap::CommandFactory as _;

use super::*;

#[test]
fn the_command_line_is_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn every_command_and_flag_says_what_it_does() {
    fn check(command: &clap::Command) {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        // The comment of an arguments' struct steps in where a command has none of its own.
        let is_told = !about.is_empty() && !about.starts_with("The arguments of");
        assert!(is_told, "{}: {about:?}", command.get_name());
        for argument in command.get_arguments() {
            let help = argument
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                !help.is_empty(),
                "{} {}",
                command.get_name(),
                argument.get_id()
            );
        }
        command.get_subcommands().for_each(check);
    }
    check(&Arguments::command());
}
