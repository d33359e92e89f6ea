//! The processes of one command on Windows: a job, which nothing that is started in it leaves.
//!
//! The system ends them all when the last handle on the job is closed, also where this process is killed.

use std::io;
use std::time::Duration;

use tokio::process::Child;
use win32job::{ExtendedLimitInfo, Job};

/// The processes of one command.
#[derive(Debug)]
pub(super) struct Processes {
    job: Option<Job>,
}

impl Processes {
    /// Puts a leader that has started nothing yet into a job of its own.
    pub(super) fn of(leader: &Child) -> io::Result<Self> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let handle = leader.raw_handle().ok_or(io::ErrorKind::NotFound)?;
        job.assign_process(handle.addr().cast_signed())
            .map_err(io::Error::other)?;
        Ok(Self { job: Some(job) })
    }

    /// Does nothing: the system has no polite signal for a process without a console.
    #[expect(clippy::unused_self, reason = "elsewhere there is a grace")]
    pub(super) fn set_grace(&mut self, _: Duration) {}

    /// Does nothing: the leader is not known here.
    #[expect(clippy::unused_self, reason = "elsewhere there is patience")]
    pub(super) fn set_patience(&mut self, _: Duration) {}

    /// Ends them, at once.
    pub(super) fn end(&mut self, _: &mut dyn FnMut() -> bool) {
        drop(self.job.take());
    }
}
