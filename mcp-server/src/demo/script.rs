//! What is shown, step by step, and what each step must bring.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Error;
use super::client::Client;
use super::conversation::{Around, Conversation, Question, Told, Way};
use crate::cli::structure::{count, list, text};
use crate::cli::{Printer, print_edge, print_hit};

const VECTOR_LIMIT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The hits that are shown of each answer.
const N_SHOWN: usize = 2;

/// Shows everything.
pub(super) async fn show(
    client: &Client,
    conversation: &Conversation,
    folder: &Path,
    printer: &mut Printer,
) -> Result<(), Error> {
    printer.paragraph(&format!(
        "A server is running, with a memory of its own in {} (removed at the end); \
         we speak MCP {} with it.",
        folder.display(),
        client.protocol(),
    ))?;
    let mut shown = Shown {
        client,
        printer,
        ids: BTreeMap::new(),
    };
    shown.remember_all(&conversation.memories).await?;
    let questions = &conversation.questions;
    shown.recall_by_meaning(&questions.by_meaning).await?;
    shown.recall_by_keyword(&questions.by_keyword).await?;
    let before = shown.wait_for_vectors().await?;
    shown.forget(conversation, &before).await?;
    shown
        .supersede(&conversation.later, &questions.superseded, &before)
        .await?;
    shown.neighbors(&questions.neighbors).await?;
    shown.path(&questions.path).await
}

/// The one line that adds the server to a client.
pub(super) fn say_goodbye(program: &Path, printer: &mut Printer) -> Result<(), Error> {
    let program = program.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    let program = if program.chars().all(is_plain) {
        program
    } else {
        format!("'{}'", program.replace('\'', r"'\''"))
    };
    printer.gap()?;
    printer.paragraph("All of it came as it should. To give Claude Code this memory:")?;
    printer.verbatim(&format!("claude mcp add palimpsest -- {program} serve"))?;
    Ok(printer.flush()?)
}

struct Shown<'a> {
    client: &'a Client,
    printer: &'a mut Printer,
    /// The server's id of each memory, by our key.
    ids: BTreeMap<String, String>,
}

