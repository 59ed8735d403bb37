//! Selects the memory of each image by the board in its name: a dongle has a boot loader.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    for (board, images) in [
        ("dk", &["dk-ieee802154", "dk-esb", "dk-rpc"][..]),
        ("dongle", &["dongle-ieee802154", "dongle-esb"]),
    ] {
        for image in images {
            println!("cargo::rustc-link-arg-bin={image}=-L{folder}/memory/{board}");
        }
        println!("cargo::rerun-if-changed=memory/{board}/memory.x");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
