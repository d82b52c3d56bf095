//! A client of rmcp's and our server, joined in one process, over a real memory on disk.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use palimpsest_memory::{Options, Settings, SystemClock};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientRequest, ListToolsRequest, ProtocolVersion,
};
use rmcp::service::RunningService;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tracing::level_filters::LevelFilter;

use super::McpServer;
use crate::mcp::{HangUp, LazyMemory, LineTransport};
use crate::serve::{OutputSchema, ServeOptions};

/// The two ways in which clients begin.
#[derive(Debug, Clone, Copy)]
enum Era {
    Initialize,
    Discover,
}

const ERAS: [Era; 2] = [Era::Initialize, Era::Discover];

type Client = RunningService<RoleClient, ()>;

fn serve(path: &Path, scope: &str) -> (tokio::io::DuplexStream, Arc<LazyMemory>) {
    let options = Options {
        path: path.to_owned(),
        model: None,
        lock_wait: Duration::from_secs(10),
        settings: Settings::default(),
    };
    let memory = Arc::new(LazyMemory::new(options, Arc::new(SystemClock)));
    let server = McpServer::new(
        Arc::clone(&memory),
        ServeOptions {
            scope: scope.to_owned(),
            output_schema: OutputSchema::Listed,
            log_level: LevelFilter::OFF,
        },
        TimeZone::UTC,
    );
    let (client, pipe) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(pipe);
    tokio::spawn(async move {
        let transport = LineTransport::new(read, write, HangUp::new());
        let running = server.serve(transport).await.expect("a session");
        running.waiting().await.expect("no panic");
    });
    (client, memory)
}

/// What a broken server would be waited for without an end.
async fn soon<T>(coming: impl Future<Output = T>) -> T {
    let coming = tokio::time::timeout(Duration::from_secs(60), coming);
    coming.await.expect("it comes within 60 s")
}

async fn connect(pipe: tokio::io::DuplexStream, era: Era) -> Client {
    let mode = match era {
        Era::Initialize => ClientLifecycleMode::Initialize,
        Era::Discover => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    };
    soon(().serve_with_lifecycle(pipe, mode))
        .await
        .expect("a session")
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let arguments = arguments.as_object().expect("an object").clone();
    let request = CallToolRequestParams::new(tool).with_arguments(arguments);
    soon(client.peer().call_tool(request))
        .await
        .expect("a result")
}

/// The structure of a call that was not refused; its text says the same.
async fn answer(client: &Client, tool: &'static str, arguments: Value) -> Value {
    let result = call(client, tool, arguments).await;
    assert_ne!(result.is_error, Some(true), "{result:?}");
    let text = text(&result);
    let structure = result.structured_content.expect("a structure");
    assert_eq!(
        serde_json::from_str::<Value>(&text).expect("JSON"),
        structure
    );
    structure
}

fn text(result: &CallToolResult) -> String {
    let first = result.content.first().expect("content");
    first.as_text().expect("a text").text.clone()
}

