//! `hermes-exec schema`: the tool `execute_code` as a model is told of it.

use clap::Args;
use hermes_runtime::execute_code_schema;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::CellOptions;
use crate::streams;

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    #[command(flatten)]
    options: CellOptions,
}

/// Prints the schema for cells with these options, as JSON with indentation.
pub(super) fn run(arguments: SchemaArguments) -> Result<Exit, Failure> {
    let request = arguments.options.schema()?;
    let schema = execute_code_schema(&request);
    streams::print(&format!("{schema:#}\n")).map_err(Failure::to("write the output"))?;
    Ok(Exit::Success)
}
