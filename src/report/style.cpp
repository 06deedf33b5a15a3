#include "report/style.h"

#include <fmt/core.h>

#include "report/colour.h"

namespace pegnn {

namespace {

// Series are blue, vermilion, green, purple and ochre after Okabe and Ito, a set made for
// colour-blind readers; on a dark page the same hues, lighter. Numbers near, below and above what
// they are compared with take the first three, on a tint of them. Quadrants of the Moran plot: warm
// where high, cold where low.
constexpr const char* kLightColours =
    ":root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--ink:#1a1f26;--muted:#59626e;"
    "--rule:#e2e6eb;--plot:#f7f8fa;--sea:#e9ecf0;--grid:#dfe3e9;--accent:#0b5f9e;"
    "--c1:#0072b2;--c2:#d55e00;--c3:#00875f;--c4:#a0407c;--c5:#8a6400;--near:#006b4b;--near-tint:#"
    "e6f4ee;--below:#005a8e;"
    "--below-tint:#e4f0f8;--above:#a84300;--above-tint:#fdeee2;--q0:#9aa3ae;--q1:#b2182b;--q2:#"
    "5fa2ce;--q3:#1f5fa8;"
    "--q4:#e08a5b;--warn:#fff6e5;--warn-rule:#e0a030;--shadow:0 1px 2px #1a1f2614,0 2px 8px "
    "#1a1f260d}";
constexpr const char* kDarkColours =
    ":root{--page:#12151a;--card:#1b1f26;--ink:#e8ebef;--muted:#a3adb9;--rule:#2d343d;"
    "--plot:#20252d;--sea:#232932;--grid:#323a45;--accent:#6cb6f5;--c1:#58b4f0;--c2:#ff9349;"
    "--c3:#3dcf9f;--c4:#e493c4;--c5:#e3bd4f;--near:#5fdcae;--near-tint:#173329;--below:#7cc3f5;"
    "--below-tint:#172f42;--above:#ffab73;--above-tint:#40291a;--q0:#6c7683;--q1:#ff7b72;--q2:#"
    "7fb3d8;--q3:#58a0f5;--q4:#f2b189;"
    "--warn:#2b2417;--warn-rule:#c08a2a;--shadow:none}";

constexpr const char* kPage = R"css(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1160px;margin:0 auto;padding:0 24px}
.strip{display:flex;height:5px}
.strip i{flex:1;background:currentColor}
header{padding-top:34px;padding-bottom:24px}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.015em;margin:0;font-weight:680;overflow-wrap:anywhere}
.sub{color:var(--muted);font-size:1.06rem;margin:.35rem 0 0;overflow-wrap:anywhere}
h2{font-size:1.02rem;line-height:1.3;margin:0 0 12px;font-weight:640}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(148px,1fr));gap:14px;margin:0 0 20px}
.card,.panel,.remarks,details{background:var(--card);border:1px solid var(--rule);border-radius:10px;box-shadow:var(--shadow)}
.card{padding:14px 16px 13px}
.card dt{color:var(--muted);font-size:.86rem;overflow-wrap:anywhere}
.card dd{margin:0}
.card .value{font-size:1.65rem;line-height:1.25;font-weight:640;letter-spacing:-.01em;overflow-wrap:anywhere}
.card .note{color:var(--muted);font-size:.8rem;line-height:1.4;margin-top:2px}
.remarks{border-left:4px solid var(--warn-rule);background:var(--warn);margin:0 0 20px;padding:12px 18px 12px 34px}
.remarks li{margin:2px 0}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:20px;margin:0 0 20px}
.panel{margin:0;padding:18px 20px 16px;min-width:0}
.panel svg{display:block;width:100%;max-width:640px;height:auto;margin:0 auto;overflow:visible}
figcaption,.absent p{color:var(--muted);font-size:.9rem;line-height:1.5;margin:12px 0 0}
figcaption{max-width:66ch}
figure:only-child figcaption{max-width:640px;margin-left:auto;margin-right:auto}
.absent{padding-bottom:18px}
.absent h2{margin:0}
.panel.absent p{margin:4px 0 0}
.panel p{margin:0 0 12px}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.45}
th,td{text-align:left;vertical-align:top;padding:6px 14px 6px 0;border-top:1px solid var(--rule);font-weight:400}
thead th{border-top:0;color:var(--muted);font-size:.82rem}
tbody th{font-weight:560}
td.n,th.n{text-align:right;white-space:nowrap}
.facts th,.facts td{overflow-wrap:anywhere}
.facts th{width:20%}
.facts td:nth-child(2):not(:last-child){width:16%}
td.note{color:var(--muted)}
tr>:last-child{padding-right:0}
table+table{margin-top:22px}
.wide{overflow-x:auto}
details{margin:0 0 20px;padding:0 20px}
summary{cursor:pointer;font-weight:640;padding:14px 0;font-size:1.02rem}
summary::marker{color:var(--muted)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
details[open]{padding-bottom:14px}
footer{color:var(--muted);font-size:.84rem;padding-top:6px;padding-bottom:40px}
)css";