fn texts(recalled: &Value) -> Vec<&str> {
    let hits = recalled["hits"].as_array().expect("hits");
    hits.iter()
        .map(|hit| hit["text"].as_str().expect("a text"))
        .collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_eras_keep_find_relate_and_retire() {
    for era in ERAS {
        let folder = folder();
        let (pipe, _) = serve(&folder.path().join("memory.h5"), "user");
        let client = connect(pipe, era).await;
        let tools = client.list_all_tools().await.expect("tools");
        assert_eq!(tools.len(), 5, "{era:?}");

        let kept = answer(
            &client,
            "remember",
            json!({
                "text": "Ada Lovelace works at Acme in Lyon.",
                "relations": [{ "from": "Ada Lovelace", "relation": "works_at", "to": "Acme" }],
                "valid_from": "2026-05-01",
            }),
        )
        .await;
        assert_eq!(kept["items"][0]["decision"], "stored");
        assert_eq!(kept["scope"], "user");
        assert_eq!(kept["zone"], "UTC");
        let id = kept["items"][0]["id"].as_str().expect("an id").to_owned();

        let found = answer(&client, "recall", json!({ "query": "Lyon" })).await;
        assert_eq!(
            texts(&found),
            ["Ada Lovelace works at Acme in Lyon."],
            "{era:?}"
        );
        assert_eq!(found["hits"][0]["when"], "2026-05-01T00:00:00Z");

        let related = answer(&client, "graph", json!({ "about": "Ada Lovelace" })).await;
        assert_eq!(related["edges"][0]["to"], "Acme");
        assert_eq!(related["edges"][0]["memories"], json!([id]));

        let status = answer(&client, "maintain", json!({ "action": "status" })).await;
        assert_eq!(status["memories"], 1);

        let gone = answer(&client, "forget", json!({ "ids": [id, "999"] })).await;
        assert_eq!(
            (&gone["count"], &gone["not_found"]),
            (&json!(1), &json!(["999"]))
        );
        let found = answer(&client, "recall", json!({ "query": "Lyon" })).await;
        assert_eq!(texts(&found), Vec::<&str>::new());
        let before = found["at"].as_str().expect("a time");
        assert!(before.ends_with('Z'), "{before}");
        let known_at = kept["at"].clone();
        let before = answer(
            &client,
            "recall",
            json!({ "query": "Lyon", "known_at": known_at }),
        )
        .await;
        assert_eq!(texts(&before).len(), 1, "{era:?}");
        client.cancel().await.expect("ended");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_calls_in_flight_are_all_kept() {
    let folder = folder();
    let (pipe, _) = serve(&folder.path().join("memory.h5"), "user");
    let client = Arc::new(connect(pipe, Era::Discover).await);
    let calls: Vec<_> = (0..20)
        .map(|n| {
            let client = Arc::clone(&client);
            let text = format!("Warehouse number {n} stores the pallets of customer {n}.");
            tokio::spawn(async move { answer(&client, "remember", json!({ "text": text })).await })
        })
        .collect();
    let mut ids = std::collections::BTreeSet::new();
    for call in calls {
        let kept = call.await.expect("answered");
        ids.insert(kept["items"][0]["id"].as_str().expect("an id").to_owned());
    }
    assert_eq!(ids.len(), 20);
    let status = answer(&client, "maintain", json!({})).await;
    assert_eq!(status["memories"], 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recall_sees_its_scope_and_the_users_and_no_other() {
    let folder = folder();
    let (pipe, _) = serve(&folder.path().join("memory.h5"), "projekt-ä/1:2");
    let client = connect(pipe, Era::Initialize).await;
    let scopes = [None, Some("user"), Some("other")];
    for scope in scopes {
        let text = format!("The kettle of scope {} is copper.", scope.unwrap_or("own"));
        let mut arguments = json!({ "text": text });
        if let Some(scope) = scope {
            arguments["scope"] = json!(scope);
        }
        answer(&client, "remember", arguments).await;
    }
    let mut found = answer(&client, "recall", json!({ "query": "copper kettle" })).await;
    assert_eq!(found["scope"], "projekt-ä/1:2");
    assert_eq!(found["scopes"], json!(["projekt-ä/1:2", "user"]));
    let hits = found["hits"].as_array_mut().expect("hits");
    hits.sort_by_key(|hit| hit["id"].to_string());
    assert_eq!(
        texts(&found),
        [
            "The kettle of scope own is copper.",
            "The kettle of scope user is copper."
        ]
    );
    let gone = answer(&client, "forget", json!({ "ids": ["1", "2", "3"] })).await;
    assert_eq!(gone["retired"], json!(["1", "2"]));
    assert_eq!(gone["not_found"], json!(["3"]));
}

/// What cannot be opened is said in each call, and is opened once it can be.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_that_cannot_be_opened_is_tried_again_at_the_next_call() {
    let folder = folder();
    let blocked = folder.path().join("blocked");
    std::fs::write(&blocked, "a file where a folder must be").expect("written");
    let path = blocked.join("memory.h5");
    let (pipe, _) = serve(&path, "user");
    let client = connect(pipe, Era::Discover).await;
    let refused = call(&client, "maintain", json!({ "action": "status" })).await;
    assert_eq!(refused.is_error, Some(true));
    let said = text(&refused);
    assert!(said.contains(&path.display().to_string()), "{said}");

    std::fs::remove_file(&blocked).expect("removed");
    let status = answer(&client, "maintain", json!({ "action": "status" })).await;
    assert_eq!(status["memories"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_take_from_the_call_what_they_lack() {
    let folder = folder();
    let (pipe, _) = serve(&folder.path().join("memory.h5"), "user");
    let client = connect(pipe, Era::Initialize).await;
    let kept = answer(
        &client,
        "remember",
        json!({
            "items": [
                "The harbour office opens at seven.",
                { "text": "The ferry left at noon.", "kind": "event", "valid_from": "2026-02-01" },
            ],
            "tags": "harbour",
            "valid_from": "2026-01-01",
        }),
    )
    .await;
    assert_eq!(kept["items"].as_array().map(Vec::len), Some(2));
    let found = answer(
        &client,
        "recall",
        json!({ "tags": ["harbour"], "limit": "10" }),
    )
    .await;
    let mut told: Vec<_> = found["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| [&hit["kind"], &hit["when"]].map(|value| value.as_str().expect("a text")))
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            ["event", "2026-02-01T00:00:00Z"],
            ["fact", "2026-01-01T00:00:00Z"]
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_clients_may_keep_is_said_in_the_era_that_knows_it() {
    for era in ERAS {
        let folder = folder();
        let (pipe, _) = serve(&folder.path().join("memory.h5"), "user");
        let client = connect(pipe, era).await;
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::default());
        let listed = client.peer().send_request(request).await.expect("a list");
        let listed = serde_json::to_value(&listed).expect("JSON");
        match era {
            Era::Discover => {
                assert_eq!(listed["cacheScope"], "public");
                assert!(listed["ttlMs"].as_u64() > Some(0), "{listed}");
            }
            Era::Initialize => {
                assert!(listed.get("ttlMs").is_none() && listed.get("resultType").is_none());
            }
        }
    }
}
