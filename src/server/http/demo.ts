/** The page `/demo`: a small shop with the chat beside the inbox that answers it. */
export interface PageFiles {
  script: string
  style: string
}

const products = ['pier', 'beacon', 'tide'] as const
type Product = (typeof products)[number]

const en = {
  title: 'demo shop',
  about: 'About this demo',
  heading: 'You are the customer and the agent',
  write: '<strong>Write a message</strong> in the chat of the shop.',
  openChat: 'Open the chat',
  answer:
    '<strong>Answer it</strong> in the inbox. Sign in with the address and the password from <code>data/credentials.json</code>.',
  openInbox: 'Open the inbox',
  look: '<strong>Look at the chat again:</strong> the answer is there.',
  inbox: 'Inbox',
  embed: 'Put the chat on a page of yours',
  oneLine: 'This page exists while the sandbox is on. One line is enough:',
  code: 'Code',
  range: 'Lamps · Shades · Repairs',
  slogan: 'Light for long evenings',
  promise: 'Made by hand, repaired for life, sent in two days.',
  news: 'New this week',
  notes: {
    pier: 'Table lamp, oak and linen',
    beacon: 'Floor lamp, dimmable',
    tide: 'Pendant, blown glass',
  } satisfies Record<Product, string>,
  prices: { pier: '€ 89', beacon: '€ 149', tide: '€ 59' } satisfies Record<Product, string>,
  footer: 'A demo shop. Nothing here is for sale.',
}

const de: typeof en = {
  title: 'Demo-Laden',
  about: 'Über diese Demo',
  heading: 'Sie sind Kunde und Team zugleich',
  write: '<strong>Schreiben Sie eine Nachricht</strong> im Chat des Ladens.',
  openChat: 'Chat öffnen',
  answer:
    '<strong>Antworten Sie</strong> im Posteingang. Melden Sie sich mit der Adresse und dem Passwort aus <code>data/credentials.json</code> an.',
  openInbox: 'Posteingang öffnen',
  look: '<strong>Sehen Sie wieder in den Chat:</strong> Die Antwort ist da.',
  inbox: 'Posteingang',
  embed: 'Den Chat auf eine eigene Seite setzen',
  oneLine: 'Diese Seite gibt es, solange die Sandbox an ist. Eine Zeile genügt:',
  code: 'Code',
  range: 'Lampen · Schirme · Reparaturen',
  slogan: 'Licht für lange Abende',
  promise: 'Von Hand gemacht, ein Leben lang repariert, in zwei Tagen verschickt.',
  news: 'Neu in dieser Woche',
  notes: {
    pier: 'Tischlampe, Eiche und Leinen',
    beacon: 'Stehlampe, dimmbar',
    tide: 'Hängelampe, mundgeblasenes Glas',
  },
  prices: { pier: '89 €', beacon: '149 €', tide: '59 €' },
  footer: 'Ein Demo-Laden. Hier wird nichts verkauft.',
}

const languages: Record<string, typeof en> = { en, de }

/** Returns the language of the page that a browser prefers, by its header `Accept-Language`. */
export function chooseLanguage(accepted = ''): string {
  const wanted = accepted.split(',').map(item => {
    const [tag = '', ...parameters] = item.trim().toLowerCase().split(';')
    const quality = parameters.find(parameter => parameter.trim().startsWith('q='))?.trim()
    return { code: tag.split('-')[0]!, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  wanted.sort((a, b) => b.quality - a.quality)
  return wanted.find(({ code }) => Object.hasOwn(languages, code))?.code ?? 'en'
}

/** Simple drawings; their colours are in the stylesheet. */
const drawings: Record<Product, string> = {
  pier: '<path class="shade" d="M60 30h80l18 56H42Z"/><path class="stand" d="M96 86h8v56h-8ZM68 142h64v8H68Z"/>',
  beacon:
    '<path class="shade" d="M72 18h56l14 44H58Z"/><path class="stand" d="M97 62h6v84h-6ZM74 146h52v6H74Z"/>',
  tide: '<path class="stand" d="M98 8h4v46h-4Z"/><circle class="shade" cx="100" cy="94" r="42"/>',
}

function renderProduct({ notes, prices }: typeof en, product: Product): string {
  const name = product[0]!.toUpperCase() + product.slice(1)
  return `<li><svg viewBox="0 0 200 160" aria-hidden="true">${drawings[product]}</svg>
<h3>${name}</h3><p>${notes[product]}</p><p class="price">${prices[product]}</p></li>`
}

export function renderDemo({ script, style }: PageFiles, inboxKey: string, language: string): string {
  const texts = languages[language] ?? en
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbor Lights · ${texts.title}</title><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/widget/assets/${style}"><script type="module" src="/widget/assets/${script}"></script>
<script async src="/widget.js" data-inbox="${inboxKey}"></script></head>
<body>
<aside aria-label="${texts.about}">
<h2>${texts.heading}</h2>
<ol>
<li>${texts.write} <button type="button" id="open-chat">${texts.openChat}</button></li>
<li>${texts.answer}
<a id="open-inbox" href="/inbox" target="_blank" rel="noopener">${texts.openInbox}</a></li>
<li>${texts.look}</li>
</ol>
<iframe title="${texts.inbox}" src="/inbox" loading="lazy"></iframe>
<details>
<summary>${texts.embed}</summary>
<p>${texts.oneLine}</p>
<pre tabindex="0" aria-label="${texts.code}"><code>&lt;script async src="<span id="host"></span>/widget.js"
  data-inbox="${inboxKey}"&gt;&lt;/script&gt;</code></pre>
</details>
</aside>
<div class="shop">
<header><p class="logo">Harbor Lights</p><p class="muted">${texts.range}</p></header>
<main>
<section class="hero"><h1>${texts.slogan}</h1><p>${texts.promise}</p></section>
<h2>${texts.news}</h2>
<ul class="products">${products.map(product => renderProduct(texts, product)).join('')}</ul>
</main>
<footer><p>${texts.footer}</p></footer>
</div>
</body>
</html>`
}