// Numbers beside what they are compared with: ours above, the other and the difference below.
constexpr const char* kBeside = R"css(
.banner{background:var(--above-tint);border:2px solid var(--above);border-radius:10px;margin:0 0 20px;padding:14px 18px;font-weight:640}
.lead{margin:-8px 0 18px}
.contents{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 20px;font-size:.92rem}
a{color:var(--accent)}
h3{font-size:.92rem;line-height:1.3;margin:0 0 6px;font-weight:600}
.panel>h3{margin-top:22px}
.panel p.caption{color:var(--muted);font-size:.9rem;line-height:1.5;margin:10px 0 0;max-width:92ch}
.small-figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:22px 24px;margin-top:14px}
.small-figures.pairs{grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr))}
.small-figures>div{min-width:0}
.small-figures svg text{font-size:13.5px}
.small-figures.pairs svg text{font-size:12px}
.small-figures h3{font-size:.86rem;color:var(--muted)}
.beside{font-size:.78rem;line-height:1.35}
.beside th,.beside td{padding:4px 6px;white-space:nowrap}
.beside tbody th{white-space:normal;min-width:8.6em}
.beside thead td{border-top:0}
.beside sup{line-height:0;margin-left:.15em}
.claim{font-size:.84rem}
.beside.claim th,.beside.claim td{padding:4px 5px}
.beside.claim tbody th{white-space:nowrap;min-width:0}
.beside.claim thead th{white-space:normal;text-align:left}
.beside.claim td{text-align:left}
.beside td{text-align:right}
.beside tr>:first-child{padding-left:0;position:sticky;left:0;background:var(--card)}
.beside thead th{text-align:right;vertical-align:bottom;color:var(--ink);font-weight:600}
.beside thead th[colspan]{text-align:left;vertical-align:top;white-space:normal}
.beside thead tr+tr th{color:var(--muted);font-weight:400;border-top:0}
.beside thead small{display:block;color:var(--muted);font-weight:400}
.beside .first{border-left:1px solid var(--rule)}
.beside tbody tr>*{border-top-style:dotted}
.beside .kind>*{border-top:1px solid var(--muted)}
.beside .kind.further>*{border-top:3px double var(--muted)}
.beside small{font-size:.92em;color:var(--muted);font-weight:400}
.beside .under{display:block}
.beside .near,.beside .below,.beside .above{background:var(--tint)}
.near{--tint:var(--near-tint);--shade:var(--near)}
.below{--tint:var(--below-tint);--shade:var(--below)}
.above{--tint:var(--above-tint);--shade:var(--above)}
.beside .by{color:var(--shade,var(--muted));margin-left:.35em}
.beside b{font-weight:700}
.footnotes{color:var(--muted);font-size:.86rem;margin:8px 0 0;padding:0;list-style:none}
)css";

