use std::io::Write as _;

use tempfile::TempDir;

use super::*;

fn names(folder: &TempDir) -> Vec<String> {
    let found = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        found.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn write(path: &Path, text: &str, replace: Replace) -> io::Result<()> {
    let draft = Draft::create(path)?;
    draft.file().write_all(text.as_bytes())?;
    draft.keep(replace)
}

#[test]
fn the_old_content_stands_until_the_new_one_is_complete() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let draft = Draft::create(&path).unwrap();
    draft.file().write_all(b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    draft.keep(Replace::Anything).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(&folder), ["a.txt"]);
}

#[test]
fn a_draft_that_is_not_kept_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    drop(Draft::create(&folder.path().join("a.txt")).unwrap());
    assert!(names(&folder).is_empty());
}

#[test]
fn drafts_of_one_target_are_files_of_their_own() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.txt");
    let drafts = [Draft::create(&path).unwrap(), Draft::create(&path).unwrap()];
    assert_eq!(names(&folder).len(), 2);
    for (draft, text) in drafts.into_iter().zip(["first", "second"]) {
        draft.file().write_all(text.as_bytes()).unwrap();
        draft.keep(Replace::Anything).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn only_the_same_or_nothing_is_replaced_unless_anything_may_be() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.txt");
    for (before, after, refused) in
        [("", "new", false), ("new", "new", false), ("new", "old", true), ("newer", "new", true)]
    {
        fs::write(&path, before).unwrap();
        let kind = write(&path, after, Replace::Same).map_err(|e| e.kind());
        assert_eq!(kind, if refused { Err(ErrorKind::AlreadyExists) } else { Ok(()) });
        assert_eq!(fs::read_to_string(&path).unwrap(), if refused { before } else { after });
        write(&path, after, Replace::Anything).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), after);
    }
    assert_eq!(names(&folder), ["a.txt"]);
}

#[test]
fn a_folder_that_is_not_there_is_named_as_the_system_names_it() {
    let folder = TempDir::new().unwrap();
    let refused = Draft::create(&folder.path().join("none/a.txt")).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotFound);
    assert!(refused.raw_os_error().is_some(), "{refused:?}");
    assert!(Draft::create(folder.path()).is_err());
}

#[test]
fn a_name_as_long_as_names_can_be_is_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("n".repeat(255));
    write(&path, "new", Replace::Same).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_link_stays_a_link_and_its_file_keeps_its_mode() {
        let folder = TempDir::new().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        for bits in [0o600, 0o640, 0o666] {
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(bits)).unwrap();
            let _ = fs::remove_file(&link);
            symlink("file", &link).unwrap();
            write(&link, "new", Replace::Anything).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!((fs::read_to_string(&file).unwrap(), mode(&file)), ("new".into(), bits));
        }
    }

    #[test]
    fn a_link_to_what_is_not_there_yet_brings_it_about() {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        symlink("sub/next", folder.path().join("link")).unwrap();
        symlink("file", folder.path().join("sub/next")).unwrap();
        write(&folder.path().join("link"), "new", Replace::Same).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("sub/file")).unwrap(), "new");
    }

    #[test]
    fn a_draft_is_never_open_to_more_than_its_target() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let _draft = Draft::create(&path).unwrap();
        assert!(names(&folder).iter().all(|name| mode(&folder.path().join(name)) == 0o600));
    }

    #[test]
    fn a_device_stays_a_device() {
        let null = Path::new("/dev/null");
        write(null, "text", Replace::Same).unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
    }
}
