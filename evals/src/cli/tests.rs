use clap::CommandFactory as _;

use super::Arguments;

#[test]
fn every_verb_and_flag_fits_with_the_others() {
    Arguments::command().debug_assert();
}