// Text inside pictures is measured in their own pixels, 480 to the width.
constexpr const char* kPlots = R"css(
svg text{font-size:12px;fill:var(--muted);font-variant-numeric:tabular-nums}
svg .axis{fill:var(--ink)}
svg .halo{paint-order:stroke;stroke:var(--plot);stroke-width:3.5px;stroke-linejoin:round}
svg .plot{fill:var(--plot)}
svg .sea{fill:var(--sea)}
svg .grid{stroke:var(--grid);stroke-width:1}
svg .mark{stroke:var(--muted);stroke-width:1}
svg .zero{stroke:var(--muted);stroke-width:1}
svg .ideal{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:6 4}
svg .whisker{stroke:var(--ink);stroke-width:1.4}
svg .slope{stroke:var(--ink);stroke-width:2}
svg .marker{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3}
svg .best{fill:var(--card);stroke:var(--ink);stroke-width:1.8}
svg .series{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
svg .series.c2{stroke-dasharray:7 4;stroke-linecap:butt}
svg .series.dotted{stroke-dasharray:.1 5;stroke-width:2.6}
svg .series.c4{stroke-dasharray:10 4 2 4;stroke-linecap:butt}
svg .series.c5{stroke-dasharray:16 4;stroke-linecap:butt}
svg .series.reference{stroke-width:1.4;stroke-dasharray:2 4;stroke-linecap:butt}
svg .band{fill:currentColor;opacity:.18}
svg .dot{fill:currentColor}
svg .bars{fill:var(--c1);opacity:.85}
svg .normal{fill:none;stroke:var(--c2);stroke-width:1.8}
svg .dots path{fill:none;stroke:currentColor;stroke-linecap:round}
svg .sheer path{opacity:.55}
svg .faint path{opacity:.8}
svg .cells{stroke-width:1.04;shape-rendering:crispEdges}
svg .cells path{fill:none;stroke:currentColor}
svg .bar path{fill:currentColor;shape-rendering:crispEdges}
svg .quadrant{fill:currentColor;font-size:13px;font-weight:640}
svg .join{stroke:var(--q0);stroke-width:1.5}
svg .ring{fill:none;stroke:var(--ink);stroke-width:1.7}
svg .hollow{fill:none;stroke:var(--muted);stroke-width:1.4}
.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}.c5{color:var(--c5)}
.q0{color:var(--q0)}.q1{color:var(--q1)}.q2{color:var(--q2)}.q3{color:var(--q3)}.q4{color:var(--q4)}
)css";

constexpr const char* kMedia = R"css(
@media (max-width:560px){
html{font-size:15px}
main,header,footer{padding-left:12px;padding-right:12px}
header{padding-top:22px;padding-bottom:16px}
h1{font-size:1.65rem}
.cards{grid-template-columns:repeat(auto-fit,minmax(128px,1fr));gap:10px;margin-bottom:14px}
.card{padding:11px 12px}
.card .value{font-size:1.35rem}
.row{gap:14px;margin-bottom:14px}
.panel{padding:14px 12px 12px}
details{padding:0 12px;margin-bottom:14px}
.facts tr{display:block;border-top:1px solid var(--rule);padding:6px 0}
.facts th,.facts td{display:block;width:auto;border:0;padding:1px 0}
svg text,.small-figures svg text,.small-figures.pairs svg text{font-size:13.5px}
.claim{font-size:.76rem}
}
@media print{
@page{margin:13mm}
html{font-size:11.5px}
body{background:#fff;line-height:1.4}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:8px;padding-bottom:12px}
h1{font-size:1.9rem}
.panel{padding:10px 12px}
.card{padding:8px 10px}
.card .value{font-size:1.3rem}
h2{margin-bottom:6px}
figcaption{margin-top:6px}
.cards,.row,details{margin-bottom:12px}
.card,.panel,.remarks,details{box-shadow:none;break-inside:avoid}
details,.long .panel{break-inside:auto}
.long{break-before:page}
h2,h3,h3+.caption{break-after:avoid}
.small-figures,.small-figures.pairs{grid-template-columns:1fr 1fr;gap:12px 16px}
.small-figures>div,tr{break-inside:avoid}
.beside{font-size:.72rem}
.beside th,.beside td{padding:2px 3px}
.contents{display:none}
.wide{overflow:visible}
.row{grid-template-columns:1fr 1fr;gap:12px}
.row>:only-child{grid-column:1/-1}
.cards{grid-template-columns:repeat(auto-fit,minmax(104px,1fr));gap:10px}
details::details-content{content-visibility:visible;display:block;block-size:auto}
.strip,.banner,.beside td,.cells path,.dots path,.bar path{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
)css";

}  // namespace

std::string style_sheet() {
  std::string css = kLightColours;
  css += palette_css(Ground::light);
  css += kPage;
  css += kBeside;
  css += kPlots;
  css += kMedia;
  css += "@media screen and (prefers-color-scheme:dark){";
  css += kDarkColours;
  css += palette_css(Ground::dark);
  css += "}";
  return css;
}

}  // namespace pegnn
