//===- ScheduleHtml.cpp - a schedule as one page that needs nothing else --------------------------------===//
//
// The page is the JSON of `--json` and a script that draws it: layer table, kernels of each kind of layer as a
// timeline, and on click what a kernel fuses as a graph of its phases and the buffers between them.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/ced-inspect/ScheduleReport.h"

#include <iostream>

namespace cedilla::inspect {

static constexpr const char *head = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Schedule</title>
<style>
:root{--ink:#1d232b;--soft:#5d6875;--line:#d8dde3;--paper:#fff;--back:#f4f6f8;--memory:#3b7dd8;--math:#d9822b;--launch:#8a94a0;--pick:#0b3d91}
*{box-sizing:border-box}body{font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:0;padding:24px 32px;max-width:1500px}
h1{font-size:20px;margin:0 0 2px}h2{font-size:16px;margin:28px 0 8px}h3{font-size:14px;margin:0}
.soft{color:var(--soft)}.card{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:14px 16px;margin:0 0 14px}
table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:600;color:var(--soft);font-size:12px}
td,th{padding:3px 10px 3px 0;border-bottom:1px solid var(--line);vertical-align:top;font-variant-numeric:tabular-nums}
td.n,th.n{text-align:right}tr:last-child td{border-bottom:0}
.bar{display:flex;height:34px;margin:8px 0 2px;gap:2px}.bar button{border:0;border-radius:3px;min-width:5px;color:#fff;font:11px system-ui;overflow:hidden;white-space:nowrap;cursor:pointer;padding:0 4px;text-align:left}
.memory{background:var(--memory)}.math{background:var(--math)}.launch{background:var(--launch)}
button.on,tr.on td{outline:2px solid var(--pick);outline-offset:-1px}tr.k{cursor:pointer}tr.k:hover td{background:#eef3fa}
.why td{color:var(--soft);font-size:12px;padding-left:18px}.tag{display:inline-block;border-radius:4px;padding:0 6px;font-size:12px;color:#fff}
.tabs button{font:inherit;border:1px solid var(--line);background:var(--paper);border-radius:6px;padding:4px 12px;margin-right:6px;cursor:pointer}.tabs button.on{background:var(--ink);color:#fff;outline:0}
svg text{font:12px system-ui,sans-serif}.detail{margin-top:10px;border-top:1px solid var(--line);padding-top:10px}
.scroll{overflow-x:auto}details summary{cursor:pointer}code{font:12px ui-monospace,monospace}
</style></head><body><h1 id="title"></h1><div class="soft" id="sub"></div>
<h2>Layers</h2><div class="card"><details open><summary class="soft">who owns and who reads what</summary><table id="layers"></table></details></div>
<h2>Kernels</h2><div class="tabs" id="tabs"></div><div id="phase"></div>
<script>const data=)html";

static constexpr const char *tail = R"html(;
const el=(tag,attrs={},...kids)=>{const e=document.createElement(tag);for(const[k,v]of Object.entries(attrs))k=='onclick'?e.onclick=v:e.setAttribute(k,v);e.append(...kids);return e};
const mb=b=>b>=1e6?(b/1e6).toFixed(b>=1e8?1:2)+' MB':(b/1e3).toFixed(1)+' KB',us=t=>t.toFixed(t>=100?0:2)+' µs',gf=f=>(f/1e9).toFixed(3)+' G';
const ranges=n=>{const out=[];for(let i=0;i<n.length;){let e=i;while(e+1<n.length&&n[e+1]==n[e]+1)e++;out.push(e>i?n[i]+'–'+n[e]:''+n[i]);i=e+1}return out.join(', ')};
document.getElementById('title').textContent=data.model;
document.getElementById('sub').textContent=`schedule for ${data.target}; times from the rates of ${data.rates} (${data.rates_source})`;
const rows=(data.layers||[]).map(l=>el('tr',{},el('td',{class:'n'},''+l.layer),el('td',{},l.mode+(l.ratio?` m=${l.ratio}`:'')+(l.engram?' + engram':'')),el('td',{},el('code',{},l.owns)),el('td',{},l.reads)));
document.getElementById('layers').append(el('tr',{},el('th',{class:'n'},'layer'),el('th',{},'mode'),el('th',{},'owns'),el('th',{},'reads of others')),...rows);
// A phase's boxes one under the other; a line joins a phase to the last one before it that wrote what it reads.
function graph(kernel){
  const svgNS='http://www.w3.org/2000/svg',s=(t,a,text)=>{const e=document.createElementNS(svgNS,t);for(const[k,v]of Object.entries(a))e.setAttribute(k,v);if(text!=null)e.textContent=text;return e};
  const parts=kernel.parts;if(!parts.length)return el('p',{class:'soft'},'A package keeps the names of the ops only: '+kernel.fuses.join(', '));
  const level=[],links=[];
  parts.forEach((p,i)=>{level[i]=0;for(const r of new Set([...p.reads,...p.writes]))for(let j=i-1;j>=0;j--)if(parts[j].writes.includes(r)){links.push([j,i,r]);level[i]=Math.max(level[i],level[j]+1);break}});
  const at=[],fill={};parts.forEach((p,i)=>{const c=fill[level[i]]=(fill[level[i]]||0)+1;at[i]=[20+level[i]*250,60+(c-1)*92]});
  const w=Math.max(...at.map(a=>a[0]))+230,h=Math.max(...at.map(a=>a[1]))+90,svg=s('svg',{width:w,height:h});
  svg.append(s('defs',{}));svg.firstChild.append((()=>{const m=s('marker',{id:'tip',markerWidth:8,markerHeight:8,refX:7,refY:4,orient:'auto'});m.append(s('path',{d:'M0 0L8 4L0 8z',fill:'#5d6875'}));return m})());
  for(const[a,b]of links){const x1=at[a][0]+190,y1=at[a][1]+32,x2=at[b][0],y2=at[b][1]+32;const up=level[b]-level[a]>1?70:0;svg.append(s('path',{d:`M${x1} ${y1}C${x1+30} ${y1-up} ${x2-30} ${y2-up} ${x2-1} ${y2}`,fill:'none',stroke:'#5d6875','marker-end':'url(#tip)'}))}
  parts.forEach((p,i)=>{const[x,y]=at[i];svg.append(s('rect',{x,y,width:190,height:66,rx:6,fill:'#eef3fa',stroke:'#3b7dd8'}),s('text',{x:x+10,y:y+19,'font-weight':600},p.ops.join(' → ').slice(0,28)),s('text',{x:x+10,y:y+37,fill:'#5d6875'},`${p.family}, alone ${mb(p.bytes)}`));
    const g=s('text',{x:x+10,y:y+54,fill:'#5d6875'},(p.reads.find(r=>/weight|\.hc_|scale/.test(r))||p.reads[0]||'').slice(0,25));g.append(s('title',{},`reads ${p.reads.join(', ')}\nwrites ${p.writes.join(', ')}`));svg.append(g)});
  return el('div',{class:'scroll'},svg)}
function detail(k){return el('div',{class:'detail'},el('h3',{},k.name+' — '+us(k.predicted_us)+', bound by '+k.bound),
  el('div',{class:'soft'},`reads ${mb(k.bytes_read)}, writes ${mb(k.bytes_written)}, hands ${mb(k.bytes_inside)} between its phases; ${gf(k.flops)}FLOP; launch ${us(k.launch_us)}; chain of ${k.chain}, at least ${k.parallel} results side by side`),
  graph(k),el('div',{class:'soft'},'buffers: ',el('code',{},k.buffers.slice(0,40).join(' ')+(k.buffers.length>40?' …':''))))}
function kindCard(kind,phase){
  const box=el('div',{class:'card'}),hole=el('div'),bar=el('div',{class:'bar'}),table=el('table');
  const pick=i=>{[...bar.children].forEach((b,j)=>b.classList.toggle('on',j==i));table.querySelectorAll('tr.k').forEach((r,j)=>r.classList.toggle('on',j==i));hole.replaceChildren(detail(kind.kernels[i]))};
  const total=kind.kernels.reduce((a,k)=>a+k.predicted_us,0)||1;
  table.append(el('tr',{},...['#','kernel','fuses','MB','GFLOP','µs','bound'].map((t,i)=>el('th',i>2&&i<6?{class:'n'}:{},t))));
  kind.kernels.forEach((k,i)=>{bar.append(el('button',{class:k.bound,style:`flex:${Math.max(k.predicted_us,total*.004)} 0 0`,title:`${k.name}: ${us(k.predicted_us)}\n${k.fuses.join(', ')}`,onclick:()=>pick(i)},k.fuses[0]));
    if(i&&k.not_fused_with_previous)table.append(el('tr',{class:'why'},el('td'),el('td',{colspan:6},'apart: '+k.not_fused_with_previous)));
    table.append(el('tr',{class:'k',onclick:()=>pick(i)},el('td',{},''+(i+1)),el('td',{},k.name),el('td',{},k.fuses.join(', ')),el('td',{class:'n'},(k.bytes/1e6).toFixed(2)),el('td',{class:'n'},(k.flops/1e9).toFixed(3)),el('td',{class:'n'},k.predicted_us.toFixed(2)),el('td',{},el('span',{class:'tag '+k.bound},k.bound))))});
  box.append(el('h3',{},`${kind.kind} — ${kind.kernels.length} kernels, ${us(kind.predicted_us)} a layer`),el('div',{class:'soft'},`layer${kind.layers.length>1?'s':''} ${ranges(kind.layers)}; launches, where nothing hides them, ${us(kind.launch_us)}; expected ${us(kind.expected_us)}`),bar,el('div',{class:'soft'},'width = predicted time; click a kernel for what it fuses'),hole,el('details',{},el('summary',{class:'soft'},'kernels, and why neighbours are apart'),table));
  return box}
function show(i){const p=data.phases[i];[...document.getElementById('tabs').children].forEach((b,j)=>b.classList.toggle('on',i==j));
  document.getElementById('phase').replaceChildren(el('p',{},`${p.rows} rows, ${p.batch} sequence${p.batch>1?'s':''} of ${p.context} tokens: ${p.kernels} kernels, ${mb(p.bytes)}, ${gf(p.flops)}FLOP, predicted ${us(p.total_predicted_us)}; launches, where nothing hides them, ${us(p.total_launch_us)} more; expected with both and with what phases lose ${us(p.total_expected_us)}${data.contract&&data.contract[p.name]?'; contract: '+Object.entries(data.contract[p.name]).map(([m,n])=>`${m} ${n} kernels`).join(', '):''}`),...p.layer_kinds.map(k=>kindCard(k,p)))}
data.phases.forEach((p,i)=>document.getElementById('tabs').append(el('button',{onclick:()=>show(i)},p.name)));
show(Math.max(0,data.phases.findIndex(p=>p.name=='decode')));
</script></body></html>
)html";

void printHtml(const ScheduleReport &report) {
  std::string json = toJson(report).dump();
  // Nothing in the data may end the script.
  for (size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.replace(at, 2, "<\\/");
  std::cout << head << json << tail;
}

} // namespace cedilla::inspect
