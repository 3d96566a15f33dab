/** A document that tries to run, load, cover and rename things in the page that shows it. */

export const EVIL = 'https://evil.example';

const RUN = 'window.hurt=1';

export const HOSTILE_NOTE = `# Hostile \u202Etitle <img src=x onerror="${RUN}">

<script>${RUN}</script>
<script src="${EVIL}/a.js"></script>

Before <b onclick="${RUN}" onmouseover="${RUN}" style="position:fixed" class="bar">bold</b> after.

![remote](${EVIL}/remote.png) ![inside](data:image/gif;base64,R0lGODlhAQABAAAAACw=)
![drawing](data:image/svg+xml,%3Csvg%20onload=%22${RUN}%22%3E)

[a script](javascript:${RUN}) <a href="javascript:${RUN}">another</a> <a href="data:text/html,<script>${RUN}</script>">data</a>
[tab](jav&#x09;ascript:${RUN}) [[javascript:${RUN}|wiki]] [[a"><img src=${EVIL}/wiki.png onerror=${RUN}>]]

<img src="${EVIL}/pixel.png" srcset="${EVIL}/2x.png 2x" onerror="${RUN}" alt="pixel">
<svg onload="${RUN}"><script>${RUN}</script><a xlink:href="javascript:${RUN}"><text>svg</text></a></svg>
<math><mtext><table><mglyph><style><img src=x onerror="${RUN}"></style></mglyph></table></mtext></math>
<iframe src="${EVIL}/frame" srcdoc="<script>${RUN}</script>"></iframe>
<object data="${EVIL}/object"></object><embed src="${EVIL}/embed">
<video src="${EVIL}/video" poster="${EVIL}/poster.png" autoplay></video><audio src="${EVIL}/audio" autoplay></audio>
<link rel="stylesheet" href="${EVIL}/style.css"><base href="${EVIL}/"><meta http-equiv="refresh" content="0;url=${EVIL}/">
<table background="${EVIL}/table.png"><tr><td background="${EVIL}/cell.png">cell</td></tr></table>

<style>body { display: none } @import url(${EVIL}/import.css);</style>
<div style="position:fixed;inset:0;background:url(${EVIL}/cover.png)" id="page" class="close">cover</div>

<form name="body" action="${EVIL}/form"><input name="activeElement" autofocus onfocus="${RUN}"><button>Send</button></form>
<img name="getElementById"><a id="location" name="history" href="x">clobbered</a><form id="search-field"></form>
<details open ontoggle="${RUN}"><summary>more</summary>less</details>

Left \u202Eto right \u2066isolated.

${'> '.repeat(500)}deep

${'['.repeat(2000)}

The end of the hostile note.
`;
