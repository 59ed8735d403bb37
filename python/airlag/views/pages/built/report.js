// Generated from studio/src/report by studio/scripts/report.js.
"use strict";(()=>{function M(e,t){let n=document.getElementById(e)?.textContent;return n?JSON.parse(n):t}var R=document.documentElement,x=M("runs",[]),m={shown:null,counting:"x",
deadline:null,dark:matchMedia("(prefers-color-scheme: dark)")};function T(e){return x.find(t=>t.number===e)?.name??""}var Se=["link","size","phase"];function A(e,t){let n=()=>t(Object.fromEntries([...new FormData(e)].map(([r,o])=>[r,String(o)])));for(let r of["input","change"])
e.addEventListener(r,n);e.addEventListener("submit",r=>r.preventDefault()),e.addEventListener("reset",()=>setTimeout(n))}function C(e,t){return e.toLowerCase().
includes((t??"").trim().toLowerCase())}function j(e,t,n){let r=document.getElementById("how-many");r&&(r.textContent=`${e} of ${t} ${n}`)}function Y(e){let t=document.
querySelector("form#filter");t&&A(t,n=>{let r=i=>Se.every(a=>!n[a]||String(i[a])===n[a])&&C(i.name,n.name),o=x.filter(r);m.shown=o.length===x.length?null:new Set(
o.map(i=>i.number));for(let i of document.querySelectorAll("main [data-run]"))i.hidden=m.shown!==null&&!m.shown.has(Number(i.dataset.run));j(o.length,x.length,"\
runs"),e()})}function Z(e){for(let t of document.querySelectorAll("input[name=counting]"))t.addEventListener("change",()=>{m.counting=t.value,e()})}function Me(e,t,n){let r=n?-1:1,o=e.filter(s=>s.dataset[t]!==void 0),i=s=>s.dataset[t]??"",a=t==="name"?(s,d)=>s.localeCompare(d):(s,d)=>Number(s)-Number(d);return o.
sort((s,d)=>r*a(i(s),i(d))),[...o,...e.filter(s=>s.dataset[t]===void 0)]}function Q(){let e=document.querySelector("#answer table"),t=document.querySelector("fo\
rm#of-answer"),n=e?.tBodies[0];if(!e||!t||!n)return;for(let o of e.querySelectorAll("[data-sort]")){let i=o.closest("th"),a=o.dataset.sort??"";a==="median"&&i?.
setAttribute("aria-sort","ascending"),o.addEventListener("click",()=>{let s=i?.getAttribute("aria-sort")==="ascending";for(let d of e.querySelectorAll("thead th"))
d.removeAttribute("aria-sort");i?.setAttribute("aria-sort",s?"descending":"ascending"),n.append(...Me([...n.rows],a,s))})}A(t,o=>{let i=[...n.rows];for(let a of i){
let{family:s,size:d,name:c=""}=a.dataset,l=(!o.family||s===o.family)&&(!o.size||d===void 0||d===o.size);a.hidden=!(l&&C(c,o.name))}j(i.filter(a=>!a.hidden).length,
i.length,"rows")}),t.dispatchEvent(new Event("change"))}var H=(...e)=>e.map((t,n)=>({name:t,size:1e3**n})),Ze=H("ns","us","ms","s"),Qe=H("nC","uC","mC","C"),Xe=H("nA","uA","mA","A");var N=" ";function D(e,t=4){if(!Number.isFinite(e))return"–";if(e===0)return"0";let n=Math.min(Math.max(t-1-Math.floor(Math.log10(Math.abs(e))),0),100),[r="",o=""]=e.toFixed(
n).split("."),i=n>6?o.replace(/0+$/,""):o;return`${Re(r)}${i?`.${i}`:""}`}function Re(e){return e.replace(/\B(?=(\d{3})+(?!\d))/g,N)}function L(e){let t=100*e;if(e===0||e===1)return`${t}${N}%`;let n=Math.min(t,100-t),r=n>=.1?1:Math.min(1-Math.floor(Math.log10(n)),12);return`${t.toFixed(r)}${N}\
%`}function X({fates:{of:e,arrived:t,latency:n}},r){if(!e)return"–";let o=n.findIndex(d=>d>r),i=o<0?n.length:o,a=n.length?Math.round(i/n.length*t):0,s=L((e-a)/e);
return t>n.length?`about ${s}`:s}function ee(e,t){let{deadline:n}=m,{axis:r,unit:o}=t.meta.latency??{};if(n===null||!r||!e.layer)return e;let i=e.layer,a=i.find(
h=>h.encoding?.[r]?.scale?.domain)?.encoding[r];if(!a)return e;let[s,d]=a.scale.domain,c=x.find(h=>h.number===t.run),l=`deadline ${n} ${o}${c?`, ${X(c,n)} beyon\
d`:""}`;if(t.place.dataset.deadline=l,n<s||n>d)return e;let u={field:"at",type:"quantitative",scale:a.scale},f={values:[{at:n,said:l}]},g=r==="y",w={type:"text",
aria:!1,color:"#222222",baseline:"bottom"};return i.push({data:f,mark:{type:"rule",color:"#222222",strokeDash:[6,3],strokeWidth:1.4,aria:!1},encoding:{[r]:u}},{
data:f,mark:g?{...w,align:"right",dx:-4,dy:-3}:{...w,align:"center",dy:-2},encoding:{[r]:u,...g?{x:{value:"width"}}:{y:{value:0}},text:{field:"said"}}}),e}function te(e){
let t=document.querySelector("#deadline");if(!t)return;let n=()=>{let{value:r}=t,o=Number(r)>0?Number(r):null;m.deadline=o;for(let i of document.querySelectorAll(
".beyond")){i.hidden=o===null;let a=x.find(s=>s.number===Number(i.dataset.of));a&&o!==null&&(i.textContent=X(a,o))}e()};t.addEventListener("input",n),t.value&&n()}function p(e,t={},...n){return Le(document.createElement(e),t,n)}function Le(e,t,n){for(let[r,o]of Object.entries(t))o==null||o===!1||e.setAttribute(r,o===!0?"":String(o));return e.append(...n.filter(r=>r!=null)),e}function O(e,t,n={}){
let r=p("button",{type:"button",...n},e);return r.addEventListener("click",t),r}var q=M("dark",{}),$e=new RegExp(`(?<=,)(${Object.keys(q).join("|")})(?=\\n|,|$)`,"g");function ne(e){return m.dark.matches?I(e):e}function I(e){return typeof e==
"string"?q[e]??(e.includes(`
`)?e.replace($e,t=>q[t]??t):e):Array.isArray(e)?e.map(I):e===null||typeof e!="object"?e:Object.fromEntries(Object.entries(e).map(([t,n])=>[t,I(n)]))}var U=/("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/gy;function F(e){let t=[],n=[];for(U.lastIndex=0;U.lastIndex<e.length;){let r=U.exec(e);if(!r)throw new Error("a table \
of this page is damaged");let[,o="",i]=r;n.push(o.startsWith('"')?o.slice(1,-1).replaceAll('""','"'):o),i!==","&&(t.push(n),n=[])}return t}function re(e,t){let[
n=[],...r]=F(e),o=n.map(i=>t[i]==="number");return r.map(i=>{let a={};return n.forEach((s,d)=>{let c=i[d]??"";a[s]=c===""?null:o[d]?Number(c):c}),a})}function _(e,t,n){let r=t.datasets??{};for(let{data:o}of b(t)){if(o?.format?.type!=="csv")continue;let i=r[o.name];typeof i=="string"&&(r[o.name]=re(i,o.format.
parse)),delete o.format}return vegaEmbed(e,t,{mode:"vega-lite",renderer:n,actions:!1,tooltip:!1,ast:!0})}function*b(e){if(!(e===null||typeof e!="object")){yield e;
for(let[t,n]of Object.entries(e))t!=="config"&&t!=="datasets"&&(yield*b(n))}}var ie=640,B=6.2;function ae(e,t){let n=[""];for(let r of e.split(/(?<=[ /_-])/)){let o=n.at(-1)??"";o&&o.length+r.trimEnd().length>t?n.push(r):n[n.length-1]=o+
r}return n.length>1?n:n[0]??""}function oe({mark:e,encoding:t}){return e?.type==="text"&&e.dx>0&&t?.x?.value==="width"}function se(e,t){let n=t<ie,r=e.layer??[],
o=n?r.filter(oe):[];o.length&&(e.layer=r.filter(a=>!oe(a))),e.width=t,e.autosize={type:"fit-x",contains:"padding"},n&&(e.config={...e.config,padding:6});let i=t-
(n?60:210);for(let a of b(e))a.axis&&Te(a,i,n),a.legend&&Pe(a,t,e);return o.map(a=>e.datasets[a.data?.name]).filter(Boolean)}function Te({axis:e,scale:t},n,r){if(t?.
reverse){r&&e.labels===!1&&(e.minExtent=0);return}let o=e.minExtent!==void 0;o&&r&&(e.minExtent=30),!o&&(e.title&&(e.title=ae([e.title].flat().join(" "),n/B)),e.
tickCount&&(e.tickCount=Math.max(3,Math.min(e.tickCount,n/70))),e.labelOverlap="greedy")}function Oe({legend:e,scale:t,field:n},r){let o=/^\((.*)\)\[datum\.label\]$/.
exec(e.labelExpr??"")?.[1];if(o)return JSON.parse(o);let a=Object.values(r.datasets??{}).filter(Array.isArray).flat().filter(d=>n in d).map(d=>String(d[n])),s=e.
values??t?.domain??a;return Object.fromEntries(s.map(d=>[d,String(d)]))}function Pe(e,t,n){let r=e.legend,o=Oe(e,n);t<ie&&r.orient!=="bottom"&&Object.assign(r,{
orient:"top",direction:"horizontal"});let i=t-80,a=60+B*Math.max(1,...Object.values(o).map(d=>d.length));if(r.orient==="bottom"&&(r.columns=Math.max(1,Math.floor(
i/a))),r.labelLimit=t,a<=i)return;let s=Object.entries(o).map(([d,c])=>[d,ae(c,(i-60)/B)]);r.labelExpr=`(${JSON.stringify(Object.fromEntries(s))})[datum.label] \
|| datum.label`}function de(e){let t=[],n=new Map;for(let r of e){let[o=[],...i]=F(r),[a,s]=[o.indexOf("text"),o.indexOf("r")];for(let d of i){let[c,l]=[d[a],Number(
d[s])];c&&(s<0?t.push(c):n.set(l,[...n.get(l)??[],c]))}}return[...t,...[...n].map(([r,o])=>`${T(r)}: ${o.join(", ")}`)]}function ze(e){let t=new Set;for(let n of b(e))for(let r of[n.data?.name,n.from?.data?.name])typeof r=="string"&&t.add(r);return t}function ce(e){let{vconcat:t,
spacing:n,title:r,usermeta:o={},datasets:i,...a}=e,s=[],d=(u,f)=>{let{title:g,usermeta:w,vconcat:h,...J}=u,E=g?.text?[...f,[g.text].flat().join(" ")]:f;h?h.forEach(
(ke,Ee)=>d(ke,Ee?[]:E)):s.push({title:E.join(": "),spec:{...a,...J}})};for(let u of e.vconcat??[{...e,title:void 0}])d(u,[]);let{read:c=[],panels:l=[]}=o;return s.
map(({title:u,spec:f},g)=>{let w=ze(f);if(f.datasets=Object.fromEntries(Object.entries(i??{}).filter(([h])=>w.has(h))),g<s.length-1)for(let h of b(f))h.legend&&
(h.legend=null);return{title:u,spec:f,run:l.length?l[g]??null:null,read:c.length?c[g%c.length]??null:null}})}var v=p("div",{id:"tip",role:"status",hidden:!0});function P(e,t,n){v.replaceChildren(...e.map(([s,d])=>p("div",{},p("span",{},s),p("b",{},String(d))))),v.hidden=
!1;let{width:r,height:o}=v.getBoundingClientRect(),i=t+16+r>innerWidth?t-16-r:t+16,a=n+16+o>innerHeight?n-16-o:n+16;v.style.left=`${Math.max(4,Math.min(i,innerWidth-
r-4))}px`,v.style.top=`${Math.max(4,a)}px`}function le(){document.body.append(v);for(let e of document.querySelectorAll(".term")){let{title:t}=e,n=()=>{let o=e.
getBoundingClientRect();P([[t,""]],o.left,o.bottom-8)},r=()=>{e.title=t,v.hidden=!0};e.addEventListener("focus",n),e.addEventListener("pointerenter",()=>{e.removeAttribute(
"title"),n()}),e.addEventListener("blur",r),e.addEventListener("pointerleave",r)}}var ue=40;function K(e){if(e.marks)return e.marks;let{view:t}=e,n=[];if(!t)return n;let r=({marktype:s,items:d=[]},c,l)=>{for(let u of d){let{x:f=0,y:g=0,tooltip:w,
bounds:h}=u;if(s==="group")o(u,c+f,l+g);else if(w&&typeof w=="object"){let E=s==="line"||s==="area"?{x1:f,x2:f,y1:g,y2:g}:h;n.push({x1:c+E.x1,y1:l+E.y1,x2:c+E.x2,
y2:l+E.y2,tooltip:w})}}},o=({items:s=[]},d,c)=>{for(let l of s)r(l,d,c)},[i,a]=t.origin();for(let s of t.scenegraph().root.items??[])o(s,i,a);return e.marks=n.sort(
(s,d)=>s.x1-d.x1)}function Ae(e,t,n){let[r,o]=[null,ue*ue];for(let i of K(e)){let a=Math.max(i.x1-t,0,t-i.x2),s=Math.max(i.y1-n,0,n-i.y2),d=(i.x2-i.x1)*(i.y2-i.
y1)*1e-6,c=a*a+s*s+d;c<=o&&([r,o]=[i,c])}return r}function Ce(e,{header:t,y:n,how:r,words:[o,i],unit:a},s){e.series??=je(e,t);let d=[];for(let[c,l]of e.series){
if(m.shown&&!m.shown.has(c))continue;let u=Ne(l.x??[],l[n]??[],s,r);u!==null&&d.push([T(c),a==="%"?L(u):`${D(u)} ${a}`.trim()])}return[[o,i==="logit"?L(1/(1+Math.
exp(-s))):`${D(s)} ${i}`],...d]}function je(e,t){let r=Object.values(e.spec.datasets).find(a=>typeof a=="string"&&a.startsWith(`${t}
`))??t,o=t.split(","),i=new Map;for(let a of r.trimEnd().split(`
`).slice(1)){let s=a.split(",").map(Number),d=s[o.indexOf("r")]??0,c=i.get(d)??Object.fromEntries(o.map(l=>[l,[]]));o.forEach((l,u)=>c[l]?.push(s[u]??NaN)),i.set(
d,c)}return i}function Ne(e,t,n,r){let o=e.length-1;if(o<0||n<(e[0]??0)||n>(e[o]??0))return null;let i=0,a=o;for(;i<a;){let u=i+a+1>>1;(e[u]??0)<=n?i=u:a=u-1}let[
s=0,d=0,c=0,l=0]=[e[i],e[i+1],t[i],t[i+1]];return r==="step"||i===o?c:c+(n-s)/(d-s||1)*(l-c)}function fe({view:e,line:t,stage:n},r){if(!e)return 0;let[o,i]=e.origin(),
a=o+e.scale("x")(r);return t.parentNode!==n&&n.append(t),Object.assign(t.style,{left:`${a}px`,top:`${i}px`,height:`${e.height()}px`}),a}function He(e,t){for(let n of k){
if(!n.meta.time||!n.near||!n.view)continue;let[r=0,o=0]=n.view.scale("x").domain();if(t<r||t>o){n.line.remove(),n.reading.remove();continue}let i=fe(n,t),a=n===
e?null:De(K(n),i);if(!a)continue;let{reading:s,stage:d}=n;s.parentNode!==d&&d.append(s),s.textContent=Object.entries(a.tooltip).map(([c,l])=>`${c} ${l}`).join("\
 · "),s.style.left=`${Math.min(i+6,d.clientWidth*.5)}px`}}function De(e,t){let n=({x1:r,x2:o})=>Math.abs((r+o)/2-t);return e.reduce((r,o)=>r&&n(r)<=n(o)?r:o,null)}
function y(){v.hidden=!0;for(let{line:e,reading:t,ring:n}of k)for(let r of[e,t,n])r.remove()}function me({ring:e,stage:t},n){e.parentNode!==t&&t.append(e);let r=(n.
x1+n.x2)/2;Object.assign(e.style,{left:`${r}px`,top:`${(n.y1+n.y2)/2}px`});let o=t.getBoundingClientRect();P(Object.entries(n.tooltip),o.left+r,o.top+n.y2)}function pe(e){
let{stage:t}=e;t.addEventListener("pointermove",({clientX:n,clientY:r})=>{let{view:o,read:i}=e;if(!o||e.isDragging)return;let a=t.getBoundingClientRect(),[s,d]=[
n-a.left,r-a.top],[c]=o.origin(),l=o.scale("x"),u=s>=c&&s<=c+o.width()?l?.invert?.(s-c):void 0;if(y(),i&&u!==void 0){fe(e,u),P(Ce(e,i,u),n,r);return}e.meta.time&&
u!==void 0&&He(e,u);let f=Ae(e,s,d);f&&me(e,f)}),t.addEventListener("pointerleave",y),t.addEventListener("blur",y),t.addEventListener("keydown",n=>{let r={ArrowRight:1,
ArrowLeft:-1}[n.key];if(n.key==="Escape"&&y(),!r||n.shiftKey||!e.view)return;n.preventDefault(),y();let o=K(e);e.at=Math.max(0,Math.min(o.length-1,(e.at??(r>0?-1:
o.length))+r));let i=o[e.at];i&&me(e,i)})}function qe(e,t,n){if(typeof e!="string")return e.filter(c=>!("r"in c)||t.has(c.r));let[r="",...o]=e.trimEnd().split(`
`),i=r.split(","),a=i.indexOf("r");if(a<0)return e;let s=["y","y2"].map(c=>i.indexOf(c)).filter(c=>c>=0),d=o.flatMap(c=>{let l=c.split(",",Math.max(a,...s)+1),u=Number(
l[a]);if(!t.has(u))return[];if(!n)return[c];let f=c.slice(l.join(",").length);for(let g of s)l[g]=String(Number(l[g])+(n.get(u)??0));return[l.join(",")+f]});return`${[
r,...d].join(`
`)}
`}function ge(e,t){let{shown:n}=m;if(n===null)return e;let r=t.rows?.order,o=null;if(r){let a=r.filter(d=>n.has(d));o=new Map(a.map((d,c)=>[d,c-r.indexOf(d)]));
let s=Math.max(a.length,1);e.height=t.rows.tall*s;for(let d of b(e))d.reverse===!0&&(d.domain=[-.5,s-.5])}for(let[a,s]of Object.entries(e.datasets))e.datasets[a]=
qe(s,n,o);let i=x.filter(a=>n.has(a.number)).map(a=>a.name);for(let a of b(e))a.field==="run"&&a.legend&&(a.legend.values=i);return e}function xe(e,t){let n=t.meta.time;if(!n)return e;let{counting:r}=m,{title:o,ends:i}=n[r],a=i[t.run??0];t.whole=[r==="i"?-.5:0,a],t.counted!==r&&(t.zoomed=null),
t.counted=r,t.reset&&(t.reset.hidden=t.zoomed===null);let[s,d]=t.zoomed??t.whole;e.params=[{name:"from",value:s},{name:"to",value:d}];for(let c of e.layer){let{
x:l,x2:u}=c.encoding??{};if(l?.field==="x"){if(l.scale={...l.scale,domain:[{expr:"from"},{expr:"to"}]},l.axis={...l.axis,title:o},l.field=r,u){u.field=r==="i"?"\
i2":"x2",c.mark.clip=!0;continue}c.transform=[...c.transform??[],{calculate:`datum.${r}`,as:"_at"},{filter:"datum._at >= from && datum._at <= to"}]}}return e}function $(e,[
t,n]){let[r,o]=e.whole,i=(o-r)/1e5,a=Math.min(Math.max(n-t,i),o-r),s=Math.min(Math.max(t,r),o-a);e.zoomed=a<o-r?[s,s+a]:null,e.reset&&(e.reset.hidden=e.zoomed===
null),e.place.dataset.zoomed=e.zoomed?e.zoomed.join():"",y(),e.view?.signal("from",s).signal("to",s+a).runAsync().then(()=>e.marks=null)}function z(e,t,n){let[r,
o]=e.zoomed??e.whole,i=n??(r+o)/2;$(e,[i-(i-r)*t,i+(o-i)*t])}function he(e,t){let[n,r]=e.zoomed??e.whole;$(e,[n+t*(r-n),r+t*(r-n)])}var be=-1/0;addEventListener(
"scroll",()=>be=performance.now(),{passive:!0});function ye(e){let{stage:t,place:n}=e,r=()=>$(e,e.whole);e.reset=O("whole run",r,{class:"reset screen",hidden:!0}),
n.append(e.reset);let o=-1/0;t.addEventListener("pointermove",()=>o=performance.now()),t.addEventListener("wheel",i=>{!(document.activeElement===t||i.ctrlKey||o>
be+250)||!e.view||(i.preventDefault(),z(e,i.deltaY>0?1.25:.8,V(e,i)))},{passive:!1}),t.addEventListener("dblclick",r),t.addEventListener("keydown",i=>{let{key:a,
shiftKey:s,ctrlKey:d,metaKey:c}=i,l={"+":()=>z(e,.5),"=":()=>z(e,.5),"-":()=>z(e,2),0:r,...s&&{ArrowLeft:()=>he(e,-.25),ArrowRight:()=>he(e,.25)}}[a];!l||!e.view||
d||c||(i.preventDefault(),l())}),Ie(e)}function V({stage:e,view:t},{clientX:n}){if(!t)return 0;let r=n-e.getBoundingClientRect().left-t.origin()[0];return t.scale(
"x").invert?.(Math.max(0,Math.min(r,t.width())))??0}function Ie(e){let{stage:t}=e,n=p("div",{class:"chosen"});t.addEventListener("pointerdown",r=>{let{view:o,zoomed:i}=e;
if(!o||r.button!==0)return;let a={x:r.clientX,at:V(e,r)},s=t.getBoundingClientRect(),d=({clientX:l})=>{if(!(!e.isDragging&&Math.abs(l-a.x)<4)){if(e.isDragging||
(e.isDragging=!0,t.setPointerCapture(r.pointerId),y()),i){let[u,f]=i,g=(a.x-l)/o.width()*(f-u);$(e,[u+g,f+g]);return}n.style.left=`${Math.min(a.x,l)-s.left}px`,
n.style.width=`${Math.abs(l-a.x)}px`,t.append(n)}},c=l=>{if(t.removeEventListener("pointermove",d),n.remove(),e.isDragging&&!i&&l.type==="pointerup"){let u=V(e,
l);$(e,[Math.min(a.at,u),Math.max(a.at,u)])}e.isDragging=!1};t.addEventListener("pointermove",d),t.addEventListener("pointerup",c,{once:!0}),t.addEventListener(
"pointercancel",c,{once:!0})})}var Ue=4e3,k=[],Fe=new IntersectionObserver(e=>{for(let{target:t,isIntersecting:n}of e){let r=k.find(o=>o.place===t);r&&(r.near=n,n&&r.refresh())}},{rootMargin:"\
400px 0px"}),W=class{place;stage;meta;run;read;spec;view=null;near=!1;zoomed=null;whole=[0,1];counted;isDragging=!1;reset;marks=null;at;series;line=p("div",{class:"\
crosshair"});reading=p("div",{class:"reading"});ring=p("div",{class:"ring"});drawnFor="";drawing;aside=p("p",{class:"aside"});constructor(t,{title:n,run:r,spec:o,
read:i}){[this.run,this.spec,this.read]=[r,o,i],this.meta=t.spec.usermeta??{},this.stage=p("div",{class:"stage",tabindex:0,role:"group","aria-label":`${n||t.said}\
: arrow keys read the marks`}),this.stage.style.minHeight=`${(o.height??300)+60}px`;let a=this.meta.everywhere?.[r??-1]??[];this.place=p("div",{class:"panel","d\
ata-run":r},n?p("h4",{},n):null,a.length?p("a",{class:"everywhere",href:"#findings"},`whole run: ${a.join(", ")}`):null,this.stage,this.aside)}async refresh(t=!1){
let n=Math.floor(this.place.clientWidth);if(!this.near&&!t||n===0)return;let r=m.shown&&[...m.shown].join(),o=[n,r,this.meta.time?m.counting:"",m.deadline,m.dark.
matches].join("|");if(o!==this.drawnFor){this.drawnFor=o;try{await this.draw(n)}catch(i){this.place.classList.add("failed"),this.stage.textContent=`This chart c\
ould not be drawn: ${i instanceof Error?i.message:String(i)}`,console.error(i)}we()}}async draw(t){let n=this.drawnFor,r=ee(xe(ge(structuredClone(this.spec),this.
meta),this),this),o=de(se(r,t)),a=Object.values(r.datasets??{}).reduce((l,u)=>l+(typeof u=="string"?u.split(`
`).length:0),0),s=p("div"),d=await _(s,ne(r),a<=Ue?"svg":"canvas");if(n!==this.drawnFor)return d.finalize();this.drawing?.finalize();let c=!this.drawing;this.drawing=
d,this.view=d.view,this.stage.replaceChildren(s),this.stage.style.minHeight="",this.aside.textContent=o.join(" · "),this.marks=null,this.place.dataset.state="d\
rawn",c&&(pe(this),this.meta.time&&ye(this))}};function we(){let e=k.map(n=>n.place),t={charts:e.length,drawnMs:Math.round(performance.now()),drawn:e.filter(n=>n.
dataset.state==="drawn").length,failed:e.filter(n=>n.classList.contains("failed")).length};for(let[n,r]of Object.entries(t))R.dataset[n]=String(r)}async function S(e=!1){
await Promise.all(k.map(t=>t.refresh(e)))}function ve(){for(let t of document.querySelectorAll("figure[data-chart]")){let n=t.dataset.chart??"",r=M(`spec-${n}`,
{}),o={figure:t,name:n,spec:r,said:t.querySelector("h3")?.textContent??""},i=ce(structuredClone(r)).map(a=>new W(o,a));t.querySelector(".panels")?.replaceChildren(
...i.map(a=>a.place)),k.push(...i),_e(o)}let e=new ResizeObserver(()=>{S()});for(let{place:t}of k)Fe.observe(t),e.observe(t);m.dark.addEventListener("change",()=>{
S()}),addEventListener("beforeprint",()=>{S(!0)}),we()}function _e({figure:e,name:t,spec:n}){let r=async i=>{let{view:a,finalize:s}=await _(p("div"),structuredClone(
n),"svg");p("a",{href:await a.toImageURL(i,2),download:`airlag-${t}.${i}`}).click(),s()},o=["svg","png"].map(i=>O(i.toUpperCase(),()=>{r(i)},{"aria-label":`Save\
 this chart as ${i.toUpperCase()}`}));e.querySelector("figcaption")?.append(p("p",{class:"files screen"},...o))}var G=()=>{S()};ve();Q();Y(G);Z(G);te(G);le();addEventListener("scroll",y,{passive:!0});requestAnimationFrame(()=>S().then(()=>{R.dataset.readyMs=String(Math.round(
performance.now())),R.dataset.ready="true"}));})();
