/** The page `/demo`: a small shop with the chat beside the inbox that answers it. */
import type { PageFiles } from './widget.ts'

const products = [
  { name: 'Pier', price: '€ 89', note: 'Table lamp, oak and linen', kind: 'pier' },
  { name: 'Beacon', price: '€ 149', note: 'Floor lamp, dimmable', kind: 'beacon' },
  { name: 'Tide', price: '€ 59', note: 'Pendant, blown glass', kind: 'tide' },
]

/** Simple drawings; their colours are in the stylesheet. */
const drawings: Record<string, string> = {
  pier: '<path class="shade" d="M60 30h80l18 56H42Z"/><path class="stand" d="M96 86h8v56h-8ZM68 142h64v8H68Z"/>',
  beacon:
    '<path class="shade" d="M72 18h56l14 44H58Z"/><path class="stand" d="M97 62h6v84h-6ZM74 146h52v6H74Z"/>',
  tide: '<path class="stand" d="M98 8h4v46h-4Z"/><circle class="shade" cx="100" cy="94" r="42"/>',
}

function renderProduct({ name, price, note, kind }: (typeof products)[number]): string {
  return `<li><svg viewBox="0 0 200 160" aria-hidden="true">${drawings[kind]}</svg>
<h3>${name}</h3><p>${note}</p><p class="price">${price}</p></li>`
}

export function renderDemo({ script, style }: PageFiles, inboxKey: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbor Lights · demo shop</title><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/widget/assets/${style}"><script type="module" src="/widget/assets/${script}"></script>
<script async src="/widget.js" data-inbox="${inboxKey}"></script></head>
<body>
<aside aria-label="About this demo">
<h2>You are the customer and the agent</h2>
<ol>
<li><strong>Write a message</strong> in the chat of the shop. <button type="button" id="open-chat">Open the chat</button></li>
<li><strong>Answer it</strong> in the inbox. Sign in with the address and the password from <code>data/credentials.json</code>.
<a id="open-inbox" href="/inbox" target="_blank" rel="noopener">Open the inbox</a></li>
<li><strong>Look at the chat again:</strong> the answer is there.</li>
</ol>
<iframe title="Inbox" src="/inbox" loading="lazy"></iframe>
<details>
<summary>Put the chat on a page of yours</summary>
<p>This page exists while the sandbox is on. One line is enough:</p>
<pre tabindex="0" aria-label="Code"><code>&lt;script async src="<span id="host"></span>/widget.js"
  data-inbox="${inboxKey}"&gt;&lt;/script&gt;</code></pre>
</details>
</aside>
<div class="shop">
<header><p class="logo">Harbor Lights</p><p class="muted">Lamps · Shades · Repairs</p></header>
<main>
<section class="hero"><h1>Light for long evenings</h1><p>Made by hand, repaired for life, sent in two days.</p></section>
<h2>New this week</h2>
<ul class="products">${products.map(renderProduct).join('')}</ul>
</main>
<footer><p>A demo shop. Nothing here is for sale.</p></footer>
</div>
</body>
</html>`
}
