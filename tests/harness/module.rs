//! Reads the import section of a WebAssembly module: what a sandbox can reach.

/// Number of the import section.
const IMPORTS: u8 = 2;

/// Returns the imports of a module as `module.name`, in their order.
///
/// # Panics
///
/// Panics when the bytes are not a module.
pub fn imports(module: &[u8]) -> Vec<String> {
    let mut rest = Reader(
        module
            .strip_prefix(b"\0asm\x01\0\0\0")
            .expect("a core module of version 1"),
    );
    while !rest.0.is_empty() {
        let (id, size) = (rest.byte(), rest.number());
        let mut section = Reader(rest.bytes(size));
        if id == IMPORTS {
            let count = section.number();
            return (0..count).map(|_| section.import()).collect();
        }
    }
    Vec::new()
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> u8 {
        self.bytes(1)[0]
    }

    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// Reads an unsigned LEB128 number.
    fn number(&mut self) -> usize {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
            shift += 7;
        }
    }

    fn name(&mut self) -> String {
        let length = self.number();
        String::from_utf8(self.bytes(length).to_vec()).unwrap()
    }

    fn import(&mut self) -> String {
        let name = format!("{}.{}", self.name(), self.name());
        match self.byte() {
            // A function has its type's number.
            0 => drop(self.number()),
            kind => panic!("{name} is an import of the kind {kind}, which is no function"),
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_listed_in_their_order() {
        let module =
            b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x0e\x02\x01a\x01b\0\0\x01c\x02de\0\0";
        assert_eq!(imports(module), ["a.b", "c.de"]);
    }

    #[test]
    fn a_module_without_imports_has_none() {
        assert_eq!(
            imports(b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0"),
            Vec::<String>::new()
        );
    }
}
