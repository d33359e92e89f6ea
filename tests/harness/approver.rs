//! The user of a host, who is asked about scripts.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hermes_runtime::{Approval, ApprovalRequest, Approver};
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc};

/// A user who answers when the test says so.
#[derive(Debug, Clone)]
pub struct Human {
    /// Told when a prompt is open.
    pub prompted: Arc<Notify>,
    /// Told when a prompt is closed, answered or not.
    pub closed: Arc<Notify>,
    asked: Arc<Mutex<Vec<ApprovalRequest>>>,
    say: mpsc::UnboundedSender<Approval>,
    answers: Arc<AsyncMutex<mpsc::UnboundedReceiver<Approval>>>,
}

impl Human {
    /// Makes a user who gives these answers, and further ones as they are said.
    pub fn answering<const N: usize>(answers: [Approval; N]) -> Self {
        let (say, heard) = mpsc::unbounded_channel();
        let human = Self {
            prompted: Arc::default(),
            closed: Arc::default(),
            asked: Arc::default(),
            say,
            answers: Arc::new(AsyncMutex::new(heard)),
        };
        for answer in answers {
            human.says(answer);
        }
        human
    }

    /// Answers the prompt that is open, or the next.
    pub fn says(&self, answer: Approval) {
        self.say.send(answer).unwrap();
    }

    /// Returns what the user was asked so far.
    pub fn asked(&self) -> Vec<ApprovalRequest> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Approver for Human {
    async fn decide(&self, request: &ApprovalRequest) -> Approval {
        let _told = Closes(&self.closed);
        self.asked.lock().unwrap().push(request.clone());
        self.prompted.notify_one();
        self.answers.lock().await.recv().await.unwrap()
    }
}

struct Closes<'a>(&'a Notify);

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}
