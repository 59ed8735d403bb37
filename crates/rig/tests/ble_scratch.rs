mod bench;
#[test]
fn scratch() {
    for link in ["ble-nus-notify","ble-nus-write","ble-nus-early-write"] {
        for size in [12,128,1024] {
            let p=bench::profile(link,&[]);
            let t=std::time::Instant::now();
            let s=airlag_rig::Stimulus::Periodic(airlag_rig::stimulus::Periodic{period: airlag_sim::Duration::from_us(200_977),count:1000,phase:airlag_sim::Duration::ZERO,jitter:airlag_sim::Duration::from_ms(50),drift_ppb:0});
            let r=bench::bench(&p,size,&s,1);
            let el=t.elapsed();
            let mut l=bench::transfers(&r).latencies_ns(); l.sort();
            println!("{link} {size} n {} ev {} {:?} {:?} inc {:?}", l.len(), r.events, el, [0.0,0.01,0.25,0.5,0.75,0.99,1.0].map(|q| if l.is_empty(){0.}else{(bench::quantile(&l,q)/1e4).round()/100.}), r.incidents);
        }
    }
}