impl Shown<'_> {
    async fn remember_all(&mut self, memories: &[Told]) -> Result<(), Error> {
        self.heading(&format!(
            "remember: {} things from a conversation",
            memories.len()
        ))?;
        for told in memories {
            self.remember("remember", told, "stored").await?;
            let label = format!("{:>4}  ", self.ids[&told.key]);
            self.printer.hanging(&label, &told.text)?;
        }
        self.wait_for_vectors().await?;
        self.printer.aside(
            6,
            "kept on disk at once; each can be found by its meaning now, too",
        )?;
        Ok(self.printer.flush()?)
    }

    async fn recall_by_meaning(&mut self, question: &Question) -> Result<(), Error> {
        const STEP: &str = "recall by meaning";
        self.heading(&format!("recall by meaning: {:?}", question.query))?;
        let answer = self.recall(json!({ "query": question.query })).await?;
        self.expect_first(STEP, &answer, &question.expect)?;
        self.show_hits(&answer)?;
        self.printer.aside(
            6,
            "the question and the first answer have no word in common",
        )?;
        Ok(self.printer.flush()?)
    }

    async fn recall_by_keyword(&mut self, question: &Question) -> Result<(), Error> {
        const STEP: &str = "recall by keyword";
        self.heading(&format!("recall by keyword: {:?}", question.query))?;
        let arguments = json!({ "query": question.query, "mode": "keyword" });
        let answer = self.recall(arguments).await?;
        self.expect_first(STEP, &answer, &question.expect)?;
        self.show_hits(&answer)
    }

    async fn forget(&mut self, conversation: &Conversation, before: &str) -> Result<(), Error> {
        const STEP: &str = "forget";
        let retired = &conversation.forget;
        let question = &conversation.questions.forgotten;
        let id = self.id_of(&retired.key);
        self.heading(&format!("forget: {id}, because {}", retired.reason))?;
        let arguments = json!({ "ids": [id], "reason": retired.reason });
        let answer = self.client.call("forget", object(arguments)).await?;
        expect(
            STEP,
            &format!("[{id:?}] retired"),
            &answer["retired"],
            |ids| *ids == json!([id]),
        )?;

        let answer = self.recall(json!({ "query": question.query })).await?;
        let came = ids_of(&answer);
        expect(STEP, &format!("no memory {id} now"), &came, |ids| {
            !ids.contains(&id)
        })?;
        self.printer
            .paragraph(&format!("now, {:?} finds no memory {id};", question.query))?;

        let arguments = json!({ "query": question.query, "known_at": before });
        let answer = self.recall(arguments).await?;
        self.expect_first(STEP, &answer, &question.expect)?;
        self.printer
            .paragraph("asked what was known a moment before, it is still there:")?;
        self.show_hits(&answer)
    }

    async fn supersede(
        &mut self,
        told: &Told,
        question: &Question,
        before: &str,
    ) -> Result<(), Error> {
        const STEP: &str = "supersede";
        self.heading("supersede: a newer text under the same topic")?;
        let answer = self.remember(STEP, told, "superseded").await?;
        let old = self.id_of(&question.expect);
        let superseded = &list(&answer, "items")[0]["superseded"];
        expect(STEP, &format!("[{old:?}] superseded"), superseded, |ids| {
            *ids == json!([old])
        })?;
        self.wait_for_vectors().await?;

        let answer = self.recall(json!({ "query": question.query })).await?;
        self.expect_first(STEP, &answer, &told.key)?;
        let came = ids_of(&answer);
        expect(STEP, &format!("no memory {old} now"), &came, |ids| {
            !ids.contains(&old)
        })?;
        self.printer
            .paragraph(&format!("{:?}, asked now:", question.query))?;
        self.show_hits(&answer)?;

        let arguments = json!({ "query": question.query, "known_at": before });
        let answer = self.recall(arguments).await?;
        self.expect_first(STEP, &answer, &question.expect)?;
        self.printer.paragraph("and as it was known before:")?;
        self.show_hits(&answer)
    }

    async fn neighbors(&mut self, question: &Around) -> Result<(), Error> {
        const STEP: &str = "graph neighbors";
        self.heading(&format!("graph: what is around {}", question.about))?;
        let arguments = json!({ "about": question.about, "view": "neighbors" });
        let answer = self.client.call("graph", object(arguments)).await?;
        let edges = list(&answer, "edges");
        let ends = edges
            .iter()
            .flat_map(|edge| [text(edge, "from"), text(edge, "to")]);
        let ends: Vec<&str> = ends.collect();
        for name in &question.expect {
            expect(STEP, &format!("{name:?} beside it"), &ends, |ends| {
                ends.contains(&&**name)
            })?;
        }
        self.show_edges(edges)
    }

    async fn path(&mut self, question: &Way) -> Result<(), Error> {
        const STEP: &str = "graph path";
        self.heading(&format!(
            "graph: from {} to {}",
            question.about, question.to
        ))?;
        let arguments = json!({ "about": question.about, "to": question.to, "view": "path" });
        let answer = self.client.call("graph", object(arguments)).await?;
        let edges = list(&answer, "edges");
        let way = walk(&question.about, edges);
        let expected = question.expect.join(" - ");
        expect(STEP, &expected, &way.join(" - "), |way| *way == expected)?;
        self.show_edges(edges)
    }

    /// Tells one memory, checks what was decided, and keeps its id.
    async fn remember(
        &mut self,
        step: &'static str,
        told: &Told,
        decision: &str,
    ) -> Result<Value, Error> {
        let answer = self.client.call("remember", object(told)).await?;
        let items = list(&answer, "items");
        let decided = items
            .first()
            .map_or("nothing", |item| text(item, "decision"));
        expect(
            step,
            &format!("{decision:?} for {:?}", told.text),
            &decided,
            |decided| *decided == decision,
        )?;
        self.ids
            .insert(told.key.clone(), text(&items[0], "id").to_owned());
        Ok(answer)
    }

    async fn recall(&self, arguments: Value) -> Result<Value, Error> {
        self.client.call("recall", object(arguments)).await
    }

    /// Waits until every memory has its vector; the time of the snapshot in which they have.
    async fn wait_for_vectors(&self) -> Result<String, Error> {
        let started = Instant::now();
        loop {
            let arguments = object(json!({ "action": "status" }));
            let status = self.client.call("maintain", arguments).await?;
            let n_waiting = count(&status, "without_vector");
            if n_waiting == 0 && text(&status["model"], "state") == "ready" {
                return Ok(text(&status, "at").to_owned());
            }
            if started.elapsed() > VECTOR_LIMIT {
                let limit = VECTOR_LIMIT;
                return Err(Error::NoVectors { n_waiting, limit });
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn expect_first(&self, step: &'static str, answer: &Value, key: &str) -> Result<(), Error> {
        let id = self.id_of(key);
        let expected = format!("memory {id} ({key}) first");
        expect(step, &expected, &ids_of(answer), |ids| {
            ids.first() == Some(&id)
        })
    }

    fn id_of(&self, key: &str) -> String {
        self.ids.get(key).cloned().unwrap_or_default()
    }

    fn heading(&mut self, title: &str) -> Result<(), Error> {
        self.printer.gap()?;
        Ok(self.printer.heading(title)?)
    }

    fn show_hits(&mut self, answer: &Value) -> Result<(), Error> {
        for hit in list(answer, "hits").iter().take(N_SHOWN) {
            print_hit(hit, self.printer)?;
        }
        Ok(self.printer.flush()?)
    }

    fn show_edges(&mut self, edges: &[Value]) -> Result<(), Error> {
        for edge in edges {
            print_edge(edge, self.printer)?;
        }
        Ok(self.printer.flush()?)
    }
}

/// The names on the way along `edges`, which may be walked against their direction.
fn walk(start: &str, edges: &[Value]) -> Vec<String> {
    let mut way = vec![start.to_owned()];
    for edge in edges {
        let (from, to) = (text(edge, "from"), text(edge, "to"));
        let is_here = way.last().is_some_and(|here| here == from);
        way.push(if is_here { to } else { from }.to_owned());
    }
    way
}

fn ids_of(answer: &Value) -> Vec<String> {
    let hits = list(answer, "hits").iter();
    hits.map(|hit| text(hit, "id").to_owned()).collect()
}

fn object(arguments: impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(map)) => map,
        other => unreachable!("arguments are objects, not {other:?}"),
    }
}

fn expect<T: std::fmt::Debug + ?Sized>(
    step: &'static str,
    expected: &str,
    found: &T,
    holds: impl FnOnce(&T) -> bool,
) -> Result<(), Error> {
    if holds(found) {
        return Ok(());
    }
    Err(Error::Unexpected {
        step,
        expected: expected.to_owned(),
        found: format!("{found:?}"),
    })
}
