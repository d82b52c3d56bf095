//! The official SDK's clients, as users' programs have them: `tests/python/sdk_clients.py`.

use std::path::Path;

use palimpsest_tests::{Home, Repository, program, skipped};

#[test]
fn the_official_clients_list_the_tools_and_call_each() {
    let Some(python) = std::env::var_os("TEST_PALIMPSEST_PYTHON") else {
        let why = "TEST_PALIMPSEST_PYTHON names no Python with tests/requirements.txt; tests/run makes one";
        return skipped("the_official_clients_list_the_tools_and_call_each", why);
    };
    let home = Home::new();
    let script = Repository::here()
        .root()
        .join("tests/python/sdk_clients.py");
    let output = home
        .command(Path::new(&python))
        .arg(script)
        .arg(program())
        .arg(home.memory())
        .output()
        .expect("Python can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    assert_eq!(
        said.lines().last(),
        Some("4 clients called 5 tools each"),
        "{complaint}"
    );
}
