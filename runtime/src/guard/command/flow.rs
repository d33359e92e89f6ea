//! What flows from one program of a command line to another: through pipes, and out of and into substitutions.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::program::Program;
use super::simple::Simple;
use super::sources::Sources;

/// Bytes of literal text that shells are fed with; each of them may get the same text.
const MAX_FED_BYTES: usize = 4 << 20;

/// What the stages of a pipeline have written so far.
#[derive(Debug, Clone, Copy)]
struct Flow {
    sources: Sources,
    /// Number of texts that were written before it.
    first_text: usize,
}

/// Finds the programs, and what feeds each of them: the earlier stages of its pipeline, and its substitutions.
///
/// Tells, too, whether they are fed with more than was looked at.
pub(super) fn programs(commands: Vec<Simple>) -> (Vec<Program>, bool) {
    let mut flows: HashMap<usize, Flow> = HashMap::new();
    let mut everything = Sources::default();
    let mut feeder = Feeder::default();
    let mut programs: Vec<Program> = Vec::with_capacity(commands.len());
    for mut simple in commands {
        let flow = flows.entry(simple.stage.pipeline).or_insert(Flow {
            sources: Sources::default(),
            first_text: feeder.texts.len(),
        });
        let inner = programs.get(simple.inner.clone()).unwrap_or_default();
        let sources = inner.iter().fold(Sources::default(), |all, program| {
            all | program.source | program.inner
        });
        let inner_text = feeder.first_text_of(&simple.inner);
        let readers = std::mem::take(&mut simple.readers);
        let mut program = Program::of(simple, sources, flow.sources);
        feeder.starts.push(feeder.texts.len());
        if program.has_substituted_code() {
            feeder.feed(&mut program, inner_text);
        }
        let first_text = flow.first_text;
        if program.stage.is_piped && (program.reads_program() || program.is_shell()) {
            feeder.feed(&mut program, first_text);
        }
        feeder.texts.extend(program.printed());
        everything |= program.source;
        let (written, first_text) = if program.closes_group {
            // Behind the end of a group flows what every command of the group wrote.
            (everything, 0)
        } else {
            (program.source, first_text)
        };
        flow.sources |= written;
        flow.first_text = first_text;
        for reader in readers {
            for reader in programs.get_mut(reader).unwrap_or_default() {
                reader.upstream |= written | program.upstream;
                if reader.stage.is_piped && reader.is_shell() {
                    feeder.feed(reader, first_text);
                }
            }
        }
        programs.push(program);
    }
    (programs, feeder.has_more)
}

/// The literal texts that the programs of a line write.
#[derive(Debug, Default)]
struct Feeder {
    texts: Vec<String>,
    /// For each program, how many texts were written before it.
    starts: Vec<usize>,
    fed_bytes: usize,
    /// Whether there were more texts than are fed.
    has_more: bool,
}

impl Feeder {
    /// Returns the number of the first text that these programs write.
    fn first_text_of(&self, programs: &Range<usize>) -> usize {
        let start = self.starts.get(programs.start).copied();
        start
            .filter(|_| !programs.is_empty())
            .unwrap_or(self.texts.len())
    }

    /// Gives a program the texts from that one on.
    fn feed(&mut self, program: &mut Program, first: usize) {
        let texts = self.texts.get(first..).unwrap_or_default();
        if texts.is_empty() || self.has_more {
            return;
        }
        // An empty text costs something, too.
        self.fed_bytes += texts.iter().map(|text| text.len() + 1).sum::<usize>();
        if self.fed_bytes > MAX_FED_BYTES {
            self.has_more = true;
            return;
        }
        Arc::make_mut(&mut program.fed).extend_from_slice(texts);
    }
}
