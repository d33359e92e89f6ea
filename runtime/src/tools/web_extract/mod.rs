//! Web pages as text, for scripts.

mod charset;
mod html;
mod images;
mod item;
mod page;
mod reply;
mod store;
mod tool;
mod window;

pub(super) use tool::WebExtract;
