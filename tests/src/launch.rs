//! How a server is started: its home, its model, its arguments, its environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Era, Home, Server};

/// A server that is not started yet.
#[derive(Debug)]
pub struct Launch<'a> {
    home: &'a Home,
    program: PathBuf,
    shell: Option<String>,
    memory: PathBuf,
    model: Option<PathBuf>,
    arguments: Vec<OsString>,
    variables: Vec<(String, OsString)>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(home: &'a Home, program: &Path) -> Self {
        Self {
            home,
            program: program.to_path_buf(),
            shell: None,
            memory: home.memory(),
            model: None,
            arguments: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// On a memory that lies elsewhere.
    #[must_use]
    pub fn memory(mut self, path: &Path) -> Self {
        self.memory = path.to_path_buf();
        self
    }

    /// With a model. Without this there is none.
    #[must_use]
    pub fn model(mut self, folder: &Path) -> Self {
        self.model = Some(folder.to_path_buf());
        self
    }

    /// With one more argument of `serve`.
    #[must_use]
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// With one more environment variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Started by a shell that runs `preparation` first, and then becomes the server.
    #[must_use]
    pub fn prepared_by_shell(mut self, preparation: &str) -> Self {
        self.shell = Some(format!("{preparation}\nexec \"$0\" \"$@\""));
        self
    }

    /// The command that starts it.
    pub fn command(&self) -> Command {
        let mut command = match &self.shell {
            None => self.home.command(&self.program),
            Some(script) => {
                let mut shell = self.home.command(Path::new("bash"));
                shell.arg("-c").arg(script).arg(&self.program);
                shell
            }
        };
        command.arg("serve").arg("--memory").arg(&self.memory);
        command.args(&self.arguments);
        let variables = self.variables.iter();
        command.envs(variables.map(|(name, value)| (name, value)));
        if let Some(folder) = &self.model {
            command.arg("--model").arg(folder);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts it, without a word from the client.
    pub fn start(&self, era: Era) -> Server {
        Server::spawn(&mut self.command(), era)
    }

    /// Starts it and opens the session as a client of that era does.
    pub fn open(&self, era: Era) -> Server {
        let mut server = self.start(era);
        server.greet();
        server
    }
}
