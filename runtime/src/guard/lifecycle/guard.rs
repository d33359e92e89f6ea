//! The guard around the scan: whether it concerns this process at all, and how long all of it may take.

use std::env;
use std::future::Future;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::super::host::Gateway;
use super::super::refusal::Refusal;
use super::scan::{Protected, finding};
use super::supervision::Facts;

/// Shortest time that the guard has; a cell that may take longer gives it more.
const MIN_LIMIT: Duration = Duration::from_secs(30);

/// Refuses a script that would end the gateway, if this process is one and supervised.
pub(crate) async fn check(
    gateway: &Gateway,
    code: &str,
    cell_timeout: Duration,
) -> Result<(), Refusal> {
    let (gateway, code) = (gateway.clone(), code.to_owned());
    let probe = spawn_blocking(move || refusal(&gateway, &code));
    // A probe that panics has not told that the script is harmless.
    let found = bounded(cell_timeout, probe).await?.ok();
    match found {
        Some(None) => Ok(()),
        Some(Some(refusal)) => Err(refusal),
        None => Err(wedged(cell_timeout)),
    }
}

fn refusal(gateway: &Gateway, code: &str) -> Option<Refusal> {
    let facts = Facts::of(gateway, std::process::id(), |name| env::var_os(name));
    if !facts.is_supervised() {
        return None;
    }
    let program = env::current_exe().ok();
    let protected = Protected {
        profile: gateway.profile.as_deref(),
        program: program.as_ref().and_then(|path| path.to_str()),
    };
    finding(code, protected)
}

/// Waits for the probe as long as the cell may take, and for half a minute at least.
async fn bounded<T>(cell_timeout: Duration, probe: impl Future<Output = T>) -> Result<T, Refusal> {
    let limit = cell_timeout.max(MIN_LIMIT);
    timeout(limit, probe)
        .await
        .map_err(|_| wedged(cell_timeout))
}

fn wedged(cell_timeout: Duration) -> Refusal {
    Refusal::ProbeWedged {
        limit: cell_timeout.max(MIN_LIMIT),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::future::pending;

    use super::*;

    const ENDING: &str = "os.system('hermes gateway stop')";
    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn only_a_supervised_gateway_is_guarded() {
        let place = tempfile::tempdir().unwrap();
        let mut gateway = Gateway::new(place.path().join("gateway.pid"));
        for (process, is_managed, expected) in [
            (std::process::id(), true, Err(Refusal::GatewayLifecycle)),
            (std::process::id(), false, Ok(())),
            (1, true, Ok(())),
        ] {
            std::fs::write(&gateway.pid_file, process.to_string()).unwrap();
            gateway.is_managed = Some(is_managed);
            assert_eq!(check(&gateway, ENDING, SECOND).await, expected);
            assert_eq!(check(&gateway, "print(1)", SECOND).await, Ok(()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_without_an_end_is_given_up() {
        for (seconds, told) in [(1, "30s"), (30, "30s"), (300, "300s")] {
            let began = tokio::time::Instant::now();
            let refusal = bounded(Duration::from_secs(seconds), pending::<()>()).await;
            let message = refusal.unwrap_err().to_string();
            assert_eq!(
                message,
                format!(
                    "execute_code lifecycle guard did not finish within {told} (process-identity probe wedged); the code was not run. Retry the call."
                )
            );
            assert_eq!(began.elapsed().as_secs(), seconds.max(30));
        }
    }
}
