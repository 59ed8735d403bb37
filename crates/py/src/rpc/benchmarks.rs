//! The six benchmarks on the virtual bench, beside what was published of them.

use std::collections::BTreeMap;

use airlag_study::rpc::gains::{GAINS, Gain, gains};
use airlag_study::rpc::published::{PLATFORMS, Platform};
use airlag_study::rpc::{Benchmark, Measured, benchmarks};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::RpcError;
use crate::answers::latency;
use crate::bench::{link_error, profile};
use crate::signals::attended;

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn platform(name: &str) -> PyResult<Platform> {
    let found = PLATFORMS.into_iter().find(|platform| platform.name == name);
    found.ok_or_else(|| {
        let known = PLATFORMS.map(|platform| platform.name).join(", ");
        RpcError::new_err(format!("no platform {name:?}; there are {known}"))
    })
}

/// The platforms: names, links, published figures by benchmark, the benchmarks their constants are fitted
/// on, and where the article and physics disagree.
#[pyfunction]
pub fn rpc_platforms(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for platform in PLATFORMS {
        let (published, units) = (PyDict::new(py), PyDict::new(py));
        for benchmark in Benchmark::ALL {
            units.set_item(benchmark.name(), benchmark.unit())?;
            published.set_item(benchmark.name(), platform.published(benchmark))?;
        }
        let fitted: Vec<_> = platform.fitted_on.iter().map(|one| one.name()).collect();
        let dict = PyDict::new(py);
        dict.set_item("name", platform.name)?;
        dict.set_item("link", platform.link())?;
        dict.set_item("published", published)?;
        dict.set_item("units", units)?;
        dict.set_item("fitted_on", fitted)?;
        dict.set_item("disagrees", platform.disagrees)?;
        all.append(dict)?;
    }
    Ok(all)
}

/// A benchmark with these settings; `as_is` if the link is the one that was published.
fn row<'py>(
    py: Python<'py>,
    platform: &Platform,
    found: &Measured,
    settings: &BTreeMap<String, String>,
    as_is: bool,
) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("platform", platform.name)?;
    dict.set_item("benchmark", found.benchmark.name())?;
    // A figure is of the link it was published for.
    let published = platform.published(found.benchmark).filter(|_| as_is);
    dict.set_item("published", published)?;
    dict.set_item("measured", found.result)?;
    dict.set_item("unit", found.benchmark.unit())?;
    dict.set_item("fitted", as_is && platform.fitted_on.contains(&found.benchmark))?;
    dict.set_item("calls", found.calls)?;
    dict.set_item("answered", found.answered)?;
    dict.set_item("latency_ns", latency(py, found.latency.as_ref())?)?;
    dict.set_item("settings", settings)?;
    Ok(dict)
}

/// Runs the six benchmarks over the link of a platform, or over another `link`.
#[pyfunction]
#[pyo3(signature = (platform, seed=1, settings=BTreeMap::new(), link=None))]
pub fn rpc_bench<'py>(
    py: Python<'py>,
    platform: &str,
    seed: u64,
    settings: BTreeMap<String, String>,
    link: Option<&str>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let platform = self::platform(platform)?;
    let as_is = settings.is_empty() && link.is_none();
    let profile = profile(link.unwrap_or(&platform.link()), &settings)?;
    let found = attended(py, || benchmarks(&profile, seed)).whole()?.map_err(link_error)?;
    found.iter().map(|one| row(py, &platform, one, &settings, as_is)).collect()
}

/// The same with each thing that can be done better, and all together: name, settings, rows.
#[pyfunction]
#[pyo3(signature = (platform, seed=1, settings=BTreeMap::new()))]
pub fn rpc_gains<'py>(
    py: Python<'py>,
    platform: &str,
    seed: u64,
    settings: BTreeMap<String, String>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let platform = self::platform(platform)?;
    let profile = profile(&platform.link(), &settings)?;
    let found = attended(py, || gains(&profile, seed)).whole()?.map_err(link_error)?;
    let first = GAINS[0];
    let one = |(gain, all): &(Gain, Vec<Measured>)| {
        let Gain { name, settings: changed } = *gain;
        let as_is = settings.is_empty() && *gain == first;
        let mut all_settings = settings.clone();
        all_settings.extend(changed.iter().map(|&(key, to)| (key.to_owned(), to.to_owned())));
        let rows = all.iter().map(|one| row(py, &platform, one, &all_settings, as_is));
        let dict = PyDict::new(py);
        dict.set_item("name", name)?;
        dict.set_item("rows", rows.collect::<PyResult<Vec<_>>>()?)?;
        Ok(dict)
    };
    found.iter().map(one).collect()
}
