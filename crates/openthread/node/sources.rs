//! Empty, because the manifest beside this file names sources in C++.
